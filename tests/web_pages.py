"""Takes a web page of a run apart again: what its content says, as the page itself reads it."""

import json
import re
import struct
import zlib
from base64 import b64decode

import numpy as np

from meshgui.model.export.web_page import run_page
from meshgui.model.export.web_run import WebSpan
from meshgui.model.export.web_steps import attempts_of_jobs, usual_attempts

_CONTENT = re.compile(r'<script type="application/octet-stream" id="content">([A-Za-z0-9+/=]*)</script>')


def page_of(recording, jobs=(), begin=None, end=None):
    """The page of a recording, as text."""
    span = WebSpan.of(recording, begin, end)
    numbers = (
        attempts_of_jobs(recording, span.first, span.last, jobs)
        if jobs
        else usual_attempts(recording, span.first, span.last)
    )
    return b"".join(run_page(recording, span, numbers)).decode()


def content_of(page):
    """The header of a page, with its arrays in their places; its runs say all in the language of the page."""
    whole = zlib.decompress(b64decode(_CONTENT.findall(page)[0]))
    (length,) = struct.unpack_from("<I", whole)
    header = _with_arrays(json.loads(whole[8 : 8 + length]), whole[8 + length :])
    first = next(iter(header["tongues"]))
    header["runs"] = [run | run["told"][first] for run in header["runs"]]
    return header


def _with_arrays(part, rest):
    if isinstance(part, list):
        return [_with_arrays(each, rest) for each in part] if part and isinstance(part[0], dict) else part
    if not isinstance(part, dict):
        return part
    if "at" in part and "count" in part:
        return np.frombuffer(rest, f"<{part['kind']}", part["count"], part["at"])
    return {key: _with_arrays(value, rest) for key, value in part.items()}
