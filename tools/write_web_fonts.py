"""Writes the faces of web pages: of each shipped font the letters that a page in Latin script needs.

Needs the packages fonttools and brotli, which nothing else here does. Other letters are the reader's own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

RESOURCES: Final = Path(__file__).parents[1] / "resources"
FONTS: Final = {
    "inter-regular": "Inter-Regular.otf",
    "inter-semibold": "Inter-SemiBold.otf",
    "jetbrains-mono-regular": "JetBrainsMono-Regular.ttf",
}
LETTERS: Final = (
    "U+0020-007E,U+00A0-00FF,U+2013,U+2014,U+2018,U+2019,U+201C-201E,U+2022,U+2026,U+202F,"
    "U+2190-2193,U+00D7,U+2212,U+2264,U+2265,U+03C1,U+2080-2089"
)
FEATURES: Final = "kern,tnum,mark,ccmp,locl"


def main() -> None:
    """Write all of them."""
    for name, source in FONTS.items():
        words = [sys.executable, "-m", "fontTools.subset", str(RESOURCES / "fonts" / source)]
        words += [f"--unicodes={LETTERS}", f"--layout-features={FEATURES}", "--flavor=woff2"]
        subprocess.run([*words, f"--output-file={RESOURCES / 'web' / name}.woff2"], check=True)


if __name__ == "__main__":
    main()
