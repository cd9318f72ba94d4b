"""Tables of NumPy columns with units, and the same as pandas, Polars, Arrow, Parquet and CSV."""

from __future__ import annotations

import csv
import io
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.csv_text import harmless
from meshgui.engine.basics.files import whole_file
from meshgui.engine.basics.translation import tr

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

Column = NDArray[Any]
_ROWS_SHOWN: Final = 10
_NAMES_SHOWN: Final = 8


class MissingPackageError(ImportError):
    """A package of the extra `data` is not installed."""


class Exported(ABC):
    """What can leave as a data frame or a file."""

    @property
    @abstractmethod
    def columns(self) -> Mapping[str, Column]:
        """The columns by name, equally long."""

    @property
    @abstractmethod
    def units(self) -> Mapping[str, str]:
        """The unit of each column, as `meshgui figures --json` names it; empty where it has none."""

    def to_pandas(self) -> pd.DataFrame:
        """As a data frame of pandas, its units in `attrs`."""
        frame: pd.DataFrame = _package("pandas").DataFrame(dict(self.columns))
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_polars(self) -> pl.DataFrame:
        """As a data frame of Polars."""
        module = _package("polars")
        frame: pl.DataFrame = module.DataFrame(
            {name: _listed(column) for name, column in self.columns.items()}
        )
        return frame

    def to_arrow(self) -> pa.Table:
        """As a table of Arrow, the unit of each column in the metadata of its field."""
        module = _package("pyarrow")
        arrays = [module.array(_listed(column)) for column in self.columns.values()]
        fields = [
            module.field(name, array.type, metadata={"unit": self.units[name]})
            for name, array in zip(self.columns, arrays, strict=True)
        ]
        table: pa.Table = module.Table.from_arrays(arrays, schema=module.schema(fields))
        return table

    def to_parquet(self, path: str | PathLike[str]) -> None:
        """Write it as a Parquet file, whole or nothing of it."""
        table = self.to_arrow()
        with whole_file(Path(path)) as file:
            _package("pyarrow.parquet").write_table(table, file)

    def to_csv(self, path: str | PathLike[str] | None = None) -> str:
        """As comma-separated text (RFC 4180), numbers with all their digits; written if a path is given."""
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(self.columns)
        writer.writerows(zip(*(map(_cell, column.tolist()) for column in self.columns.values()), strict=True))
        if path is not None:
            with whole_file(Path(path)) as file:
                file.write(text.getvalue().encode())
        return text.getvalue()

    def _repr_html_(self) -> str:
        """The first rows, for a notebook."""
        rows = list(zip(*(column[:_ROWS_SHOWN].tolist() for column in self.columns.values()), strict=True))
        count = max(map(len, self.columns.values()), default=0)
        below = f"<p>{escape(_more(count))}</p>" if count > _ROWS_SHOWN else ""
        return html_table(list(self.columns), [[_short(cell) for cell in row] for row in rows]) + below


class ColumnTable(Exported, Mapping[str, Column]):
    """A table: a mapping of names to columns."""

    def __init__(self, title: str, columns: Mapping[str, Column], units: Mapping[str, str]) -> None:
        self.title = title
        self._columns = dict(columns)
        self._units = {name: units.get(name, "") for name in columns}
        for column in self._columns.values():
            column.flags.writeable = False

    @property
    def columns(self) -> Mapping[str, Column]:
        """The columns by name, equally long."""
        return self._columns

    @property
    def units(self) -> Mapping[str, str]:
        """The unit of each column, as `meshgui figures --json` names it; empty where it has none."""
        return self._units

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return max(map(len, self._columns.values()), default=0)

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        names = list(self._columns)
        more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""  # untranslated
        return f"<{self.title}: {self.rows} rows of {', '.join(names[:_NAMES_SHOWN])}{more}>"  # untranslated


class FigureRow(Exported, Mapping[str, np.float64]):
    """Figures by name, each a number; exported as a table of one row."""

    def __init__(self, figures: Mapping[str, float], units: Mapping[str, str]) -> None:
        self._figures = {name: np.float64(value) for name, value in figures.items()}
        self._units = {name: units.get(name, "") for name in figures}

    @property
    def columns(self) -> Mapping[str, Column]:
        """Columns of one number each."""
        return {name: np.array([value]) for name, value in self._figures.items()}

    @property
    def units(self) -> Mapping[str, str]:
        """The unit of each column, as `meshgui figures --json` names it; empty where it has none."""
        return self._units

    def __getitem__(self, name: str) -> np.float64:
        return self._figures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._figures)

    def __len__(self) -> int:
        return len(self._figures)

    def __repr__(self) -> str:
        return repr({name: float(value) for name, value in self._figures.items()})

    def _repr_html_(self) -> str:
        rows = [[name, _short(float(value)), self._units[name]] for name, value in self._figures.items()]
        return html_table(["", "", ""], rows)


def html_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of HTML, in which all is text."""
    heads = "".join(f"<th>{escape(word)}</th>" for word in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _more(count: int) -> str:
    return tr("{shown} of {count} rows").format(shown=_ROWS_SHOWN, count=count)


def _package(name: str) -> Any:  # noqa: ANN401 - a module that may not be there
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        said = tr('this needs {package}: pip install "meshgui[data]"').format(package=package)
        raise MissingPackageError(said, name=package) from None


def _listed(column: Column) -> Any:  # noqa: ANN401 - a column, or words as a list
    """A column as other libraries take it: words as a list."""
    return column.tolist() if column.dtype.kind in "UO" else column


def _cell(value: object) -> str:
    if isinstance(value, float) and math.isnan(value):
        return ""
    return harmless(value) if isinstance(value, str) else str(value)


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
