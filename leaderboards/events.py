"""Whoever looks at a rule set's daily board is told that it has changed, and reads it then."""

from pyramid_site.broadcast import tell_on_commit


def board_group(rules_key: str) -> str:
    """To whom it is told."""
    return f"daily.{rules_key}"


def tell_of_board(rules_key: str) -> None:
    """Once what is being written is committed."""
    tell_on_commit(board_group(rules_key), {"type": "changed"})
