"""The part of the export dialog that chooses the font, the labels and the legend of a chart."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSettings
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QFontComboBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLineEdit,
)

from meshgui.engine.basics.translation import tr
from meshgui.model.charts.lettering import LegendPlace, Lettering
from meshgui.views.exporting.exportable import ChartLabels, Picture
from meshgui.views.style.fonts import TEXT_FAMILY, load_fonts
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.elided_combo import ElidedCombo
from meshgui.views.widgets.kept_place import keep, kept_or
from meshgui.views.widgets.wheel import wheel_needs_focus

_LEGENDS: Final[dict[LegendPlace, str]] = {
    "auto": tr("Beside the lines where it fits"),
    "beside": tr("Beside the lines"),
    "above": tr("Above the chart"),
    "none": tr("No legend"),
}
_POINTS: Final = (4.0, 40.0)
_USUAL_POINTS: Final = 8.0


class LetteringBox(QGroupBox):
    """Font, size, legend, title and names of the axes; unticked, a chart stays as in the window."""

    def __init__(self, settings: QSettings, themes: ThemeManager) -> None:
        super().__init__(tr("Font, labels and legend"))
        self.setCheckable(True)
        self._settings, self._labels = settings, ChartLabels()
        load_fonts()
        self.font_name = QFontComboBox()
        self.font_name.setAccessibleName(tr("Font"))
        self.points = QDoubleSpinBox()
        self.points.setRange(*_POINTS)
        self.points.setDecimals(1)
        self.points.setSuffix(" pt")  # untranslated: a unit
        self.points.setAccessibleName(tr("Size of the labels in points"))
        self.legend = ElidedCombo()
        for place, words in _LEGENDS.items():
            self.legend.addItem(words, place)
        self.title_text, self.x_text, self.y_text = (QLineEdit() for _ in range(3))
        wheel_needs_focus(self.font_name, self.points)
        self._arrange(themes)
        self._recall()

    @property
    def lettering(self) -> Lettering | None:
        """The choices; None where the chart stays as it is."""
        if not (self.isEnabled() and self.isChecked()):
            return None
        return Lettering(
            self.font_name.currentFont().family(),
            self.points.value(),
            self.legend.currentData(),
            self.title_text.text(),
            self.x_text.text(),
            self.y_text.text(),
        )

    def follow(self, picture: Picture) -> None:
        """Offer the labels of a picture that is a chart; others have none."""
        self.setEnabled(picture.lettered is not None)
        labels = picture.labels
        if labels != self._labels:
            self._labels = labels
            for field, words in zip((self.title_text, self.x_text, self.y_text), labels, strict=True):
                field.setText(words)

    def keep(self) -> None:
        """Save the choices for the next picture; labels belong to one chart."""
        settings = self._settings
        keep(settings, "export/lettered", self.isChecked())
        keep(settings, "export/font", self.font_name.currentFont().family())
        keep(settings, "export/points", self.points.value())
        keep(settings, "export/legend", self.legend.currentIndex())

    def _recall(self) -> None:
        settings = self._settings
        self.setChecked(kept_or(settings, "export/lettered", False))
        self.font_name.setCurrentFont(QFont(kept_or(settings, "export/font", TEXT_FAMILY)))
        self.points.setValue(kept_or(settings, "export/points", _USUAL_POINTS))
        self.legend.setCurrentIndex(kept_or(settings, "export/legend", 0) % len(_LEGENDS))

    def _arrange(self, themes: ThemeManager) -> None:
        letters = QHBoxLayout()
        letters.addWidget(self.font_name, 1)
        letters.addWidget(self.points)
        form = QFormLayout(self)
        form.addRow(tr("Font"), letters)
        form.addRow(tr("Legend"), self.legend)
        form.addRow(tr("Title"), self.title_text)
        form.addRow(tr("Axis across"), self.x_text)
        form.addRow(tr("Axis upwards"), self.y_text)
        sizing = Sizing(themes, self).spacing(letters, 8)
        sizing.call(form.setHorizontalSpacing, 16).call(form.setVerticalSpacing, 8)
