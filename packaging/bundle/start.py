"""Starts the packaged program, or one of the processes that it starts itself."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()
    from meshgui.__main__ import main

    sys.exit(main())
