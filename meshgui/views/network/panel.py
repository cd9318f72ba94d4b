"""The network's panel: the packets under way or the selected one, and the channels or the selected one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QSizePolicy, QStackedWidget, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.network.routing import WAYS
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.narration import describe_circle
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.links import Links
from meshgui.model.stepping.selection import Selection
from meshgui.views.network.channel_card import ChannelCard
from meshgui.views.network.channel_table import ChannelTable
from meshgui.views.network.packet_card import PacketCard
from meshgui.views.network.packet_list import PacketList
from meshgui.views.network.router_table import RouterTable
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.empty_state import EmptyState
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.linked_label import LinkedLabel
from meshgui.views.widgets.segmented import Segmented

PACKETS, CHANNELS, ROUTER = 0, 1, 2
_PARTS = (
    (tr("Packets"), tr("The packets under way, and the selected one")),
    (tr("Channels"), tr("How much each channel is used, and the selected one")),
    (tr("Router"), tr("The channels of one router: their packets, buffers and credits")),
)


class NetworkView(FollowingView):
    """Shows packets, channels or a router; a packet or channel selected elsewhere brings its part up."""

    edit_asked = Signal()

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(cursor, selection, themes)
        views = (cursor, selection, themes)
        self.parts = Segmented(_PARTS, themes)
        self.parts.chosen.connect(lambda _: self._arrange())
        self.count = ElidedLabel(themes, "caption", "muted").fill_width()
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.packets = PacketList(*views)
        self.packet = PacketCard(*views)
        self.channels = ChannelTable(*views)
        self.channel = ChannelCard(*views)
        self.router = RouterTable(*views)
        self.none = EmptyState(themes)
        self.none.button.clicked.connect(self.edit_asked)
        self.deadlock = LinkedLabel(themes, Links(selection))
        self.deadlock.hide()
        self._known: tuple[int | None, int | None] = (None, None)
        self._stack = QStackedWidget()
        for page in (self.packets, self.packet, self.channels, self.channel, self.router, self.none):
            self._stack.addWidget(page)
        self._stack.currentChanged.connect(self._heed_page)
        self._heed_page(0)
        self._bar = QWidget()
        sizing = Sizing(themes, self)
        sizing.row(self.parts, (self.count, 1), on=self._bar, margins=(8, 8, 8, 4), spacing=4)
        words = sizing.column(self.deadlock, margins=(12, 0, 12, 4))
        sizing.column(self._bar, words, (self._stack, 1), on=self)

    def set_zoom(self, zoom: float) -> None:
        """Write the tables of packets and channels this much larger than other text."""
        for table in (self.packets.table, self.channels.table, self.router.table):
            table.set_zoom(zoom)
        self.packet.set_zoom(zoom)

    @property
    def page(self) -> QWidget | None:
        """The visible page."""
        return self._stack.currentWidget()

    def show_view(self, view: View | None) -> None:
        """Show the network at another position, or say that there is none."""
        self._arrange()
        now = view.network_now if view is not None else None
        if view is None:
            self.none.invite(tr("Open a scenario with a network to see its packets."), "")
        elif now is None:
            self.none.invite(
                tr("This scenario has no network: its form can give it one."), tr("Edit the scenario")
            )
        deadlock = view.deadlock if view is not None else None
        self.deadlock.setVisible(deadlock is not None)
        if view is None or now is None:
            self.count.setText("")
            return
        if deadlock is not None:
            self.deadlock.say([describe_circle(view.recording, deadlock)])
        _, moment = now
        under_way, blocked, queued = len(moment.packets), len(moment.blocked), len(moment.queued)
        self.count.say(
            tr("{blocked} of {under_way} blocked").format(blocked=blocked, under_way=under_way),
            tr("{blocked} blocked").format(blocked=blocked),
            "",
        )
        self.count.setToolTip(
            tr("{packets} packets under way, {blocked} of them blocked; {queued} queued").format(
                packets=under_way, blocked=blocked, queued=queued
            )
        )

    def show_selection(self) -> None:
        """Turn to the packet or channel that was selected."""
        packet, channel = self._selection.packet, self._selection.channel
        known, self._known = self._known, (packet, channel)
        if packet is not None and packet != known[0]:
            self.parts.choose(PACKETS)
        elif channel is not None and channel != known[1] and not self.packet.isVisible():
            self.parts.choose(ROUTER if self.parts.index == ROUTER else CHANNELS)
        self._arrange()

    def _arrange(self) -> None:
        record = self._cursor.network
        packet, channel = self._selection.packet, self._selection.channel
        page: QWidget
        if record is None:
            page = self.none
        elif self.parts.index == PACKETS:
            page = self.packets if packet is None or packet >= len(record) else self.packet
        elif self.parts.index == ROUTER:
            page = self.router
        else:
            known = channel is not None and channel < record.mesh.processors * WAYS
            page = self.channel if known else self.channels
        self._bar.setVisible(record is not None)
        if self._stack.currentWidget() is not page:
            self._turn_to(page)

    def _heed_page(self, shown: int) -> None:
        """Need no more height than the visible page: for the sake of another the panel would scroll."""
        for place in range(self._stack.count()):
            seen = QSizePolicy.Policy.Preferred if place == shown else QSizePolicy.Policy.Ignored
            if (page := self._stack.widget(place)) is not None:
                page.setSizePolicy(seen, seen)

    def _turn_to(self, page: QWidget) -> None:
        """Show another page; the keyboard goes with it if it was on the page before."""
        before, focused = self._stack.currentWidget(), QApplication.focusWidget()
        had_keys = before is not None and focused is not None and before.isAncestorOf(focused)
        self._stack.setCurrentWidget(page)
        keepers: dict[QWidget, QWidget] = {  # tables, which leave Space to the player
            self.packets: self.packets.table,
            self.packet: self.packet.read_first,
            self.channels: self.channels.table,
            self.channel: self.channel.table,
            self.router: self.router.table,
        }
        if had_keys and page in keepers:
            keepers[page].setFocus(Qt.FocusReason.OtherFocusReason)
