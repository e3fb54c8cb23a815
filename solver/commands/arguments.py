"""Kinds of arguments that argparse does not know."""

import argparse
from collections.abc import Callable


def whole_number(name: str, least: int, most: int) -> Callable[[str], int]:
    """Reads decimal digits from `least` to `most`; `name` is what a refusal calls them."""

    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) <= len(str(most)):
            number = int(text)
            if least <= number <= most:
                return number
        raise argparse.ArgumentTypeError(f"{name} is a whole number from {least} to {most}")

    return read


def seed(text: str) -> str:
    digits = text.lower()
    if len(digits) != 64 or not set(digits) <= set("0123456789abcdef"):
        raise argparse.ArgumentTypeError("a seed has 64 hex digits")
    return digits
