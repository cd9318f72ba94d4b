"""The data files of the program: fonts, icons, shaders, help, scenarios, published results."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["resource"]


def resource(*names: str) -> Traversable:
    """A file or folder of the resources, by the names on the way to it.

    Looked up from this package and not from `meshgui`: where the working folder holds a folder of that name,
    such as a checkout, Python takes that folder for `meshgui` itself.
    """
    return files(__name__).joinpath(*names)
