"""Writes columns as Parquet, for which pyarrow is needed: the extra `data`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, BinaryIO

from meshgui.engine.basics.translation import tr


class DataMissingError(Exception):
    """The packages of the extra `data` are not installed."""


def pyarrow(part: str = "") -> Any:  # noqa: ANN401 - pyarrow has no types
    """The package, or a part of it; a DataMissingError where it is not installed."""
    try:
        return import_module(f"pyarrow{part}")
    except ImportError:
        said = tr("expected the package pyarrow: pip install meshgui[data]")
        raise DataMissingError(said) from None


class ParquetFile:
    """A table that grows run by run. Every part has the same columns."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._writer: Any = None

    def add(self, columns: Mapping[str, Any]) -> None:
        """Add rows: the values of each column, or one value for all of them."""
        rows = max(len(values) for values in columns.values() if not isinstance(values, str | int | float))
        arrow = pyarrow()
        table = arrow.table(
            {
                name: [values] * rows if isinstance(values, str | int | float) else values
                for name, values in columns.items()
            }
        )
        if self._writer is None:
            self._writer = pyarrow(".parquet").ParquetWriter(self._file, table.schema)
        self._writer.write_table(table)

    def close(self) -> None:
        """Write what belongs behind the rows, as far as the disk."""
        if self._writer is not None:
            self._writer.close()
        self._file.flush()
