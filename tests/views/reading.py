"""Reads exported files back with nothing of the program: PDF and CSV by their bytes, SVG as XML."""

import csv
import re
import zlib
from xml.etree import ElementTree as ET

import numpy as np

__all__ = [
    "csv_rows",
    "pdf_fonts",
    "pdf_images",
    "pdf_page",
    "pdf_strokes",
    "rgb_of",
    "svg_size",
    "svg_texts",
]

_SVG = "{http://www.w3.org/2000/svg}"


def pdf_page(path):
    """The width and height of the one page of a PDF, in points."""
    [box] = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", path.read_bytes())
    return tuple(map(float, box))


def pdf_fonts(path):
    """The families of the fonts a PDF embeds, each with the program of its letters."""
    data = path.read_bytes()
    names = re.findall(rb"/FontName /[A-Z]{6}\+([\w-]+)", data)
    assert data.count(b"/FontFile") == len(names)
    return {name.decode() for name in names}


def pdf_strokes(path):
    """What is drawn on the page of a PDF: its longest stream of operators, unpacked."""
    parts = []
    for packed in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", path.read_bytes(), re.DOTALL):
        try:
            parts.append(zlib.decompress(packed))
        except zlib.error:
            continue
    pages = [part for part in parts if b" re\n" in part or b" l\n" in part]
    return max(pages, key=len)


def pdf_images(path):
    """The images of a PDF that are kept as they are, from the first drawn on: each an array of its pixels."""
    found = re.findall(
        rb"/Subtype /Image\n/Width (\d+)\n/Height (\d+).*?stream\r?\n(.*?)\r?\nendstream",
        path.read_bytes(), re.DOTALL,
    )  # fmt: skip
    return [
        np.frombuffer(zlib.decompress(packed), np.uint8).reshape(int(height), int(width), 3)
        for width, height, packed in found
    ]


def svg_texts(path):
    """The words of an SVG, which label the outlines of their letters; no letter needs a font."""
    tree = ET.parse(path)  # noqa: S314 - ours
    assert not list(tree.iter(f"{_SVG}text"))
    return [path.get("aria-label").strip() for path in tree.iter(f"{_SVG}path") if path.get("aria-label")]


def svg_size(path):
    """Its title, its description, and the size of its view box."""
    root = ET.parse(path).getroot()  # noqa: S314 - written by the test itself
    size = tuple(float(side) for side in root.attrib["viewBox"].split()[2:])
    return root.findtext(f"{_SVG}title"), root.findtext(f"{_SVG}desc"), size


def csv_rows(path):
    """The rows of a CSV, which ends its lines as RFC 4180 says."""
    data = path.read_bytes()
    assert data.endswith(b"\r\n")
    return list(csv.reader(data.decode("utf-8").splitlines(keepends=True)))


def rgb_of(image):
    """An image as rows of red, green and blue."""
    plain = image.convertToFormat(image.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), dtype=np.uint8).reshape(plain.height(), plain.width(), 4)
    return pixels[:, :, 2::-1].astype(int)
