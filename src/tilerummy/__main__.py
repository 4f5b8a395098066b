"""`python -m tilerummy`, and the command `tilerummy`: the command line, loaded when it is called.

The processes that think for a server load this module again, and have no use for the command line.
"""

import gc

__all__ = ["main"]


def main() -> None:
    """Run the command line and leave with its exit status."""
    gc.disable()  # nothing that is being loaded is garbage, and to look for some takes a fifth of the time
    from tilerummy.cli import main as run

    gc.enable()
    run()


if __name__ == "__main__":
    main()
