"""A headless Chromium for the tests of web pages, spoken to over a pipe.

One process serves a session of tests; each test has a page of its own. Nothing is waited for by the clock: a
page is ready when its own promise says so, and what is asked is answered once it is so.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
_OPTIONS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu-sandbox", "--hide-scrollbars", "--no-first-run"),
    *("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb"),
    "--disable-gpu-compositing",  # which there is no card for: pages take a third less
    "--disable-features=IsolateSandboxedIframes",  # so that a page's tools see a frame in it
    *("--disable-lcd-text", "--disable-background-networking", "--disable-component-update"),
)

_RECTANGLE: Final = (
    "(() => {{ const r = document.querySelector({of}).getBoundingClientRect();"
    " return {{ x: r.x, y: r.y, width: r.width, height: r.height }}; }})()"
)


class PageError(Exception):
    """What a page raised, or what the browser answered in place of a result."""


class Browser:
    """A process of Chromium and the pipes to it."""

    def __init__(self, program: str, profile: Path) -> None:
        ours, theirs = os.pipe(), os.pipe()
        self._numbers, self._rest = iter(range(1, 1 << 30)), b""
        words = [program, *_OPTIONS, "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]
        # The browser reads its third file and writes its fourth.
        shell = f'exec "$@" 3<&{ours[0]} 4>&{theirs[1]}'
        self._process = subprocess.Popen(
            ["bash", "-c", shell, "bash", *words],
            pass_fds=(ours[0], theirs[1]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(ours[0])
        os.close(theirs[1])
        self._write, self._read = ours[1], theirs[0]
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._page = Page(self, session)  # each further one would be a process of its own
        for part in ("Page", "Runtime", "Network", "Log"):
            self._page.call(f"{part}.enable")

    def call(self, method: str, session: str | None = None, **words: object) -> dict[str, Any]:
        """Ask the browser, or one of its pages, and wait for the answer; events that come first are kept."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": words}
        if session is not None:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != number:
            self.events.append(answer)
        if "error" in answer:
            raise PageError(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._read, 1 << 20)
            if not piece:
                raise PageError("the browser has ended")
            self._rest += piece
        message, self._rest = self._rest.split(b"\0", 1)
        answer: dict[str, Any] = json.loads(message)
        return answer

    def end(self) -> None:
        """End the process."""
        os.close(self._write)
        os.close(self._read)
        self._process.terminate()
        self._process.wait(timeout=60)

    @contextmanager
    def page(
        self,
        file: Path,
        size: tuple[int, int] = (1280, 800),
        *,
        dark: bool = False,
        at: str = "",
        before: str = "",
        ready: str = "page.ready",
    ) -> Iterator[Page]:
        """A page of a file of this machine, open for a while; `before` is run before its own scripts."""
        opened = self._page
        opened.resize(size)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        opened.call("Emulation.setEmulatedMedia", features=scheme)
        script = opened.call("Page.addScriptToEvaluateOnNewDocument", source=before)["identifier"]
        self.events.clear()
        try:
            opened.open(file, at)
            opened.ask(ready)
            yield opened
        finally:
            opened.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
            opened.load("about:blank")


class Page:
    """One page of the browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session

    def call(self, method: str, **words: object) -> dict[str, Any]:
        """Ask the page's tools."""
        return self._browser.call(method, self._session, **words)

    def open(self, file: Path, at: str = "") -> None:
        """Load a file, and wait until all of it is there."""
        self.load(f"{file.as_uri()}{at}")

    def load(self, address: str) -> None:
        """Load what is at an address, and wait until all of it is there."""
        known = len(self._browser.events)
        self.call("Page.navigate", url=address)
        while not any(event["method"] == "Page.loadEventFired" for event in self._browser.events[known:]):
            self._browser.events.append(self._browser._next())

    def resize(self, size: tuple[int, int]) -> None:
        """Give the page a screen of a size."""
        width, height = size
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def ask(self, expression: str, **where: object) -> Any:
        """The value of an expression of JavaScript; a promise is waited for."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, **where
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise PageError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def ask_frame(self, expression: str) -> Any:
        """The same in the one frame of the page."""
        created = [
            event["params"]["context"]
            for event in self._browser.events
            if event["method"] == "Runtime.executionContextCreated"
        ]
        main = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        (of_frame,) = [each for each in created if each["auxData"]["frameId"] != main][-1:]
        return self.ask(expression, contextId=of_frame["id"])

    def key(self, key: str, code: str = "", shift: bool = False) -> None:
        """Press a key."""
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=code or key,
                modifiers=8 * shift,
                **(text if kind == "keyDown" else {}),
            )

    def picture(self, of: str = "") -> bytes:
        """What is to be seen, of the whole page or of the element that a selector finds, as a PNG file."""
        clip = {"clip": {**self.ask(_RECTANGLE.format(of=json.dumps(of))), "scale": 1}} if of else {}
        return b64decode(self.call("Page.captureScreenshot", format="png", **clip)["data"])

    @property
    def complaints(self) -> list[str]:
        """What the page's console has been told, and the requests that it made beyond its own file."""
        found = []
        for event in self._browser.events:
            words = event.get("params", {})
            if event["method"] in {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"}:
                found.append(json.dumps(words)[:600])
            elif event["method"] == "Network.requestWillBeSent" and not words["request"]["url"].startswith(
                ("file:", "data:", "blob:")
            ):
                found.append(words["request"]["url"])
        return found


def browser_program() -> str | None:
    """Where the browser is."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)
