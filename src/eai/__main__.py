"""``python -m eai``: the same as the command ``eai``."""

from eai.cli import program

if __name__ == "__main__":
    program()
