"""`python -m predabs.options > docs/options.md`: write the page about the options."""

from .page import page

if __name__ == "__main__":
    print(page(), end="")
