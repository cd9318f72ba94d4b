"""The jobs that are drawn: their number and the rounding of their sides, value by value."""

import numpy as np
import pytest
from pydantic import ValidationError

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.workload.generator import _powers_of_two
from meshgui.engine.workload.spec import ListWorkload, StochasticWorkload


def test_what_is_cut_how_many_jobs_there_may_be_and_what_is_driven_by_hand():
    """Only what fits is cut; ten million are drawn; one job that was ended or moved is enough."""
    sizes = np.array([[3, 12, 1], [3, 7, 1], [12, 12, 1]], dtype=np.int32)
    assert _powers_of_two(sizes, Mesh((8, 8))).tolist() == [[4, 16, 1], [4, 8, 1], [12, 12, 1]]
    drawn = {"kind": "stochastic", "load": 1.0}
    assert StochasticWorkload.model_validate(drawn | {"jobs": 10_000_000}).jobs == 10_000_000
    with pytest.raises(ValidationError):
        StochasticWorkload.model_validate(drawn | {"jobs": 10_000_001})
    jobs = [{"arrival": 0, "size": [1, 1], "service": 1}] * 2
    listed = ListWorkload.model_validate({"kind": "list", "jobs": jobs})
    assert not listed.driven
    ended = [jobs[0], jobs[1] | {"ended_after": 0.5}]
    assert ListWorkload.model_validate({"kind": "list", "jobs": ended}).driven
    assert ListWorkload.model_validate({"kind": "list", "jobs": jobs, "moves": [[0.5, 1, 0]]}).driven
