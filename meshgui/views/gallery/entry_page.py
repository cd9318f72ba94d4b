"""The page of one published result: its text, its verdicts, and the numbers and charts of each setting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from meshgui.catalogue.entries import Setting
from meshgui.catalogue.judging import PRECISION, RULE, Verdict
from meshgui.catalogue.results_in_words import verdict_counts, verdicts_in_words
from meshgui.catalogue.sources import PAPERS
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import count_of, percent
from meshgui.model.studies.gallery_session import EntryResults
from meshgui.model.studies.number_columns import EntryNumber
from meshgui.model.studies.published_charts import PublishedChart, charts_of
from meshgui.model.studies.published_tables import table_of
from meshgui.model.studies.verdict_looks import LOOKS, VerdictLook
from meshgui.model.tables.tables import PlainTable
from meshgui.views.gallery.setting_section import SettingSection
from meshgui.views.style.direction import mirror_in, write
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import (
    SelectableLabel,
    keep_room,
    menu_button,
    push_button,
    text_button,
)
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.row_scroll import RowScroll

_MOST: Final = 16_777_215  # Qt: no limit
_AT_ONCE: Final = 4  # settings that fill the window
_WIDEST: Final = 860  # pixels of a line that is read


class EntryPage(RowScroll):
    """Shows an entry with its results."""

    scenario_asked = Signal(object)
    precision_asked = Signal()

    def __init__(self, themes: ThemeManager, icons: IconShelf) -> None:
        self._page = QWidget()
        super().__init__(self._page)
        self._themes, self._icons = themes, icons
        self.results: EntryResults | None = None  # what is shown
        self._to_show: list[Callable[[], None]] = []  # settings that are shown when there is time
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._show_more)
        # Those in use, and behind them those kept for longer entries.
        self.settings: list[SettingSection] = []
        self.title = SelectableLabel("title")
        self.source = SelectableLabel("muted")
        self.text = _Paragraph()
        hint = tr("Write numbers, charts or the page")
        self.export, self.export_menu = menu_button(icons, "download", tr("Export"), hint)
        self.state = SelectableLabel()
        self.precision = _Paragraph("muted")
        self.precise = push_button(
            tr("Run until precise"),
            tr("Make runs until each interval is narrow enough, however many that takes"),
            self.precision_asked,
        )
        keep_room(self.precise)
        self.legend = _Legend(themes)
        self.explain = text_button(tr("What the verdicts mean"), RULE, checkable=True)
        self.explain.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        icons.dress(self.explain, "info")
        self.rule = _Paragraph("caption")
        self.rule.setText(RULE)
        self.rule.hide()
        self.explain.toggled.connect(self.rule.setVisible)
        self.error_line = ErrorLine(themes)
        self.remarks = _Paragraph()
        self._remarks_head = SelectableLabel("lead")
        self._remarks_head.setText(tr("Remarks"))
        self._lay_out()

    @property
    def shown(self) -> Sequence[SettingSection]:
        """The visible settings."""
        return [setting for setting in self.settings if not setting.isHidden()]

    def show_results(self, results: EntryResults, *, running: bool, busy: bool = False) -> None:
        """Show an entry, or the newest results of the same one; see `show_state`."""
        other = self.results is None or self.results.entry is not results.entry
        self.results = results
        entry = results.entry
        if other:
            self.title.setText(entry.title)
            self.source.setText(_source(results))
            self.text.setText(entry.text)
            self.remarks.setText("\n\n".join(entry.remarks))
            self.remarks.setVisible(bool(entry.remarks))
            self._remarks_head.setVisible(bool(entry.remarks))
        self.show_state(running=running, busy=busy)
        self._show_settings(results, other=other)
        if other:
            self.verticalScrollBar().setValue(0)

    def show_state(self, *, running: bool, busy: bool = False) -> None:
        """Show the verdicts and runs of the entry: `running` if it is run now, `busy` if only others are."""
        results = self.results
        if results is None:
            return
        verdicts = verdict_counts(results.judged)
        unknown = set(verdicts) == {Verdict.NOT_RUN}
        if unknown:
            asked = all(one.number.asked for one in results.judged)
            words = tr("Not run yet.") if asked else tr("Not run yet: only published values.")
            if running:
                words = tr("Running: no number is known yet.")
        else:
            runs = count_of(results.counted, "run", apart=True)
            said = verdicts_in_words(results.judged)
            words = tr("{verdicts}, from {runs}.").format(verdicts=said, runs=runs)
            words = words[:1].upper() + words[1:]
        self.state.setText(words)
        self._show_precision(results, running=running, busy=busy)
        faults = results.faults
        self.error_line.say(f"{count_of(len(faults), 'fault')}: {faults[0]}" if faults else "")

    def _show_precision(self, results: EntryResults, *, running: bool, busy: bool) -> None:
        """Say how many numbers are not precise, and what that means, once the entry has its runs."""
        shown = bool(results.imprecise) and results.done and not running
        self.precision.setVisible(shown)
        self.precise.setVisible(shown)
        self.precise.setEnabled(not busy)
        self.precision.setText(
            tr_n(
                "{number} number is not precise: its 95 % interval reaches further than {share} to "
                "each side, so that more runs may change the verdict.",
                "{number} numbers are not precise: their 95 % intervals reach further than {share} to "
                "each side, so that more runs may change the verdicts.",
                results.imprecise,
                share=percent(PRECISION),
            )
        )

    def tables(self) -> Sequence[PlainTable]:
        """All numbers of the entry."""
        if self.results is None:
            return ()
        return (table_of(self.results.entry, self.results.judged, self.results.entry.readers_name),)

    def _show_settings(self, results: EntryResults, *, other: bool) -> None:
        entry = results.entry
        numbers = [EntryNumber(row, judged) for row, judged in enumerate(results.judged)]
        charts = charts_of(entry, results.judged)
        shown = [name for name in entry.settings if any(n.judged.setting == name for n in numbers)]
        filled = min(_AT_ONCE, len(shown)) if other else len(shown)
        for widget in self.settings[filled:]:
            widget.hide()
        self._to_show = [
            partial(
                self._show_setting,
                place,
                entry.settings[name],
                [n for n in numbers if n.judged.setting == name],
                [chart for chart in charts if chart.setting == name],
            )
            for place, name in enumerate(shown)
        ]
        self._show_more(_AT_ONCE)

    def _show_more(self, count: int = 1) -> None:
        """Show the next settings, and the others one by one while Qt is idle."""
        for show in self._to_show[:count]:
            show()
        del self._to_show[:count]
        if self._to_show:
            self._later.start()

    def _show_setting(
        self, place: int, setting: Setting, numbers: Sequence[EntryNumber], charts: Sequence[PublishedChart]
    ) -> None:
        if self.results is None:
            return
        if place == len(self.settings):
            made = SettingSection(self._themes, self._icons)
            made.scenario_asked.connect(self.scenario_asked)
            self._sections.addWidget(made)
            self.settings.append(made)
        self.settings[place].show_setting(self.results.entry, setting, numbers, charts)
        self.settings[place].show()

    def _lay_out(self) -> None:
        always = Qt.ScrollBarPolicy.ScrollBarAlwaysOn  # its coming would move all else
        self.setVerticalScrollBarPolicy(always)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)  # in the largest letters
        sizing = Sizing(self._themes, self)
        self.tools = sizing.row(self.export, spacing=8)  # the window adds to them
        head = sizing.row((self.title, 1), self.tools, spacing=8)
        head.setAlignment(self.tools, Qt.AlignmentFlag.AlignTop)
        state = sizing.row((sizing.column(self.state, self.precision), 1), self.precise, spacing=8)
        verdicts = sizing.column(self.legend, sizing.row(self.explain, 1), spacing=4)
        self._sections = sizing.column()
        sizing.column(
            *(head, self.source, self.text, state, self.error_line, verdicts, self.rule),
            *(self._sections, self._remarks_head, self.remarks, 1),
            on=self._page,
            spacing=8,
            margins=(24, 16, 24, 24),
        )
        sizing.icons(16, self.export, self.explain)
        for label in (self.text, self.precision, self.remarks, self.rule):
            sizing.call(label.setMaximumWidth, _WIDEST)


class _Paragraph(SelectableLabel):
    """Text of limited width, whose height is computed for that width."""

    def heightForWidth(self, width: int, /) -> int:  # noqa: N802 - Qt's name
        """Return the height at the width it will have."""
        return super().heightForWidth(min(width, self.maximumWidth()))


class _Legend(QWidget):
    """Shows the signs of the verdicts and their names."""

    accessible_role = QAccessible.Role.StaticText

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self.setToolTip(RULE)
        self.setAccessibleName(
            tr(", ").join(f"{look.sign} {verdict.words}" for verdict, look in LOOKS.items())
        )
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        themes.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return room for all of them in a row."""
        last = self._places(_MOST)[-1]
        return QSize(last.right() + 1, last.height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return room for all of them one below another."""
        places = self._places(0)
        return QSize(max(place.width() for place in places), places[0].height())

    def heightForWidth(self, width: int, /) -> int:  # noqa: N802 - Qt's name
        """Return the height of the lines they need."""
        return self._places(width)[-1].bottom() + 1

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw signs and names."""
        del event
        with QPainter(self) as painter:
            mirror_in(self, painter)
            painter.setFont(self._themes.text("caption"))
            metrics, theme = painter.fontMetrics(), self._themes.theme
            for (look, name), place in zip(self._parts(), self._places(self.width()), strict=True):
                base = place.top() + metrics.ascent()
                painter.setPen(theme.colour(look.tone))
                write(painter, QPointF(place.left(), base), look.sign)
                painter.setPen(theme.colour("muted"))
                at = QPointF(place.left() + metrics.horizontalAdvance(f"{look.sign} "), base)
                write(painter, at, name)

    def _places(self, width: int) -> list[QRect]:
        """Where each stands, in as many lines as this width makes necessary."""
        metrics = QFontMetrics(self._themes.text("caption"))
        left, top, places = 0, 0, []
        for look, name in self._parts():
            wide = metrics.horizontalAdvance(f"{look.sign} {name}")
            if left and left + wide > width:
                left, top = 0, top + metrics.lineSpacing()
            places.append(QRect(left, top, wide, metrics.height()))
            left += wide + self._themes.px(16)
        return places

    def _parts(self) -> list[tuple[VerdictLook, str]]:
        return [(look, verdict.words) for verdict, look in LOOKS.items()]


def _source(results: EntryResults) -> str:
    entry = results.entry
    paper = PAPERS.get(entry.source.split(" ")[0])
    return entry.readers_name + (f" · {paper.title}" if paper is not None else "")
