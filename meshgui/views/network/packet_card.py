"""One packet: its route, its times, its way, and what holds it up at this cycle."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import counted
from meshgui.engine.network.record import NEVER_YET, NetworkRecord
from meshgui.engine.network.routing import describe_node
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.packet_states import chain_at, describe_state, states_at
from meshgui.model.network.network_tables import known_cycle, packets_of
from meshgui.model.network.packet_tables import CHAIN_COLUMNS, ChainRows
from meshgui.model.network.packet_way import WAY_COLUMNS, WAY_GIVE_WAY, WayRows
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.links import Links
from meshgui.model.stepping.selection import Selection
from meshgui.views.network.card import NetworkCard
from meshgui.views.style.fonts import lines_height
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import push_button, widget_of
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.labels import ElidedLabel, Heading, Swatch
from meshgui.views.widgets.row_scroll import RowScroll
from meshgui.views.widgets.table_painting import RowLook
from meshgui.views.widgets.tool_button import tool_button

_FACTS: Final = {  # when, and how long, with their captions
    "Sent": tr("Sent"),
    "Injected": tr("Injected"),
    "Delivered": tr("Delivered"),
    "Queued": tr("Queued"),
    "Blocked": tr("Blocked"),
    "Latency": tr("Latency"),
}
_TALL: Final = 380  # pixels of height from which the chain shows more packets
_LINKS, _LINKS_LOW = 5, 3  # how many
_LEAST, _LEAST_LARGE = 4, 2  # rows of the way at the desk, and in a lecture, before all is scrolled


class PacketCard(NetworkCard):
    """The selected packet."""

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(
            cursor,
            selection,
            themes,
            tr("Show all packets under way"),
            lambda: selection.select(selection.job),
        )
        self.packet: int | None = None
        self._head: int | None = None  # of the chain
        self._record: NetworkRecord | None = None
        self._channel = -1  # where the packet is now
        self._digits, self._across, self._waits = 1, 0, False
        self._large = False  # for the last row of a lecture
        self._swatch = Swatch(themes)
        self.route = ElidedLabel(themes, colour="muted").fill_width()
        self.state = QLabel()
        self.state.setWordWrap(True)
        policy = self.state.sizePolicy()
        policy.setHeightForWidth(False)  # it always has two lines
        self.state.setSizePolicy(policy)
        self.state.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.facts = {name: ElidedLabel(themes) for name in _FACTS}
        self.way = DataTable(WAY_COLUMNS, themes, give_way=WAY_GIVE_WAY)
        self.way.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)  # its least will do
        self.way.look_with(self._look)
        self.way.link_rows(Links(selection, lambda cycle: cursor.go_to_time(float(cycle))), WayRows.row_link)
        self.holds_up = Heading(tr("What holds it up"), themes)
        self.chain = DataTable(CHAIN_COLUMNS, themes)
        self.chain.placeholder = tr("It waits for no other packet.")
        self.chain.link_rows(Links(selection), ChainRows.link)
        before, after = tr("The job's packet before this one"), tr("The job's packet after this one")
        self.previous = tool_button(self._shelf, "chevron-left", before, partial(self._go_on, -1))
        self.next = tool_button(self._shelf, "chevron-right", after, partial(self._go_on, 1))
        hint = tr("Go to the cycle in which the packet sets out")
        self.to_injection = push_button(tr("To its injection"), hint, partial(self._go_to, "injected"))
        hint = tr("Go to the cycle in which its tail arrives")
        self.to_delivery = push_button(tr("To its delivery"), hint, partial(self._go_to, "delivered"))
        self._arrange()
        themes.changed.connect(self._keep_two_lines)

    @property
    def read_first(self) -> DataTable[ChainRows] | DataTable[WayRows]:
        """The table that says most: what holds the packet up, or else its way."""
        return self.chain if self.chain.rows.rowCount() else self.way

    def show_view(self, view: View | None) -> None:
        """Show the packet as it is now."""
        now = view.network_now if view is not None else None
        packet, self.packet = self._selection.packet, None
        self._head = self._selection.chain_head
        if now is None or packet is None or packet >= len(now[0]):
            return
        record, moment = now
        chain_of = partial(chain_at, record, moment)
        self.packet = packet
        states = states_at(record, moment)
        if states.row(packet) is None:  # it has arrived, or is still to come
            states = states_at(record, moment, np.append(states.packets, packet))
        row = states.row(packet) or 0
        job = int(record.jobs[packet])
        mesh = record.mesh
        ends = [describe_node(mesh, int(n)) for n in (record.sources[packet], record.targets[packet])]
        self._swatch.show_job(job)
        self.title.setText(tr("Packet {packet} of job {job}").format(packet=packet, job=job))
        self.route.setText(
            tr("{source} to {target} · {hops}").format(
                source=ends[0], target=ends[1], hops=counted(int(record.distances[packet]), "hop")
            )
        )
        self.state.setText(f"{describe_state(record, states, row).with_capital()}.")
        if record is not self._record:
            self._record = record
            self._digits = len(str(int(record.packet_times[-1]))) if len(record.packet_times) else 1
            self._fit_facts()
        self._show_facts(record, packet, moment.cycle)
        way, chain = (
            WayRows(record, packet, moment.cycle),
            self._selection.chain_read(chain_of),
        )
        self.holds_up.rename(
            tr("What holds packet {packet} up").format(packet=chain[0])
            if chain and chain[0] != packet
            else tr("What holds it up")
        )
        self._show_tables(way, int(states.channels[row]), ChainRows(record, states, chain))
        mine = packets_of(record, job)
        at = int(np.flatnonzero(mine == packet)[0])
        self.previous.setEnabled(at > 0)
        self.next.setEnabled(at + 1 < len(mine))
        self.to_injection.setEnabled(int(record.injected[packet]) != NEVER_YET)
        self.to_delivery.setEnabled(int(record.delivered[packet]) != NEVER_YET)

    def show_selection(self) -> None:
        """Show another packet, if it is another, and its row of the chain."""
        if (self._selection.packet, self._selection.chain_head) != (self.packet, self._head):
            self.show_view(self._cursor.view)
            chain = self.chain.source.packets if self.chain.source is not None else ()
            if self.packet in chain and not self.chain.choosing:
                self.chain.reveal(chain.index(self.packet))
        self.way.refresh()
        self.chain.refresh()

    def set_zoom(self, zoom: float) -> None:
        """Write its way and what holds it up this much larger than other text, and nothing beside that."""
        self._large = zoom > 1
        for part in self._beside:
            part.setHidden(self._large)
        self.title.write_in("title" if self._large else "lead")
        self.route.write_in("lead" if self._large else "body")
        for table in (self.chain, self.way):
            table.set_zoom(zoom)
        self._fit_tables()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Arrange the facts for the new width, and show more of the chain where there is height."""
        super().resizeEvent(event)
        self._fit_facts()
        self._fit_tables()

    def _show_tables(self, way: WayRows, channel: int, chain: ChainRows) -> None:
        """Show the packet's way, and what holds it up; `channel` is the one it is at in this cycle."""
        self._channel = channel
        self._waits = self._head != self.packet or any(
            row.passage.asked != row.passage.granted for row in way.rows
        )
        self.way.show_rows(way, way.shown)
        self.chain.show_rows(chain)
        self._fit_tables()
        at = next((i for i, row in enumerate(way.shown) if way.rows[row].passage.channel == channel), None)
        if at is not None:
            self.way.reveal(at)

    def _look(self, way: WayRows, row: int) -> RowLook:
        """How a channel of the way stands out: also where the hovered packet blocked there."""
        channel, blocker, selection = way.rows[row].passage.channel, way.rows[row].blocker, self._selection
        blocks = blocker is not None and blocker == selection.hovered_packet
        hovered = blocks or channel == selection.hovered_channel
        return RowLook(channel == selection.channel, hovered, channel == self._channel)

    def _show_facts(self, record: NetworkRecord, packet: int, cycle: int) -> None:
        sent, injected = int(record.sent[packet]), int(record.injected[packet])
        delivered = int(record.delivered[packet])
        times = {"Sent": sent, "Injected": injected, "Delivered": delivered}
        spans: dict[str, tuple[int, int]] = {}  # a length, and when it is known
        if injected != NEVER_YET:
            spans["Queued"] = injected - sent, injected
        if delivered != NEVER_YET:
            row = int(np.searchsorted(record.arrived, packet))
            spans["Latency"] = int(record.latency[row]), delivered
            spans["Blocked"] = int(record.blocked[row]), delivered
        for name, time in times.items():
            self._fact(name, known_cycle(time), known=time <= cycle)
        for name in ("Queued", "Blocked", "Latency"):  # untranslated: keys
            length, since = spans.get(name, (None, NEVER_YET))
            self._fact(name, length, known=since <= cycle)

    def _fact(self, name: str, number: int | None, *, known: bool) -> None:
        self.facts[name].colour("text" if known else "muted")  # muted while it lies ahead
        if number is None:
            self.facts[name].show_unknown()
        else:
            self.facts[name].setText(str(number))

    def _go_on(self, by: int) -> None:
        record = self._cursor.network
        if record is None or self.packet is None:
            return
        job = int(record.jobs[self.packet])
        mine = packets_of(record, job)
        at = int(np.flatnonzero(mine == self.packet)[0]) + by
        if 0 <= at < len(mine):
            self._selection.select_packet(int(mine[at]), job)

    def _go_to(self, name: str) -> None:
        record = self._cursor.network
        if record is not None and self.packet is not None:
            times = record.injected if name == "injected" else record.delivered
            if int(times[self.packet]) != NEVER_YET:
                self._cursor.go_to_time(float(times[self.packet]))

    def _arrange(self) -> None:
        sizing = Sizing(self._themes, self)
        self._grid = QGridLayout()
        self._captions = {name: ElidedLabel(self._themes, "caption", "muted") for name in _FACTS}
        for name, caption in self._captions.items():
            caption.setText(_FACTS[name])
        sizing.margins(self._grid, 12, 8, 12, 8).spacing(self._grid, 6, 0)
        buttons = self.to_injection, self.to_delivery
        for button in buttons:
            button.setProperty("compact", True)
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._inside = inside = QWidget()
        inside.setProperty("panel", True)
        facts = widget_of(self._grid)
        ways = sizing.row(*((button, 1) for button in buttons), margins=(12, 8, 12, 12), spacing=4)
        leaving = widget_of(ways)
        self._beside = self.state, facts, leaving  # which the sentence of a lecture says, or few need there
        sizing.column(
            sizing.column(self.route, self.state, margins=(12, 0, 12, 0), spacing=4),
            self.holds_up,
            self.chain,
            facts,
            (self.way, 1),
            leaving,
            0,
            on=inside,
        )
        self._scroll = RowScroll(inside)
        head = (self.back, self._swatch, (self.title, 1), self.previous, self.next)
        sizing.column(sizing.row(*head, margins=(6, 4, 8, 4), spacing=4), (self._scroll, 1), on=self)
        for rule in (self._keep_two_lines, self._fit_facts, self._fit_tables):
            sizing.rule(rule)

    def _keep_two_lines(self) -> None:
        """Keep two lines for the state, however long it is."""
        self.state.setFont(self._themes.text())
        self.state.setFixedHeight(lines_height(self._themes.text(), 2) + self._themes.px(2))

    def _fit_facts(self) -> None:
        """Put as many facts side by side as have room for the run's longest number."""
        px, metrics = self._themes.px, QFontMetrics(self._themes.text())
        caption = QFontMetrics(self._themes.text("caption")).horizontalAdvance
        widest = max(metrics.horizontalAdvance("0" * self._digits), *map(caption, _FACTS.values())) + px(6)
        room = self.width() - 2 * px(12) - px(12)  # a scroll bar may stand beside them
        across = next((n for n in (6, 3, 2) if n * widest <= room), 2)
        if across == self._across:
            return
        self._across = across
        for i, name in enumerate(_FACTS):
            row, column = divmod(i, across)
            for widget, line in ((self._captions[name], 2 * row), (self.facts[name], 2 * row + 1)):
                self._grid.removeWidget(widget)
                self._grid.addWidget(widget, line, column)
            self._grid.setColumnStretch(i, 1 if i < across else 0)

    def _fit_tables(self) -> None:
        """Scroll in the tables where all else has room, or else around whole ones.

        The chain is as high as the panel allows, not as it is long: its length changes every cycle. Only of a
        packet that never waits it is a line. Nor is the way higher than it is long.
        """
        px, row = self._themes.px, self.way.verticalHeader().defaultSectionSize()
        link, head = self.chain.verticalHeader().defaultSectionSize(), self.chain.horizontalHeader().height()
        rows, captions = self.way.rows.rowCount(), self.way.horizontalHeader().height()
        tables = self.chain.minimumHeight() + self.way.minimumHeight()
        room = self._scroll.height() - (self._inside.minimumSizeHint().height() - tables)
        least = captions + (_LEAST_LARGE if self._large else _LEAST) * row
        tall = head + _LINKS * link + 1 + least <= room if self._large else self.height() >= px(_TALL)
        links = 1 if not self._waits else _LINKS if tall else _LINKS_LOW
        chain, way = head + links * link + 1, min(captions + rows * row, least)
        scrolls = chain + way > room
        whole_chain, whole_way = (
            head + self.chain.rows.rowCount() * link + 1,
            captions + max(rows, 1) * row + 1,
        )
        for table in (self.chain, self.way):
            table.show_all_rows(scrolls)
        self.chain.setFixedHeight(max(chain, whole_chain) if scrolls else chain)
        self.way.setMinimumHeight(whole_way if scrolls else way)
        self.way.setMaximumHeight(whole_way)
        if (layout := self._inside.layout()) is not None:
            layout.activate()  # the present channel is looked for where it will be
