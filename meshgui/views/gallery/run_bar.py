"""The foot of the gallery's list: how and where entries are run and kept, the progress, the buttons."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal

from meshgui.engine.basics.translation import tr
from meshgui.experiment.executors import MOST_WORKERS, cores
from meshgui.model.fields.field_schema import Limits
from meshgui.model.studies.gallery_session import GallerySession
from meshgui.views.batch.run_bar import RunBar
from meshgui.views.batch.store_chooser import StoreChooser
from meshgui.views.forms.editors import NumberEditor
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, push_button
from meshgui.views.widgets.kept_place import keep, kept_or
from meshgui.views.widgets.save_dialog import SaveDialog
from meshgui.views.widgets.segmented import Segmented

_QUICK: Final = tr("A first answer from few runs: all entries in minutes")
_FULL: Final = tr("Runs until every interval is narrow enough, or an entry has its maximum number of runs")


class GalleryRunBar(RunBar):
    """Shows the runs of entries, has their settings, and starts them."""

    one_asked = Signal()  # the entry that is chosen
    all_asked = Signal()
    quick_changed = Signal()

    def __init__(
        self, session: GallerySession, save_dialog: SaveDialog, themes: ThemeManager, icons: IconShelf
    ) -> None:
        super().__init__(session, themes, "caption")
        self._settings = settings = save_dialog.settings
        self.scale = Segmented([(tr("Quick"), _QUICK), (tr("Full"), _FULL)], themes)
        self.scale.setAccessibleName(tr("Quick or full"))
        self.scale.choose(kept_or(settings, "gallery/full", False))
        self.scale.chosen.connect(self._scale_chosen)
        self.workers = NumberEditor(Limits(whole=True, least=1, most=MOST_WORKERS), themes)
        self.workers.describe(
            tr("Processes"),
            tr("How many runs are made at once; this machine has {cores} cores").format(cores=cores()),
        )
        self.workers.set_value(cores())
        self.workers.edited.connect(self.show_session)
        self.store = StoreChooser(save_dialog, themes, icons, lambda: tr("Published results"))
        self.one = push_button(
            tr("Run this entry"),
            tr("Make the missing runs of the chosen entry (Ctrl+Return)"),
            self.one_asked,
        )
        self.all = push_button(
            tr("Run all"), tr("Make the missing runs of all entries (Ctrl+Shift+Return)"), self.all_asked
        )
        sizing = Sizing(themes, self).call(self.workers.setFixedWidth, 64)
        how = sizing.row(self.scale, 1, self.workers, label(tr("processes"), "muted"), spacing=8)
        self._lay_out((how, self.store), (self.one, self.all))

    @property
    def quick(self) -> bool:
        """Whether few runs are enough."""
        return self.scale.index == 0

    def ask_for_all_runs(self) -> None:
        """Few runs are not enough from now on."""
        if self.quick:
            self.scale.choose(1)
            self._scale_chosen()

    @property
    def processes(self) -> int | None:
        """The number of processes; None while it is invalid."""
        value = self.workers.value()
        return value if isinstance(value, int) and 1 <= value <= MOST_WORKERS else None

    def show_session(self) -> None:
        """Show the session; during runs their settings are locked."""
        super().show_session()
        for editor in (self.scale, self.workers, self.store):
            editor.setEnabled(not self._session.busy)
        self.store.show_path(self._session.store)

    def _can_start(self) -> bool:
        return self.processes is not None and not self._session.moving

    def _scale_chosen(self) -> None:
        keep(self._settings, "gallery/full", not self.quick)
        self.quick_changed.emit()
