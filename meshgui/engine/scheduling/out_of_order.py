"""Out of order: a job that cannot be placed delays no other (000 §2.2.1, footnote 3)."""

from __future__ import annotations

from meshgui.engine.basics.kinds import Serving
from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.first_come import FirstComeFirstServed


class OutOfOrder(FirstComeFirstServed):
    """In order of arrival, past the jobs that cannot be placed."""

    id = "ooo"
    title = tr("Out of order")
    serving = Serving.EVERY
