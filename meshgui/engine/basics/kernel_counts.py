"""Counts where the kernels came from that were needed so far."""

from typing import Final

from meshgui.engine.basics.translation import tr

COMPILES: Final = tr("compiling the algorithm for this machine, the first time only")


class KernelCounts:
    """Where the kernels that were needed so far came from."""

    shipped = 0  # with the program
    kept = 0  # from an earlier run
    compiled = 0

    def __str__(self) -> str:
        """In a sentence."""
        return tr("{shipped} came with the program, {kept} were kept, {compiled} were compiled").format(
            shipped=self.shipped, kept=self.kept, compiled=self.compiled
        )


counts = KernelCounts()
