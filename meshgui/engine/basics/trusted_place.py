"""Whether others than the user could have put something where the program reads what it runs."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from meshgui.engine.basics.translation import tr

if sys.platform != "win32":
    import grp
    import pwd


def folder_fault(folder: Path) -> str:
    """Why a folder, there or not yet, is not the user's alone to write to; empty where it is.

    A folder above it may be written to by others if each can remove only what is their own there, as in /tmp.
    On Windows rights are not in a file's mode: nothing is found.
    """
    place = Path(os.path.realpath(folder))
    for each in (place, *place.parents):
        try:
            found = each.stat()
        except FileNotFoundError:
            continue
        except OSError as error:
            return f"{each}: {(error.strerror or str(error)).lower()}"
        shared = each != place and found.st_mode & stat.S_ISVTX
        if fault := _fault(each, found, shared=bool(shared)):
            return fault
    return ""


def file_fault(file: Path) -> str:
    """Why a file is not the user's alone to write; empty where it is, or where there is none."""
    try:
        return _fault(file, file.stat(), shared=False)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{file}: {(error.strerror or str(error)).lower()}"


def _fault(path: Path, found: os.stat_result, *, shared: bool) -> str:
    if sys.platform == "win32":
        return ""
    if found.st_uid not in _trusted_users():
        return tr("{path} belongs to another user").format(path=path)
    by_group = found.st_mode & stat.S_IWGRP and not _is_own_group(found.st_gid)
    if (found.st_mode & stat.S_IWOTH or by_group) and not shared:
        return tr("other users may write to {path}").format(path=path)
    return ""


def _trusted_users() -> set[int]:
    """The user and the system, to which the root folder belongs: in some containers that is not 0."""
    return set() if sys.platform == "win32" else {os.geteuid(), Path("/").stat().st_uid}


def _is_own_group(number: int) -> bool:
    """Whether a group is the system's, or has no other member, as many systems make one for each user."""
    if sys.platform == "win32" or number == 0:
        return True
    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    return user.pw_gid == number and group.gr_name == user.pw_name and {*group.gr_mem} <= {user.pw_name}
