"""What the solver answered a player, as the log keeps it: a repeat is answered from there."""

from dataclasses import dataclass
from enum import StrEnum

from game.rules.moves import Move
from game.rules.notation import format_move, parse_move

_NONE = "-"


class Label(StrEnum):
    """Whether a position, or a deal from its start, can be won by one who knows every card."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNKNOWN = "unknown"  # not found out; never shown as unwinnable


@dataclass(frozen=True, slots=True)
class HintAnswer:
    move: Move | None  # None: there is none to suggest
    reason: str
    certainty: str
    win_chance: float | None  # 0 to 1, to four digits

    def __str__(self) -> str:
        move = _NONE if self.move is None else format_move(self.move)
        chance = _NONE if self.win_chance is None else f"{self.win_chance:.4g}"
        return f"{move} {self.reason} {self.certainty} {chance}"

    @classmethod
    def parse(cls, text: str) -> "HintAnswer":
        move, reason, certainty, chance = text.split(" ")
        return cls(
            move=None if move == _NONE else parse_move(move),
            reason=reason,
            certainty=certainty,
            win_chance=None if chance == _NONE else float(chance),
        )


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    verdict: Label  # of the position
    moves_back: int | None  # to the last position known to be winnable; None: there is none
    deal: Label  # what it told of the deal

    def __str__(self) -> str:
        back = _NONE if self.moves_back is None else str(self.moves_back)
        return f"{self.verdict} {back} {self.deal}"

    @classmethod
    def parse(cls, text: str) -> "CheckAnswer":
        verdict, back, deal = text.split(" ")
        return cls(Label(verdict), None if back == _NONE else int(back), Label(deal))
