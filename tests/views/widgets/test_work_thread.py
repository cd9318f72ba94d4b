"""The runner of work beside the window: who hears of its end."""

from threading import Event

from PySide6.QtCore import QCoreApplication, Qt

from meshgui.views.widgets.work_thread import WorkThread

LONG_FOR_AN_EVENT = 0.2  # seconds; those that wait are handled in far less


class Work(WorkThread):
    """Work that is done at once."""

    def run(self) -> None:
        """The thread's work: none."""


def test_all_hear_of_the_end_though_telling_them_takes_long(qtbot):
    """What one thread tells another is lost with the one that tells it."""
    work, freed, heard = Work(), Event(), []
    release = work._release

    def noted() -> None:
        freed.set()
        release()

    work._release = noted
    work.finished.connect(lambda: freed.wait(LONG_FOR_AN_EVENT), Qt.ConnectionType.DirectConnection)
    work.finished.connect(lambda: heard.append(work))
    work.start()
    qtbot.waitUntil(lambda: not WorkThread.under_way())
    QCoreApplication.processEvents()
    assert heard == [work]
