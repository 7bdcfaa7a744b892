"""``python -m eai``: the same as the command ``eai``."""

from eai.cli import main

if __name__ == "__main__":
    main()
