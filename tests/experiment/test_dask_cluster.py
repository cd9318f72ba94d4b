"""Sweeps on a Dask cluster, with real schedulers and workers: the same results, whichever leave or join."""

import json
import shutil
import socket
from pathlib import Path

import pytest

import meshgui
from meshgui.experiment.dask_cluster import DaskCluster, is_address
from meshgui.experiment.executors import ExecutorError, ProcessPool
from meshgui.experiment.run_spec import RunSpec
from meshgui.experiment.task import Task
from tests.cluster import cluster, eventually, kill
from tests.experiments import SMALL, numbers_of, small_experiment

pytest.importorskip("distributed", reason="the extra cluster is not installed")

AXES = ("allocator.name=ff,gabl", "workload.load=0.5,1,3")
SLOW = SMALL | {"workload": SMALL["workload"] | {"jobs": 100_000}}


def submit(executor, experiment, count):
    """Hand over tasks of its first point."""
    for number in range(count):
        executor.submit(Task(number, experiment.points[0].spec, number))


@pytest.fixture(scope="module")
def alone():
    """What the experiment comes to in this process."""
    return numbers_of(small_experiment(*AXES))


TLS = Path(__file__).parents[1] / "tls"
ENCRYPTED = (
    "--protocol", "tls", "--tls-ca-file", TLS / "certificate.pem",
    "--tls-cert", TLS / "certificate.pem", "--tls-key", TLS / "key.pem",
)  # fmt: skip


@pytest.fixture
def certificates():
    """Dask configured as by the environment."""
    import dask  # noqa: PLC0415 - an extra

    tls, names = "distributed.comm.tls.", ("ca-file", "client.cert", "client.key")
    files = ("certificate.pem", "certificate.pem", "key.pem")
    with dask.config.set({tls + name: str(TLS / file) for name, file in zip(names, files, strict=True)}):
        yield


def test_a_cluster_with_certificates_makes_the_same_results(alone, certificates, tmp_path):
    """All is encrypted, as the address says; an address without is refused where there are certificates."""
    with cluster(tmp_path, *ENCRYPTED) as there:
        assert there.address.startswith("tls://")
        there.workers(1)
        assert numbers_of(small_experiment(*AXES), DaskCluster(there.address)) == alone
        plain = there.address.replace("tls:", "tcp:")
        with pytest.raises(ExecutorError, match=f"{plain}: expected tls://HOST:PORT, as Dask is configured"):
            DaskCluster(plain)


def test_an_encrypted_cluster_wants_certificates(tmp_path):
    """Without any the client does not come in, and says why."""
    with cluster(tmp_path, *ENCRYPTED) as there, pytest.raises(ExecutorError, match="TLS"):
        DaskCluster(there.address)


@pytest.fixture(scope="module")
def three_workers(tmp_path_factory):
    """A cluster of two workers, the second with two threads."""
    with cluster(tmp_path_factory.mktemp("cluster")) as there:
        there.workers(1, 2)
        yield there


def test_results_are_those_of_this_process_and_of_a_pool(alone, three_workers):
    """To the last digit, with three hands of which two belong to one worker."""
    executor = DaskCluster(three_workers.address)
    assert (executor.workers, executor.note) == (3, "")
    assert numbers_of(small_experiment(*AXES), executor) == alone
    assert numbers_of(small_experiment(*AXES), ProcessPool(2)) == alone


def test_a_sweep_that_is_stopped_leaves_nothing_under_way(three_workers):
    """The processes in the midst of a task are gone soon after; the workers take the next one."""
    executor = DaskCluster(three_workers.address)
    submit(executor, small_experiment(data=SLOW), 9)
    busy = eventually(lambda: len(found := three_workers.processes()) == 3 and found)
    executor.close()
    eventually(lambda: not busy & three_workers.processes())
    assert numbers_of(small_experiment(), DaskCluster(three_workers.address)) == numbers_of(
        small_experiment()
    )


def test_workers_may_die_and_join(alone, tmp_path):
    """Without any it waits and says so; of two, one is killed and then the other; a third does the rest."""
    with cluster(tmp_path) as there:
        executor = DaskCluster(there.address)
        notes, killed = [executor.note], []
        [first] = there.workers(1)
        second = there.worker()

        def report(progress):
            notes.append(executor.note)
            if not killed and progress.completed >= 4:
                kill(first)
                killed.append(first)
            if len(killed) == 1 and progress.completed >= 12:
                kill(second)
                killed.append(second)
            if len(killed) == 2 and executor.note:
                killed.append(there.worker())

        assert numbers_of(small_experiment(*AXES), executor, report=report) == alone
    assert len(killed) == 3
    assert set(notes) == {"", f"waiting for workers to join {there.address}"}


def test_a_worker_with_other_code_of_a_plugin_is_named(three_workers):
    """The sweep ends: its runs would be those of another strategy."""
    spec = small_experiment().points[0].spec
    text = json.dumps(spec.data | {"plugins": {"strategy gabl": "gabl 1.0 (sources 0)"}})
    executor = DaskCluster(three_workers.address)
    executor.submit(Task(0, RunSpec("another", text), 1))
    said = r"the worker tcp://.*: strategy gabl: expected gabl 1\.0 \(sources 0\), as here, got unknown code"
    try:
        with pytest.raises(ExecutorError, match=said):
            eventually(lambda: executor.outcomes(1))
    finally:
        executor.close()


def test_a_worker_of_another_version_is_named_before_anything_is_made(tmp_path):
    """One with the next version of the program, and one from before there were clusters."""
    newer, older = tmp_path / "newer", tmp_path / "older"
    for room in ("engine", "experiment"):
        shutil.copytree(
            Path(meshgui.__file__).parent / room,
            newer / "meshgui" / room,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    (newer / "meshgui" / "__init__.py").write_text('__version__ = "99.0"\n', encoding="utf-8")
    (older / "meshgui").mkdir(parents=True)
    (older / "meshgui" / "__init__.py").write_text('__version__ = "0.0.1"\n', encoding="utf-8")
    (older / "meshgui-0.0.1.dist-info").mkdir()
    about = "Metadata-Version: 2.1\nName: meshgui\nVersion: 0.0.1\n"
    (older / "meshgui-0.0.1.dist-info" / "METADATA").write_text(about, encoding="utf-8")
    here = rf"expected MeshGUI {meshgui.__version__} with version \d+ of the model, as here, got MeshGUI"
    model = r" with version \d+ of the model"  # an installed one may be found beside the older
    with cluster(tmp_path) as there:
        for path, version in ((newer, rf"99\.0{model}"), (older, rf"0\.0\.1({model})?")):
            worker = there.worker(path=str(path))
            executor = DaskCluster(there.address)
            submit(executor, small_experiment(), 1)
            with pytest.raises(ExecutorError, match=rf"^the worker tcp://\S+: {here} {version}$"):
                eventually(lambda executor=executor: executor.outcomes(0.1))
            executor.close()
            kill(worker)


def test_where_no_scheduler_answers_it_is_said_in_time():
    """At a port where nothing listens, and at one where a program does but says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(ExecutorError, match=r"expected a Dask scheduler .*: no answer"):
            DaskCluster(f"tcp://127.0.0.1:{port}", patience=0.2)
    with pytest.raises(ExecutorError, match="expected a Dask scheduler to answer there: Timed out"):
        DaskCluster(f"tcp://127.0.0.1:{port}", patience=0.2)


GOOD = ("tcp://127.0.0.1:8786", "tcp://node-7.example.org:1", "tcp://[::1]:8786", "tls://127.0.0.1:8786")
BAD = (
    "127.0.0.1:8786", "tcp://127.0.0.1", "tcp://127.0.0.1:65536", "tcp://127.0.0.1:0", "http://127.0.0.1:8786",
    "tcp:// :8786", "",
)  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_an_address_has_a_host_and_a_port(text):
    """As the scheduler itself writes it."""
    assert all(map(is_address, GOOD))
    assert not is_address(text)
    with pytest.raises(ExecutorError, match="expected a scheduler's address"):
        DaskCluster(text)
