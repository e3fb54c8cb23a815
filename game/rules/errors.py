"""What the rules refuse, and why.

    RuleError
    ├── GameOver           the game has ended
    ├── BadCard            a card that does not exist, is named twice, or too many or too few
    ├── UnknownRules       no rule set of that key
    ├── UnknownDeal        no deal of that number
    ├── NotPlayable        not in the pyramid and not on top of a pile, or never seen
    ├── CardCovered        other cards still lie on it
    ├── PairCoversItself   one card of the pair lies on the other
    ├── KingAlone          a king goes alone
    ├── NotThirteen        the values do not add up to 13
    ├── StockEmpty         nothing left to draw
    ├── StockNotEmpty      a redeal needs an empty stock
    ├── WasteEmpty         a redeal needs a waste
    ├── NoRedealsLeft      the last pass is running
    ├── NothingToUndo      the game stands at its deal
    └── NothingToRewind    no move locked a card

An error has a stable `code` and the `params` of its message, and no text: text is made at the
edge, in the reader's language.
"""

from collections.abc import Sequence
from typing import ClassVar


class RuleError(Exception):
    code: ClassVar[str]

    def __init__(self, **params: object) -> None:
        super().__init__(self.code, params)
        self.params: dict[str, object] = params


class BadCard(RuleError):
    """`cards`: what was named."""

    code = "bad_card"

    def __init__(self, cards: Sequence[str]) -> None:
        super().__init__(cards=list(cards))


class UnknownRules(RuleError):
    code = "unknown_rules"

    def __init__(self, rules: str) -> None:
        super().__init__(rules=rules)


class UnknownDeal(RuleError):
    code = "unknown_deal"

    def __init__(self, number: int) -> None:
        super().__init__(number=number)


class GameOver(RuleError):
    """`status`: how it ended, `won` or `lost`."""

    code = "game_over"

    def __init__(self, status: str) -> None:
        super().__init__(status=status)


class NotPlayable(RuleError):
    """`place`: where it lies, `removed`, `waste` or `stock`; absent for a card never seen, of
    which an answer must not tell more than the question did."""

    code = "not_playable"

    def __init__(self, card: str, place: str | None = None) -> None:
        super().__init__(card=card, **({} if place is None else {"place": place}))


class CardCovered(RuleError):
    """`coverers`: the one or two cards directly on it, `??` where they lie face down."""

    code = "card_covered"

    def __init__(self, card: str, coverers: Sequence[str]) -> None:
        super().__init__(card=card, coverers=list(coverers))


class PairCoversItself(RuleError):
    """`cards`: the covered card, then its coverer."""

    code = "pair_covers_itself"

    def __init__(self, covered: str, coverer: str) -> None:
        super().__init__(cards=[covered, coverer])


class KingAlone(RuleError):
    code = "king_alone"

    def __init__(self, card: str) -> None:
        super().__init__(card=card)


class NotThirteen(RuleError):
    code = "not_thirteen"

    def __init__(self, cards: Sequence[str], values: Sequence[int]) -> None:
        super().__init__(cards=list(cards), values=list(values), sum=sum(values))


class StockEmpty(RuleError):
    code = "stock_empty"


class StockNotEmpty(RuleError):
    """`count`: cards left in the stock."""

    code = "stock_not_empty"

    def __init__(self, count: int) -> None:
        super().__init__(count=count)


class WasteEmpty(RuleError):
    code = "waste_empty"


class NoRedealsLeft(RuleError):
    """`passes`: how many this rule set has."""

    code = "no_redeals_left"

    def __init__(self, passes: int) -> None:
        super().__init__(passes=passes)


class NothingToUndo(RuleError):
    code = "nothing_to_undo"


class NothingToRewind(RuleError):
    code = "nothing_to_rewind"
