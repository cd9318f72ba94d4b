"""A run that a lesson needs beside the one that is shown."""

from __future__ import annotations

from meshgui.engine.runs.recording import Recording
from meshgui.views.batch.run_thread import RunThread


class AnswerThread(RunThread):
    """A run that is made for its figures or for a picture alone."""

    def _follow_up(self, recording: Recording) -> None:
        """Compile nothing for steps, as none are shown."""
