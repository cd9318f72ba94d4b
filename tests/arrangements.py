"""Arrangements of panels as Qt writes them, which files of older versions hold."""

import struct

# Of a window with the queue afloat, in Base64
OLD_STATE = (
    "AAAA/wAAAAL9AAAAAwAAAAAAAAEYAAAB6PwCAAAAA/wAAABIAAABMAAAAFAAAAFR+gAAAAICAAAAA/sAAAAKAG4AbwB0AGUAcwAA"
    "AAAA/////wAAAFAA////+wAAAAoAcQB1AGUAdQBlAwAAAAIAAABoAAABGAAAAST7AAAABgBqAG8AYgEAAABQAAABUQAAAFAAAAFR"
    "+wAAAAYAdwBoAHkBAAABfQAAALMAAABQAP////sAAAAMAGwAZQBzAHMAbwBuAAAAAZgAAABOAAAAUAD///8AAAABAAABVAAAAp/8"
    "AgAAAAL8AAAASAAAAV4AAABQAP////oAAAAAAgAAAAP7AAAAEgBhAGwAZwBvAHIAaQB0AGgAbQEAAAAA/////wAAAFAA////+wAA"
    "ABAAcwBjAGUAbgBhAHIAaQBvAAAAAAD/////AAAAUAD////7AAAACgBzAHQAbwBwAHMAAAAAAP////8AAABQAP////wAAAGrAAAB"
    "PAAAAFAA////+gAAAAACAAAAAvsAAAASAGkAbgBzAHAAZQBjAHQAbwByAQAAAAD/////AAAAUAD////7AAAADgBuAGUAdAB3AG8A"
    "cgBrAAAAAAD/////AAAAUAD///8AAAADAAADpwAAALL8AQAAAAH8AAAAAAAAA6cAAACJAP////oAAAAAAQAAAAL7AAAAEAB0AGkA"
    "bQBlAGwAaQBuAGUBAAAAAP////8AAABIAP////sAAAAKAHAAbABvAHQAcwEAAAAA/////wAAAEgA////AAACigAAAegAAAAEAAAA"
    "BAAAAAgAAAAC/AAAAAEAAAACAAAAAQAAAA4AdABvAG8AbABiAGEAcgEAAAAA/////wAAAAAAAAAA"
)


def end_of_docks(state: bytes) -> int:
    """Where in a state the docks end and the tool bar begins."""
    return state.index(b"\xfc\0\0\0\1\0\0\0\2\0\0\0\1\0\0\0\x0e")


def with_group(state: bytes, *panels: str) -> bytes:
    """The state with panels that float together, as tabs of one frame."""
    group = struct.pack(">B4iBiBi", 0xF9, 50, 60, 449, 359, 0xFA, 0, 2, len(panels))
    for name in panels:
        letters = name.encode("utf-16-be")
        group += struct.pack(">Bi", 0xFB, len(letters)) + letters + struct.pack(">B4i", 1, 0, -1, 0, 0)
    end = end_of_docks(state)
    return state[:end] + group + state[end:]


def out_of_bounds(area: int) -> bytes:
    """A state whose docks are in an area of this number, of which there are four; Qt does not look."""
    row = struct.pack(">iii", area, 10, 10) + b"\xfc\x02" + struct.pack(">i", 0)
    return struct.pack(">iiBi", 0xFF, 2, 0xFD, 1) + row + struct.pack(">6i", 10, 10, 0, 0, 0, 0)
