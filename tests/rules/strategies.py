"""What Hypothesis draws: deals, rule sets, plays, and small positions near the end of a game."""

from collections.abc import Iterator

from hypothesis import strategies as st

from tests.rules import naive

numbers = st.integers(1, 2**32 - 1)
rule_keys = st.sampled_from(list(naive.TABLE))

# A play is a string of bytes, one a move; long enough to come to the end of most games.
plays = st.binary(min_size=60, max_size=140)

# Of these many stop in the middle of a game.
part_plays = st.binary(min_size=0, max_size=60)


def choose(actions: list[tuple], byte: int) -> tuple:
    """One of the actions: a removal three times in four when there is one, so games get far."""
    removals = [action for action in actions if action[0] == "remove"]
    among = removals if removals and byte % 4 else actions
    return among[byte // 4 % len(among)]


def played(position: dict, play: bytes) -> Iterator[tuple[tuple, dict]]:
    """The naive's own game: each action with the position after it, to the end or the last byte."""
    for byte in play:
        actions = naive.legal_actions(position)
        if not actions:
            return
        action = choose(actions, byte)
        position = naive.apply(position, action)
        yield action, position


@st.composite
def endgames(draw: st.DrawFn, max_pyramid: int = 10, keys: list[str] | None = None) -> dict:
    """A position with few cards left, as many of each value as of its partner's."""
    key = draw(st.sampled_from(keys or list(naive.TABLE)))
    values = draw(st.lists(st.sampled_from([1, 2, 3, 4, 5, 6, 13]), min_size=3, max_size=8))
    cards = draw(st.permutations(balanced_cards(values)))
    in_pyramid = draw(st.sampled_from(range(1, min(len(cards), max_pyramid) + 1)))
    in_waste = draw(st.sampled_from(range(len(cards) - in_pyramid + 1)))
    row = max(r for r in range(1, 8) if r * (r - 1) // 2 <= in_pyramid)
    whole = [(r, c) for r in range(1, row) for c in range(1, r + 1)]
    columns = draw(st.permutations(range(1, row + 1)))[: in_pyramid - len(whole)]
    slots = whole + [(row, column) for column in columns]
    return {
        "rules": naive.RULE_SETS[key],
        "key": key,
        "pyramid": dict(zip(sorted(slots), cards[:in_pyramid], strict=True)),
        "waste": list(cards[in_pyramid : in_pyramid + in_waste]),
        "stock": list(cards[in_pyramid + in_waste :]),
        "pass": draw(st.integers(1, naive.RULE_SETS[key]["passes"])),
    }


def balanced_cards(values: list[int]) -> list[str]:
    """A king for each 13, for each other value a card of it and one of its partner's value."""
    cards = []
    for value in sorted(set(values)):
        suits = naive.SUITS[: values.count(value)]
        for suit in suits:
            cards += [
                card for card in naive.CARDS if naive.VALUES[card] == value and card[1] == suit
            ]
            partner = 13 - value
            cards += [c for c in naive.CARDS if naive.VALUES[c] == partner and c[1] == suit]
    return cards
