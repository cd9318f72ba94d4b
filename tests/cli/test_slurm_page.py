"""The manual's page on Slurm: its array job and its commands, with a stand-in for `sbatch`."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_manual_examples import MANUAL, block
from tests.processes import bare_environment

pytestmark = pytest.mark.long

SBATCH = """#!/bin/sh
# Runs every task of an array job, the last first, as `sbatch --wait` does at some time on some node.
[ "$1" = --wait ] && shift
of() { sed -n "s/^#SBATCH --$1=//p" "$script"; }
script=$1 first=$(of array | cut -d- -f1) last=$(of array | cut -d- -f2)
export SLURM_ARRAY_TASK_COUNT=$((last - first + 1)) SLURM_CPUS_PER_TASK=$(of cpus-per-task)
task=$last
while [ "$task" -ge "$first" ]; do
    SLURM_ARRAY_TASK_ID=$task sh "$script" > "slurm-$task.out" || exit 1
    task=$((task - 1))
done
"""


@pytest.fixture
def cluster(tmp_path):
    """Runs lines in a folder with the scenario, where `sbatch` and `meshgui` are programs."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, text in (
        ("sbatch", SBATCH),
        ("meshgui", f'#!/bin/sh\nexec "{sys.executable}" -m meshgui "$@"\n'),
    ):
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    (tmp_path / "load.meshgui.json").write_text(block("json", "sweeps", "An example"))
    environment = bare_environment()
    environment["PATH"] = f"{tools}{os.pathsep}{environment.get('PATH', os.defpath)}"

    def call(*lines: str) -> "subprocess.CompletedProcess[str]":
        words, options = ["sh", "-ec", "\n".join(lines)], {"capture_output": True, "encoding": "utf-8"}
        return subprocess.run(words, cwd=tmp_path, env=environment, check=False, timeout=300, **options)

    return call


def test_the_array_job_of_the_page_makes_the_sweep_of_one_computer(cluster, tmp_path):
    """To the last byte; the merged store has all of it, so that the last command makes no run."""
    page = (MANUAL / "slurm.md").read_text(encoding="utf-8")
    prepare, job, submit, last = (
        re.sub(r"^ {3}", "", part, flags=re.MULTILINE)
        for part in re.findall(r"```sh\n(.*?) *```", page, re.DOTALL)
    )
    assert prepare.strip() == "meshgui prepare"
    (tmp_path / "sweep.sh").write_text(job)
    fewer = " --precision 0.3"  # as the page's example is known to a reader, and not to a test that waits
    (tmp_path / "sweep.sh").write_text(job.replace("workload.load=1..3", f"workload.load=1..3{fewer}"))
    done = cluster(submit)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("load.db: ")
    assert done.stdout.endswith(" runs added from 4 stores; 0 were there already\n")
    assert len(list((tmp_path / "shards").glob("*.db"))) == 4
    last = last.replace("workload.load=1..3", f"workload.load=1..3{fewer}")
    before = (tmp_path / "load.db").stat().st_size
    merged = cluster(last)
    alone = cluster(last.replace("load.db", "alone.db").replace("load.csv", "alone.csv"))
    assert (merged.returncode, merged.stderr) == (alone.returncode, alone.stderr) == (0, "")
    assert merged.stdout == alone.stdout
    assert (tmp_path / "load.csv").read_bytes() == (tmp_path / "alone.csv").read_bytes()
    assert (tmp_path / "load.db").stat().st_size == before
    assert not Path(tmp_path / "slurm-0.out").exists()


def test_a_task_that_fails_ends_the_stand_in(cluster, tmp_path):
    """Else the test above would pass whatever the tasks did."""
    (tmp_path / "sweep.sh").write_text("#SBATCH --array=1-2\nmeshgui sweep none.json\n")
    assert cluster("sbatch --wait sweep.sh").returncode == 1
