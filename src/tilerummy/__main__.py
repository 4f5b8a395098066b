"""`python -m tilerummy` is the command line."""

from tilerummy.cli import main

if __name__ == "__main__":
    main()
