"""The patterns whose stages are written by kernels, and the kernel that calls the right one."""

from __future__ import annotations

from typing import Final

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import CompiledPattern


@kernel
def write_one_to_all(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write all messages, in one stage."""
    if stage > 0:
        return 0
    source = int(drawn[0] * n)
    written = min(n - 1, most)
    for i in range(written):
        sources[i] = source
        targets[i] = i + (1 if i >= source else 0)
    return written


class OneToAll(CompiledPattern):
    """A process chosen at random sends to every other, in array order."""

    id = "one-to-all"
    title = tr("One to all")
    draws = 1
    write_stage = write_one_to_all


@kernel
def write_all_to_all(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write all messages, in one stage."""
    written = min(n * (n - 1), most) if stage == 0 else 0
    for i in range(written):
        source, target = i // (n - 1), i % (n - 1)
        sources[i] = source
        targets[i] = target + (1 if target >= source else 0)
    return written


class AllToAll(CompiledPattern):
    """Every process sends to every other: source by source, targets in array order."""

    id = "all-to-all"
    title = tr("All to all")
    write_stage = write_all_to_all


@kernel
def write_all_to_all_in_rounds(
    n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints
) -> int:
    """Write all messages, in one stage."""
    written = min(n * (n - 1), most) if stage == 0 else 0
    for i in range(written):
        source, target = i % n, i // n
        sources[i] = source
        targets[i] = target + (1 if target >= source else 0)
    return written


class AllToAllInRounds(CompiledPattern):
    """The same messages round by round: in round k every process sends to the k-th of the others."""

    id = "all-to-all-rounds"
    title = tr("All to all, in rounds")
    write_stage = write_all_to_all_in_rounds


@kernel
def write_random_pairs(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write as many messages as are wanted, in one stage."""
    if stage > 0:
        return 0
    for i in range(most):
        source, target = int(drawn[2 * i] * n), int(drawn[2 * i + 1] * (n - 1))
        sources[i] = source
        targets[i] = target + (1 if target >= source else 0)
    return most


class RandomPairs(CompiledPattern):
    """All messages at once, each from a process chosen at random to another one."""

    id = "random"
    title = tr("Random")
    draws_each = 2
    write_stage = write_random_pairs


@kernel
def write_n_body(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write a shift along the ring, or after the last of them the way home."""
    half = n // 2
    if stage > half:
        return 0
    step = 1 if stage < half else n - half
    written = min(n, most)
    for i in range(written):
        sources[i] = i
        targets[i] = (i + step) % n
    return written


class NBody(CompiledPattern):
    """Copies of all bodies go half-way round a ring, a process at a time, then straight home by the chord."""

    id = "n-body"
    title = "n-body"
    write_stage = write_n_body


@kernel
def write_fast_fourier_transform(
    n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints
) -> int:
    """Write the butterfly over 2 to the power of `stage` processes."""
    span = 1 << stage
    written = min(n, most) if span < n else 0
    for i in range(written):
        sources[i] = i
        targets[i] = i ^ span
    return written


class FastFourierTransform(CompiledPattern):
    """A two-dimensional transform: butterflies over 1, 2, 4 … processes, along the rows, then across them."""

    id = "fft"
    title = "2D FFT"
    powers_of_two = True
    write_stage = write_fast_fourier_transform


@kernel
def write_longest_first(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write the butterfly over n / 2, n / 4 … processes."""
    span = n >> (stage + 1)
    written = min(n, most) if span > 0 else 0
    for i in range(written):
        sources[i] = i
        targets[i] = i ^ span
    return written


class LongestFirst(CompiledPattern):
    """The same butterflies in the other order: the widest first, across the rows, then along them."""

    id = "fft-longest-first"
    title = tr("2D FFT, longest first")
    powers_of_two = True
    write_stage = write_longest_first


@kernel
def write_multigrid(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write the exchange of borders on one grid: strides 1, 2, 4 … below n, then back to 1."""
    grids = 0
    while 1 << grids < n:
        grids += 1
    if stage > 2 * grids - 2:
        return 0
    stride = 1 << (stage if stage < grids else 2 * grids - 2 - stage)
    written = min(2 * ((n - 1) // stride), most)
    for i in range(written):
        left = i // 2 * stride
        sources[i] = left + i % 2 * stride
        targets[i] = left + (1 - i % 2) * stride
    return written


class Multigrid(CompiledPattern):
    """NAS MG: a cycle over ever coarser grids and back, in each of which neighbours exchange their borders.

    On the grid of stride s work the processes 0, s, 2s …; the coarsest has two of them.
    """

    id = "multigrid"
    title = tr("NAS multigrid")
    powers_of_two = True
    write_stage = write_multigrid


@kernel
def shorter_side(n: int, dims: int) -> int:
    """The shortest side of the grid of `dims` dimensions nearest to a cube: the largest divisor that fits."""
    side = 1
    for divisor in range(2, n + 1):
        if divisor**dims > n:
            break
        if n % divisor == 0:
            side = divisor
    return side


@kernel
def write_halo(n: int, planes: int, most: int, sources: Ints, targets: Ints) -> int:
    """Write to each process's neighbours: left, right, behind, before, below, above, process by process."""
    rows = shorter_side(n // planes, 2)
    columns = n // planes // rows
    written = 0
    for process in range(n):
        x, y, z = process % columns, process // columns % rows, process // (columns * rows)
        for axis in range(3):
            place = (x, y, z)[axis]
            length, step = (columns, rows, planes)[axis], (1, columns, columns * rows)[axis]
            for sign in (-1, 1):
                if 0 <= place + sign < length and written < most:
                    sources[written] = process
                    targets[written] = process + sign * step
                    written += 1
    return written


@kernel
def write_halo_2d(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write all messages, in one stage."""
    return write_halo(n, 1, most, sources, targets) if stage == 0 else 0


class Halo2D(CompiledPattern):
    """Each process sends to its neighbours on a grid as near to a square as their number allows."""

    id = "halo-2d"
    title = tr("Halo in 2D")
    write_stage = write_halo_2d


@kernel
def write_halo_3d(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write all messages, in one stage."""
    return write_halo(n, shorter_side(n, 3), most, sources, targets) if stage == 0 else 0


class Halo3D(CompiledPattern):
    """Each process sends to its neighbours on a grid as near to a cube as their number allows."""

    id = "halo-3d"
    title = tr("Halo in 3D")
    write_stage = write_halo_3d


@kernel
def write_ring_all_reduce(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write a step along the ring: n - 1 of them add up the parts, n - 1 more hand the sums round."""
    if stage >= 2 * (n - 1):
        return 0
    written = min(n, most)
    for i in range(written):
        sources[i] = i
        targets[i] = (i + 1) % n
    return written


class RingAllReduce(CompiledPattern):
    """Parts of a vector go round a ring twice: added up on the first round, handed out on the second."""

    id = "ring-all-reduce"
    title = tr("All-reduce on a ring")
    write_stage = write_ring_all_reduce


@kernel
def write_tree_all_reduce(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write a level of the binomial tree: up by strides 1, 2, 4 … below n, then down again."""
    levels = 0
    while 1 << levels < n:
        levels += 1
    if stage >= 2 * levels:
        return 0
    stride = 1 << (stage if stage < levels else 2 * levels - 1 - stage)
    written = 0
    for child in range(stride, n, 2 * stride):
        if written < most:
            up = stage < levels
            sources[written] = child if up else child - stride
            targets[written] = child - stride if up else child
            written += 1
    return written


class TreeAllReduce(CompiledPattern):
    """Sums go up a binomial tree to process 0, and the result comes down the same way."""

    id = "tree-all-reduce"
    title = tr("All-reduce on a tree")
    write_stage = write_tree_all_reduce


@kernel
def write_sweep(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write what the processes of a diagonal send on, along the row and to the next row."""
    rows = shorter_side(n, 2)
    columns = n // rows
    fronts = rows + columns - 2
    if stage >= 4 * fronts:
        return 0
    corner, front = stage // fronts, stage % fronts
    written = 0
    for row in range(max(0, front - columns + 1), min(front, rows - 1) + 1):
        for along in range(2):
            near = (front - row, row)  # column and row as seen from the corner
            far = (near[0] + 1 - along, near[1] + along)
            if far[0] < columns and far[1] < rows and written < most:
                for end in range(2):
                    x, y = near if end == 0 else far
                    x = columns - 1 - x if corner & 1 else x
                    y = rows - 1 - y if corner & 2 else y
                    (sources if end == 0 else targets)[written] = y * columns + x
                written += 1
    return written


class CornerSweep(CompiledPattern):
    """Four wavefronts, from each corner of a grid in turn: a process sends on when its diagonal is reached.

    The grid is as near to a square as the number of processes allows.
    """

    id = "sweep"
    title = tr("Sweep")
    write_stage = write_sweep


COMPILED: Final[tuple[type[CompiledPattern], ...]] = (  # as menus list them
    OneToAll,
    AllToAll,
    AllToAllInRounds,
    RandomPairs,
    NBody,
    FastFourierTransform,
    LongestFirst,
    Multigrid,
    Halo2D,
    Halo3D,
    RingAllReduce,
    TreeAllReduce,
    CornerSweep,
)


@kernel
def write_stage(
    pattern: int, n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints
) -> int:
    """Write a stage of the pattern of that place in COMPILED, as its own kernel does."""
    if pattern == 0:
        return write_one_to_all(n, stage, most, drawn, sources, targets)
    if pattern == 1:
        return write_all_to_all(n, stage, most, drawn, sources, targets)
    if pattern == 2:
        return write_all_to_all_in_rounds(n, stage, most, drawn, sources, targets)
    if pattern == 3:
        return write_random_pairs(n, stage, most, drawn, sources, targets)
    if pattern == 4:
        return write_n_body(n, stage, most, drawn, sources, targets)
    if pattern == 5:
        return write_fast_fourier_transform(n, stage, most, drawn, sources, targets)
    if pattern == 6:
        return write_longest_first(n, stage, most, drawn, sources, targets)
    if pattern == 7:
        return write_multigrid(n, stage, most, drawn, sources, targets)
    if pattern == 8:
        return write_halo_2d(n, stage, most, drawn, sources, targets)
    if pattern == 9:
        return write_halo_3d(n, stage, most, drawn, sources, targets)
    if pattern == 10:
        return write_ring_all_reduce(n, stage, most, drawn, sources, targets)
    if pattern == 11:
        return write_tree_all_reduce(n, stage, most, drawn, sources, targets)
    return write_sweep(n, stage, most, drawn, sources, targets)
