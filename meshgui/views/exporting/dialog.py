"""The export dialog: picture, format, resolution, light or dark, size. It remembers the choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QSettings, QSize
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QWidget,
)

from meshgui.engine.basics.translation import tr
from meshgui.model.base.picture_formats import SCALES, PictureFormat
from meshgui.model.charts.lettering import MILLIMETRE
from meshgui.model.fields.field_schema import Limits
from meshgui.views.exporting.exportable import Picture
from meshgui.views.exporting.lettering_box import LetteringBox
from meshgui.views.forms.editors import NumberEditor, first_wrong
from meshgui.views.forms.number_box import number_text
from meshgui.views.style.screens import room_for_window
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.style.theme_colours import DARK, EXPORT, Theme
from meshgui.views.widgets.building import as_panel, label, widget_of
from meshgui.views.widgets.elided_combo import ElidedCombo
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.kept_place import keep, kept_or
from meshgui.views.widgets.row_scroll import RowScroll

_WORDS: Final = {
    PictureFormat.PNG: tr("PNG, pixels"),
    PictureFormat.SVG: tr("SVG, lines"),
    PictureFormat.PDF: tr("PDF, lines and fonts"),
}
_LEAST, _MOST = 100, 8192  # pixels a side
_SCALES: Final = Limits(whole=True, least=SCALES[0], most=SCALES[-1])
_SCALE: Final = 2
_LONGEST: Final = 60  # letters of a title in the list


class ExportChoice(NamedTuple):
    """A picture with the choices of the dialog."""

    picture: Picture
    form: PictureFormat
    scale: int
    theme: Theme
    size: QSize


class ExportDialog(QDialog):
    """Asks for the choices; those that do not apply to the picture or format are disabled."""

    def __init__(
        self, pictures: Sequence[Picture], settings: QSettings, themes: ThemeManager, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._pictures, self._settings = tuple(pictures), settings
        self.setWindowTitle(tr("Export picture"))
        as_panel(self)
        self.picture = ElidedCombo()
        for picture in self._pictures:
            self.picture.addItem(_short(picture.title))
        self.form = ElidedCombo()
        for form, words in _WORDS.items():
            self.form.addItem(words, form)
        self.scale = NumberEditor(_SCALES, themes)
        self.scale.describe(tr("Scale"), tr("Pixels for each pixel of the screen"))
        self.ground = ElidedCombo()
        self.ground.addItem(tr("Light"), EXPORT)
        self.ground.addItem(tr("Dark"), DARK)
        self.as_shown = QCheckBox(tr("As in the window"))
        self.wide, self.high = (NumberEditor(_limits(1.0), themes) for _ in range(2))
        self.unit = ElidedCombo()
        self.unit.setAccessibleName(tr("Unit of the size"))
        for words, unit in ((tr("pixels"), 1.0), (tr("mm"), MILLIMETRE)):
            self.unit.addItem(words, unit)
            self.unit.setMinimumContentsLength(max(len(words), self.unit.minimumContentsLength()))
        self._unit = 1.0  # pixels
        self.lettering = LetteringBox(settings, themes)
        self.pixels = label("", "muted")
        self.error_line = ErrorLine(themes)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.export = buttons.addButton(tr("Export…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.export.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._arrange(buttons, themes)
        self._recall()
        for combo in (self.picture, self.form):
            combo.currentIndexChanged.connect(self._follow)
        self.as_shown.toggled.connect(self._fill_size)
        self.as_shown.toggled.connect(self._follow)
        self.unit.currentIndexChanged.connect(self._change_unit)
        for number in (self.scale, self.wide, self.high):
            number.edited.connect(self._say_pixels)
        self._fill_size()
        self._follow()
        self._fit_on_screen()

    @property
    def choice(self) -> ExportChoice:
        """The choices as they were accepted."""
        picture = self._pictures[self.picture.currentIndex()]
        form = PictureFormat(self.form.currentData())
        theme: Theme = self.ground.currentData()
        size = QSize(*(round((side.number() or 0) * self._unit) for side in (self.wide, self.high)))
        scale = int(self.scale.number() or _SCALE)  # a wrong one may stay where it is not asked for
        return ExportChoice(picture.printed(self.lettering.lettering), form, scale, theme, size)

    def accept(self) -> None:
        """Save the choices for the next picture; stay where a number is wrong."""
        wrong = self._first_wrong() or self.lettering.first_wrong()
        if wrong is not None:
            wrong.focus_part(())
            return
        settings = self._settings
        keep(settings, "export/format", PictureFormat(self.form.currentData()).value)
        keep(settings, "export/scale", self.choice.scale)
        keep(settings, "export/dark", self.ground.currentIndex() == 1)
        keep(settings, "export/as-shown", self.as_shown.isChecked())
        keep(settings, "export/millimetres", self.unit.currentIndex() == 1)
        if not self.as_shown.isChecked():
            size = self.choice.size  # in pixels in either unit
            keep(settings, "export/width", size.width())
            keep(settings, "export/height", size.height())
        self.lettering.keep()
        super().accept()

    def _recall(self) -> None:
        forms, settings = [form.value for form in _WORDS], self._settings
        known = kept_or(settings, "export/format", "")
        self.form.setCurrentIndex(forms.index(known) if known in forms else 0)
        scale = kept_or(settings, "export/scale", _SCALE)
        self.scale.set_value(scale if scale in SCALES else _SCALE)
        self.ground.setCurrentIndex(kept_or(settings, "export/dark", False))
        self.as_shown.setChecked(kept_or(settings, "export/as-shown", True))
        self.unit.setCurrentIndex(kept_or(settings, "export/millimetres", False))
        self._change_unit()

    def _follow(self) -> None:
        """Enable the choices that apply."""
        picture = self._pictures[self.picture.currentIndex()]
        self.scale.setEnabled(self.choice.form == PictureFormat.PNG)
        shown = self.as_shown.isChecked()
        for side in (self.wide, self.high):
            side.setEnabled(not shown)
        if shown:
            self._fill_size()
        self.lettering.follow(picture)
        self._say_pixels()

    def _fill_size(self) -> None:
        """Show the picture's size, or the one that was chosen last."""
        shown, size = self.as_shown.isChecked(), self._pictures[self.picture.currentIndex()].size
        for side, name, natural in ((self.wide, "width", size.width()), (self.high, "height", size.height())):
            pixels = natural if shown else kept_or(self._settings, f"export/{name}", natural)
            side.set_value(_in_unit(min(max(pixels, _LEAST), _MOST), self._unit))

    def _change_unit(self) -> None:
        """State the same size in the other unit."""
        before, self._unit = self._unit, self.unit.currentData()
        named = tr("Width in {unit}"), tr("Height in {unit}")
        for side, words in zip((self.wide, self.high), named, strict=True):
            length = side.number()
            side.box.setAccessibleName(words.format(unit=self.unit.currentText()))
            side.box.limits = _limits(self._unit)
            if length is not None:
                side.set_value(_in_unit(round(length * before), self._unit))
        self._say_pixels()

    def _first_wrong(self) -> NumberEditor | None:
        scale = tr("expected the scale to be a whole number from {least} to {most}").format(
            least=SCALES[0], most=SCALES[-1]
        )
        least, most = (number_text(_in_unit(length, self._unit)) for length in (_LEAST, _MOST))
        size = tr("expected width and height from {least} to {most} {unit}").format(
            least=least, most=most, unit=self.unit.currentText()
        )
        return first_wrong(self.error_line, ((self.scale, scale), (self.wide, size), (self.high, size)))

    def _say_pixels(self) -> None:
        """Say how many pixels come of the numbers, or what is wrong with them."""
        self.pixels.setVisible(self._first_wrong() is None)
        choice = self.choice
        many = choice.scale if choice.form == PictureFormat.PNG else 1
        wide, high = choice.size.width() * many, choice.size.height() * many
        in_pixels = choice.form == PictureFormat.PNG
        self.pixels.setText(
            tr("{wide} × {high} pixels").format(wide=wide, high=high)
            if in_pixels
            else tr("exact at any size")
        )

    def _arrange(self, buttons: QDialogButtonBox, themes: ThemeManager) -> None:
        size = QHBoxLayout()
        size.addWidget(self.wide)
        size.addWidget(QLabel("×"))
        size.addWidget(self.high)
        size.addWidget(self.unit)
        size.addWidget(self.as_shown)
        scale = QHBoxLayout()
        scale.addWidget(self.scale, 1)
        scale.addWidget(label("×", "muted"))
        form = QFormLayout()
        form.addRow(tr("Picture"), self.picture)
        form.addRow(tr("Format"), self.form)
        form.addRow(tr("Scale"), scale)
        form.addRow(tr("Background"), self.ground)
        form.addRow(tr("Size"), size)
        form.addRow("", self.pixels)
        sizing = Sizing(themes, self).spacing(scale, 8).spacing(size, 8)
        self._choices = RowScroll(widget_of(sizing.column(form, self.lettering, 1, spacing=16)))
        sizing.column(
            (self._choices, 1), self.error_line, buttons, on=self, margins=(16, 16, 16, 12), spacing=16
        )
        sizing.call(form.setHorizontalSpacing, 16).call(form.setVerticalSpacing, 8)
        sizing.call(self.setMinimumWidth, 380)

    def _fit_on_screen(self) -> None:
        """Be as large as the choices, and no larger than the screen: large letters are scrolled to there."""
        whole, room = self.sizeHint(), room_for_window(self)
        bar = self._choices.verticalScrollBar().sizeHint().width() if whole.height() > room.height() else 0
        self.resize((whole + QSize(bar, 0)).boundedTo(room))


def _in_unit(pixels: int, unit: float) -> float:
    """A length in a unit: a whole number, or with a tenth where that is nearer by a pixel."""
    whole = round(pixels / unit)
    return whole if round(whole * unit) == pixels else round(pixels / unit, 1)


def _limits(unit: float) -> Limits:
    return Limits(whole=False, least=_in_unit(_LEAST, unit), most=_in_unit(_MOST, unit))


def _short(title: str) -> str:
    return title if len(title) <= _LONGEST else f"{title[: _LONGEST - 1]}…"
