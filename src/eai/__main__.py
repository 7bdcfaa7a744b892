"""``python -m eai`` is the command ``eai``."""

from eai.cli import main

if __name__ == "__main__":
    main()
