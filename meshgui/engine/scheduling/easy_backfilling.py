"""EASY backfilling: later jobs fill gaps where they do not delay the head of the queue."""

from __future__ import annotations

from meshgui.engine.basics.kinds import Serving
from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.first_come import FirstComeFirstServed


class EasyBackfilling(FirstComeFirstServed):
    """In order of arrival; others go before the head only where they do not delay it.

    The head's start is planned from the stated service times of the running jobs. A later job may start if
    it ends by then, or if the head can still be placed at that time with the later job beside it.
    """

    id = "easy"
    title = tr("EASY backfilling")
    plans = True
    serving = Serving.EASY
