"""`python -m predabs` is the same as `predabs`."""

from .cli import run

if __name__ == "__main__":
    run()
