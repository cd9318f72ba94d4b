"""What the documents say is so: CONTRIBUTING, the glossary, the changelog, the citation and all others."""

import re
from pathlib import Path

import numpy as np

import meshgui
from meshgui.catalogue.sources import cite
from meshgui.cli.arguments import Parser
from meshgui.cli.sweep import declare
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.patterns.registry import patterns
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.network.switching import SWITCHINGS, Law
from meshgui.engine.network.wormhole import Network
from meshgui.engine.scheduling.registry import disciplines
from meshgui.experiment.batches import LARGEST_AUTOCORRELATION
from meshgui.experiment.field_paths import NOT_VARIED
from meshgui.experiment.fields import axis_from, text_of
from meshgui.experiment.grid import Target
from meshgui.experiment.limits import MAX_POINTS
from tests.sources import SOURCES

DOCS = Path(__file__).parents[1] / "docs"
MANUAL = DOCS.parent / "resources" / "manual"


def test_the_page_has_every_strategy_and_every_queue():
    """Ids, titles, pictures and help pages; `make docs` writes it again."""
    page = (DOCS / "strategies.md").read_text(encoding="utf-8")
    own = [cls for cls in strategies().values() if cls.__module__.startswith("meshgui.")]
    for cls in own:
        assert f"| `{cls.id}` | {cls.title} |" in page
        assert cite(cls.source) in page
    for name, kind in disciplines().items():
        assert f"| `{name}` | {kind.title} |" in page
    page = (DOCS / "strategies.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert links
    assert all((DOCS / link).is_file() for link in links)


def test_the_readme_counts_the_published_numbers_that_were_measured():
    """As many as the page of results judges, without those beside which nothing is published."""
    judged = re.search(
        r"^\|\s+\| all \| (\d+) \| (\d+) \| (\d+) \|", (DOCS / "results.md").read_text("utf-8"), re.MULTILINE
    )
    said = re.search(r"(\d+) published numbers beside", (DOCS.parent / "README.md").read_text("utf-8"))
    assert judged is not None
    assert said is not None
    assert int(said[1]) == sum(map(int, judged.groups()))


def test_the_page_of_the_network_has_every_pattern_and_every_key():
    """With the numbers it gives of unblocked packets, and of what a packet and a hop take."""
    page = (MANUAL / "network-time.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in (*patterns(), "file"))
    assert all(f"`{name}`" in page for name in NetworkSpec.model_fields)
    assert all(f"`{name}`" in page for name in SWITCHINGS)
    stated = re.search(r"(\d+) for (\d+) flits over (\d+) hops with ts = (\d+)", page)
    assert stated is not None
    cycles, flits, hops, delay = map(int, stated.groups())
    assert Law(flits, delay).unblocked(hops) == cycles
    assert Law(5, 2, 5, "store-and-forward").unblocked(hops) == (hops + 1) * (2 + 5) + 5
    rows = re.findall(r"\| `(header|flit)` \| `(one|free)` \| [^|]+ \| (\d+) \|", page)
    assert len(rows) == 4
    for per_hop, ports, taken in rows:
        assert Law(flits, delay, per_hop=per_hop, ports=ports).unblocked(hops) == int(taken)
    kept = re.search(r"Of each packet (\d+) bytes are kept .*, and (\d+) of each channel", page)
    assert kept is not None
    network = Network(Mesh((4, 4)), Law())
    network.send(0, np.array([0]), np.array([1]))
    packets = network.packets()
    a_packet = packets.sent.itemsize + packets.group.itemsize + packets.first.itemsize
    assert a_packet == int(kept[1])
    assert packets.channels.itemsize + packets.entered.itemsize == int(kept[2])


def test_the_page_of_sweeps_says_what_is_so():
    """Its numbers are the program's, and so are what is not varied and how values are read."""
    page = (MANUAL / "sweeps.md").read_text(encoding="utf-8")
    usual = Target()
    for option, value in (
        ("min-runs", usual.least), ("max-runs", usual.most),
        ("precision", usual.precision), ("confidence", usual.confidence),
    ):  # fmt: skip
        assert re.search(rf"`--{option}`,? \(?{re.escape(str(value))}\)?", page)
    assert f"at most {MAX_POINTS} points" in page
    assert f"above {LARGEST_AUTOCORRELATION} there is a warning" in page
    assert all(f"`{name}`" in page for name in NOT_VARIED)
    ranges = re.findall(r"\| `(\d[\d./]*\.\.[\d./]+)` \| ([\d., ]+)", page)
    assert len(ranges) == 2
    for written, listed in ranges:
        assert [text_of(value) for value in axis_from(f"workload.load={written}").values] == re.findall(
            r"[\d.]*\d", listed
        )


def test_every_option_of_a_sweep_is_explained():
    """On the page of commands or on that of sweeps."""
    parser = Parser("sweep", "")
    declare(parser)
    text = (MANUAL / "sweeps.md").read_text(encoding="utf-8")
    text += (MANUAL / "command-line.md").read_text(encoding="utf-8")
    options = set(re.findall(r"(?<!\S)\[?(--[a-z-]+)", parser.format_usage())) - {"--help"}
    assert len(options) > 12
    assert [option for option in options if f"`{option}" not in text and f"[{option}" not in text] == []


ROOT = Path(__file__).parents[1]


def text(*parts):
    """A file of the project."""
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


def test_every_environment_variable_is_listed_and_files_and_targets_of_the_checklists_exist():
    """CONTRIBUTING names those that are read, and no others; its paths and targets are there."""
    files = [
        *SOURCES,
        *ROOT.glob("tests/**/*.py"),
        *(path for path in ROOT.glob("tools/*") if path.is_file()),
        ROOT / "Makefile",
        ROOT / ".ci" / "run",
    ]
    files += [path for path in (ROOT / "packaging").iterdir() if path.is_file()]
    read = {name for path in files for name in re.findall(r"MESHGUI_[A-Z_]*[A-Z]", path.read_text("utf-8"))}
    listed = re.findall(r"^\| `(MESHGUI_\w+)` \|", text("CONTRIBUTING.md"), re.MULTILINE)
    assert sorted(listed) == sorted(read)
    page, makefile = text("CONTRIBUTING.md"), text("Makefile")
    paths = re.findall(r"(?:`|\]\()((?:meshgui|tests|docs|packaging|\.github|\.ci)/[\w/.-]+)", page)
    assert [path for path in paths if "NAME" not in path and not (ROOT / path).exists()] == []
    targets = set(re.findall(r"(?:`|^)make ([a-z][a-z-]*)", page, re.MULTILINE))
    assert len(targets) > 5
    assert [name for name in targets if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []


def test_the_glossary_has_words_that_are_used():
    """Each stands there once, and somewhere in the code or on a page of help."""
    words = re.findall(r"^\| \*\*([\w -]+)\*\* \|", text("resources", "manual", "glossary.md"), re.MULTILINE)
    assert len(words) == len(set(words)) > 60
    resources = ROOT / "resources"
    pages = [*SOURCES, *(resources / "help").glob("*.md"), resources / "manual" / "network-time.md"]
    used = "\n".join(path.read_text(encoding="utf-8") for path in pages).lower()
    assert [word for word in words if word not in used] == []


def test_the_version_is_the_same_everywhere():
    """The changelog, the citation and the installer for Windows name the version of the package."""
    assert f"## [{meshgui.__version__}]" in text("CHANGELOG.md")
    assert f"version: {meshgui.__version__}\n" in text("CITATION.cff")
    assert f'#define Version "{meshgui.__version__}"' in text("packaging", "windows", "meshgui.iss")
