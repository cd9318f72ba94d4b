"""Sentences about scenarios that are sound, but not what their author may expect."""

import pytest

from meshgui.engine.scenario import remarks, scenario_from

LISTED = {"kind": "list", "jobs": [{"arrival": 0, "size": [2, 2], "service": 1.0}]}
UNTIMED = {"kind": "list", "jobs": [{"arrival": 0, "size": [2, 2]}]}
TRACED = {"kind": "swf", "jobs": [[0, 10, 4]]}
RANDOM = {"pattern": "random"}
ONLY_PLANS = "network.compute: jobs end when their messages have arrived"
PLAIN = {"meshgui": 1, "mesh": {"shape": [4, 4]}, "allocator": {"name": "ff"}, "workload": LISTED}
NOT_STATED = "allocator.options.stop: not stated, so cutting ends at a side of 1"
BY_MESSAGES = "scheduler.options.demand: it changes nothing: no job states a service time"
WITHOUT_MESSAGES = "scheduler.options.demand: jobs send no messages without a network"


def anca(**options):
    """The strategy with some of its options stated."""
    return {"allocator": {"name": "anca", "options": options}}


def ssd(workload, network=None, **options):
    """The discipline with jobs that state their service times or not."""
    return {
        "scheduler": {"name": "ssd", "options": options}, "workload": workload, "network": network,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({}, []),
        (anca(), [NOT_STATED]),
        (anca(rounds=2), [NOT_STATED]),
        (anca(stop="at-one"), []),
        (anca(stop="below-one"), []),
        (ssd(UNTIMED, RANDOM), []),
        (ssd(UNTIMED, RANDOM, demand="time"), [BY_MESSAGES]),
        (ssd(UNTIMED, RANDOM, demand="processor-messages"), []),
        (ssd(LISTED, RANDOM, demand="time"), [ONLY_PLANS]),
        ({"network": RANDOM}, [ONLY_PLANS]),
        ({"network": RANDOM | {"compute": {"kind": "constant", "value": 3}}}, [ONLY_PLANS]),
        ({"network": RANDOM | {"compute": {"kind": "stated"}}}, []),
        ({"network": RANDOM, "workload": UNTIMED}, []),
        ({"network": RANDOM, "workload": TRACED}, [ONLY_PLANS]),
        (ssd(LISTED, demand="time"), []),
        (ssd(LISTED, demand="processor-messages"), [WITHOUT_MESSAGES]),
        (anca() | ssd(UNTIMED, RANDOM, demand="processor-time"), [NOT_STATED, BY_MESSAGES]),
    ],
)
def test_what_may_not_be_expected_is_said(parts, said):
    """A default that has changed, and a demand that changes nothing."""
    found = remarks(scenario_from(PLAIN | parts))
    assert [words[: len(start)] for words, start in zip(found, said, strict=True)] == said
