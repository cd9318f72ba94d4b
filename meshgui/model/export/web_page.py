"""A run or a lesson as one web page: a file that opens anywhere, without a network.

The page is the files of `resources/web`, in one piece with what it shows. Its policy names its scripts and
styles by their digests and allows nothing else: what a scenario holds is text, compressed and out of reach.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from string import Template
from typing import Any, Final

import numpy as np

from meshgui import __version__
from meshgui.engine.basics.translation import is_rtl_language, language, tr
from meshgui.engine.runs.recording import Recording
from meshgui.itself import resource
from meshgui.model.export.web_data import WebArrays
from meshgui.model.export.web_run import WebSpan, web_run
from meshgui.model.export.web_words import in_each_language, page_tongue
from meshgui.model.scene.colours import COLOUR_COUNT, job_colours, mix_evenly, to_hex
from meshgui.model.scene.hatching import FINE, PATTERNS, PEN, STRENGTH, WIDE
from meshgui.model.scene.heat import line_colours
from meshgui.model.scene.light import AMBIENT, HAZE, KEY, KEY_STANDS
from meshgui.model.scene.theme_colours import DARK, LIGHT, ThemeColours

_SCRIPTS: Final = (
    *("run", "moment", "camera", "scene", "labels", "lanes", "network", "worms", "links", "solid", "flat"),
    *("timeline", "panels", "code", "lesson", "page", "controls"),
)
_SHADERS: Final = ("box", "segment", "dot", "stroke")
_FONTS: Final = ("inter-regular", "inter-semibold", "jetbrains-mono-regular")
_ICONS: Final = (
    *("table", "keyboard", "contrast", "house", "arrow-down-to-line", "square", "grid-3x3", "skip-back"),
    *("step-back", "play", "pause", "step-forward", "skip-forward", "chevron-left", "chevron-right", "x"),
)
_HEAT_STEPS: Final = 32
_DERIVED: Final = ("hover", "pressed", "selection", "groove")


def run_page(recording: Recording, span: WebSpan, attempts: Sequence[int]) -> Iterator[bytes]:
    """The page of a run, piece by piece."""
    arrays = WebArrays()
    runs = [web_run(recording, span, attempts, arrays)]
    yield from page(recording.scenario.title, {"runs": runs}, arrays)


def page(title: str, content: dict[str, Any], arrays: WebArrays) -> Iterator[bytes]:
    """A page with a title and runs, and perhaps a lesson; `arrays` hold the numbers of the runs."""
    header = content | {
        "title": title,
        "tongues": in_each_language(page_tongue),
        "palettes": [_palette(LIGHT), _palette(DARK)],
        "hatching": {
            "patterns": PATTERNS,
            "pen": PEN,
            "strength": STRENGTH,
            "fine": FINE,
            "wide": WIDE,
        },
        "light": {
            "ambient": AMBIENT,
            "key": KEY,
            "right": KEY_STANDS[0],
            "up": KEY_STANDS[1],
            "haze": HAZE,
        },
        "shaders": {name: [_shader(name, "vert"), _shader(name, "frag")] for name in _SHADERS},
    }
    style = _style()
    scripts = [_file(f"{name}.js") for name in _SCRIPTS]
    yield (
        Template(_file("page.html"))
        .substitute(
            language=language(),
            direction="rtl" if is_rtl_language() else "ltr",
            script_digests=" ".join(map(_digest, scripts)),
            style_digest=_digest(style),
            version=__version__,
            title=escape(title or "MeshGUI"),
            style=style,
            noscript=escape(tr("This page draws a run with JavaScript, which is switched off.")),
            fault=escape(tr("This browser cannot show the page: one of 2023 or later can.")),
            icons=_icons(),
            content=arrays.packed(header),
            scripts="\n".join(f"<script>{script}</script>" for script in scripts),
        )
        .encode()
    )


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _file(name: str) -> str:
    return resource("web", name).read_text("utf-8")


def _shader(name: str, kind: str) -> str:
    """The program's own shader, in the dialect of WebGL 2."""
    source = resource("shaders", f"{name}.{kind}").read_text("utf-8").removeprefix("#version 330 core")
    source = re.sub(r"\bnoperspective\b ?", "", source)
    return f"#version 300 es\nprecision highp float;\nprecision highp int;{source}"


def _style() -> str:
    """The colours of both themes as custom properties, the fonts, and the style sheet."""
    fonts = {
        name.replace("-", "_"): b64encode(resource("web", f"{name}.woff2").read_bytes()).decode()
        for name in _FONTS
    }
    colours = {"light": _properties(LIGHT), "dark": _properties(DARK)}
    return Template(_file("theme.css")).substitute(colours, **fonts) + _file("page.css")


def _tokens(palette: ThemeColours) -> dict[str, str]:
    plain = {name: value for name, value in vars(palette).items() if str(value).startswith("#")}
    return plain | {name: getattr(palette, name) for name in _DERIVED}


def _properties(palette: ThemeColours) -> str:
    return " ".join(f"--{name}: {value};" for name, value in _tokens(palette).items())


def _palette(palette: ThemeColours) -> dict[str, Any]:
    every = np.arange(COLOUR_COUNT)
    heat = mix_evenly(palette.heat_low, palette.heat_high, np.linspace(0.0, 1.0, _HEAT_STEPS))
    return {
        "name": palette.name,
        "tokens": _tokens(palette),
        "tints": [_hex(row) for row in job_colours(every, palette.name).tolist()],
        "heat": [_hex(row) for row in heat.tolist()],
        "threads": [_hex(row) for row in line_colours(np.linspace(0.0, 1.0, _HEAT_STEPS), palette).tolist()],
    }


def _hex(row: Sequence[float]) -> str:
    red, green, blue = row
    return to_hex((red, green, blue))


def _icons() -> str:
    """The program's icons, to be used by name."""
    symbols = []
    for name in _ICONS:
        drawing = resource("icons", f"{name}.svg").read_text("utf-8")
        inside = re.sub(
            r"<!--.*?-->", "", drawing[drawing.index(">", drawing.index("<svg")) + 1 :], flags=re.DOTALL
        )
        shapes = " ".join(inside.removesuffix("\n").removesuffix("</svg>").split())
        symbols.append(f'<symbol id="sign-{name}" viewBox="0 0 24 24">{shapes}</symbol>')
    return "".join(symbols)
