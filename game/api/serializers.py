"""Shapes of the game calls: what may come in, and for the schema what goes out."""

from functools import cache
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

from game.answers import Label
from game.ledger import EntryType, Rewind, Status
from game.models import Kind, Tier
from game.rules.deals import LAST_NUMBER
from game.rules.locks import LockReason
from game.rules.moves import Action, Move, move
from game.rules.rulesets import RULE_SETS, Goal, RuleSet, rule_set
from game.selectors import BY_NUMBER
from solver import catalogue, estimate

LAST_VERSION = 2**31 - 1

# In: JSON's own types, none of which passes for another


class Text(serializers.CharField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A number without a fraction; 7.0 is one."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return super().to_internal_value(data)


class Truth(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class MoveId(serializers.RegexField, Text):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"^[\x21-\x7e]{1,64}\Z", **kwargs)


class RulesField(Text):
    """A rule set's key. Raises `UnknownRules`."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=20, **kwargs)

    def run_validation(self, data: Any = empty) -> RuleSet:
        return rule_set(super().run_validation(data))


def checked(shape: type[serializers.Serializer], asked: Any) -> dict[str, Any]:
    """What is asked for, in its shape. Raises `ValidationError` or a `RuleError`."""
    return dict(_checker(shape).run_validation(asked))


@cache
def _checker(shape: type[serializers.Serializer]) -> serializers.Serializer:
    """One for all requests: it is costly to make and keeps nothing of what it checks.

    Its texts stay in the language that they were first said in; `problem` says the codes anew.
    """
    return shape()


class StartSerializer(serializers.Serializer):
    rules = RulesField(help_text=f"One of {', '.join(RULE_SETS)}.")
    number = Whole(required=False, min_value=-(2**63), max_value=2**63 - 1, help_text="1 to 2³²−1.")
    tier = serializers.ChoiceField(choices=Tier.choices, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("number" in attrs) == ("tier" in attrs):
            raise serializers.ValidationError(code="number_or_tier")
        return attrs


class ChangeSerializer(serializers.Serializer):
    version = Whole(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=LAST_VERSION,
        help_text="The version that the change was made against.",
    )
    client_move_id = MoveId(
        required=False,
        allow_null=True,
        help_text="Unique within the game; a repeat gets the first answer again.",
    )


class MoveSerializer(ChangeSerializer):
    action = serializers.ChoiceField(choices=[action.value for action in Action])
    cards = serializers.ListField(
        child=Text(max_length=20, allow_blank=True),
        required=False,
        max_length=52,
        help_text="One king or a pair to remove, nothing for a draw or a redeal.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        made: Move = move(Action(attrs.pop("action")), attrs.pop("cards", []))
        return {**attrs, "move": made}


class RewindSerializer(ChangeSerializer):
    to = serializers.ChoiceField(choices=[to.value for to in Rewind])

    def validate_to(self, to: str) -> Rewind:
        return Rewind(to)


class PauseSerializer(ChangeSerializer):
    paused = Truth()


class GamesQuerySerializer(serializers.Serializer):
    """Which of one's games: each member keeps those that are so."""

    status = serializers.ChoiceField(
        choices=["running", "ended", *(status.value for status in Status)], required=False
    )
    rules = RulesField(required=False)
    tier = serializers.ChoiceField(choices=[*Tier.values, BY_NUMBER], required=False)
    kind = serializers.ChoiceField(choices=Kind.choices, required=False)
    counted = serializers.BooleanField(required=False, allow_null=True, default=None)


class LogQuerySerializer(serializers.Serializer):
    after = serializers.IntegerField(min_value=0, max_value=LAST_VERSION, default=0)


# Out


class CardField(serializers.RegexField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"^[A23456789TJQK][CDHS]$", **kwargs)


class FaceField(serializers.RegexField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"^([A23456789TJQK][CDHS]|\?\?)$", **kwargs)


@extend_schema_field({"oneOf": [{"type": "string", "enum": Tier.values}]})  # and null, if allowed
class TierField(serializers.ChoiceField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=Tier.choices, **kwargs)


@extend_schema_field({"oneOf": [{"type": "string", "enum": [label.value for label in Label]}]})
class LabelField(serializers.ChoiceField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=[label.value for label in Label], **kwargs)


@extend_schema_field(
    {"oneOf": [{"type": "string", "enum": [tier.value for tier in catalogue.Tier]}]}
)
class CatalogueTierField(serializers.ChoiceField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=[tier.value for tier in catalogue.Tier], **kwargs)


@extend_schema_field({"oneOf": [{"type": "string", "enum": [action.value for action in Action]}]})
class ActionField(serializers.ChoiceField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=[action.value for action in Action], **kwargs)


class StockSerializer(serializers.Serializer):
    count = serializers.IntegerField(min_value=0, max_value=24)
    top = CardField(allow_null=True, help_text="Null where it does not lie open.")


class WasteSerializer(serializers.Serializer):
    count = serializers.IntegerField(min_value=0, max_value=24)
    top = CardField(allow_null=True)


class PlayedMoveSerializer(serializers.Serializer):
    action = serializers.ChoiceField(choices=[action.value for action in Action])
    cards = serializers.ListField(child=CardField(), max_length=2)


class LockSerializer(serializers.Serializer):
    card = CardField()
    reason = serializers.ChoiceField(choices=[reason.value for reason in LockReason])
    cards = serializers.ListField(child=FaceField(), help_text="The partners in the way.")
    since_start = serializers.BooleanField(help_text="The deal itself locks it: no rewind helps.")


class BestMomentSerializer(serializers.Serializer):
    removed = serializers.IntegerField(min_value=0, max_value=28)
    elapsed_ms = serializers.IntegerField()
    moves = serializers.IntegerField()
    undos = serializers.IntegerField()
    hints = serializers.IntegerField()


class ResultSerializer(serializers.Serializer):
    won = serializers.BooleanField()
    removed = serializers.IntegerField()
    stock_left = serializers.IntegerField()
    waste_left = serializers.IntegerField()
    moves = serializers.IntegerField()
    undos = serializers.IntegerField()
    hints = serializers.IntegerField()
    checks = serializers.IntegerField()
    elapsed_ms = serializers.IntegerField()
    label = LabelField(allow_null=True)  # type: ignore[assignment]
    # The player's record under these rules and of this tier; null where the game does not count.
    played = serializers.IntegerField(allow_null=True, help_text="Counted games, with this one.")
    won_games = serializers.IntegerField(allow_null=True)
    win_rate_before = serializers.FloatField(
        allow_null=True, help_text="0 to 1; null before the first game."
    )
    win_rate = serializers.FloatField(allow_null=True)
    streak_before = serializers.IntegerField(allow_null=True, help_text="Wins in a row.")
    streak_after = serializers.IntegerField(allow_null=True)
    best_streak = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(
        allow_null=True, help_text="In the game's race, once that is over; null in others."
    )
    rank = serializers.IntegerField(
        allow_null=True, help_text="Of a ranked daily when it ended; null in others."
    )
    players = serializers.IntegerField(allow_null=True, help_text="Of all that had one by then.")
    best = BestMomentSerializer(
        allow_null=True,
        help_text="Of a daily in which a move was made, ranked or not: its first moment with the "
        "most cards removed, which is what a board counts; null in others.",
    )


class StateSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    version = serializers.IntegerField(help_text="The number of the last log entry.")
    rules = serializers.ChoiceField(choices=list(RULE_SETS))
    number = serializers.IntegerField(
        allow_null=True, min_value=1, max_value=LAST_NUMBER, help_text="Null for a secret deal."
    )
    tier = TierField(allow_null=True)
    label = LabelField(  # type: ignore[assignment]
        allow_null=True, help_text="Whether the deal can be won; null: not told yet."
    )
    kind = serializers.ChoiceField(choices=Kind.choices)
    daily = serializers.DateField(
        allow_null=True, help_text="The day whose deal it is; null for other deals."
    )
    closes_at = serializers.DateTimeField(
        allow_null=True, help_text="Of a daily: until when it can be changed."
    )
    status = serializers.ChoiceField(choices=[status.value for status in Status])
    pyramid = serializers.ListField(
        child=serializers.ListField(child=FaceField(allow_null=True)),
        min_length=7,
        max_length=7,
        help_text="Rows from the apex; null where the card is gone, `??` where it is face down.",
    )
    stock = StockSerializer()
    waste = WasteSerializer()
    # `pass` is a keyword: declared through get_fields
    passes = serializers.IntegerField()
    removed = serializers.IntegerField(min_value=0, max_value=28)
    moves = serializers.IntegerField()
    undos = serializers.IntegerField()
    hints = serializers.IntegerField()
    checks = serializers.IntegerField()
    counted = serializers.BooleanField()
    elapsed_ms = serializers.IntegerField()
    running = serializers.BooleanField(help_text="Whether the clock runs.")
    can_undo = serializers.BooleanField()
    legal = PlayedMoveSerializer(many=True)
    locked = LockSerializer(many=True)
    url = serializers.CharField(allow_null=True)
    result = ResultSerializer(required=False, help_text="Once the game has ended.")
    player = serializers.CharField(
        required=False, help_text="Whose game it is, if it is not yours."
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        fields["pass"] = serializers.IntegerField(min_value=1)
        return fields


class HintSerializer(serializers.Serializer):
    action = ActionField(allow_null=True, help_text="Null when there is no move to suggest.")
    cards = serializers.ListField(child=CardField(), max_length=2)
    reason = serializers.ChoiceField(choices=[reason.value for reason in estimate.Reason])
    certainty = serializers.ChoiceField(
        choices=[certainty.value for certainty in estimate.Certainty]
    )
    win_chance = serializers.FloatField(allow_null=True, min_value=0, max_value=1)
    state = StateSerializer()


class CheckSerializer(serializers.Serializer):
    verdict = LabelField()
    moves_back = serializers.IntegerField(
        allow_null=True,
        min_value=0,
        help_text="To the last winnable position; null when none is known.",
    )
    state = StateSerializer()


class StepSerializer(serializers.Serializer):
    seq = serializers.IntegerField(min_value=1)
    winnable_before = serializers.BooleanField(allow_null=True, help_text="Null: not found out.")


class AnalysisSerializer(serializers.Serializer):
    label = LabelField()  # type: ignore[assignment]
    par = serializers.IntegerField(allow_null=True, help_text="The fewest moves that win the deal.")
    steps = StepSerializer(many=True)
    losing_seq = serializers.IntegerField(
        allow_null=True, help_text="The entry whose move lost what could still be won."
    )
    line = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Moves in notation that win from before that entry, or else from the deal.",
    )


class LogEntrySerializer(serializers.Serializer):
    seq = serializers.IntegerField(min_value=1)
    at = serializers.DateTimeField()
    type = serializers.ChoiceField(choices=[type_.value for type_ in EntryType])
    action = serializers.ChoiceField(choices=[action.value for action in Action], required=False)
    cards = serializers.ListField(child=CardField(), required=False)
    to = serializers.CharField(required=False, help_text="What a rewind went back to.")
    paused = serializers.BooleanField(required=False)
    reason = serializers.CharField(required=False, help_text="Why the server closed the game.")


class LogSerializer(serializers.Serializer):
    entries = LogEntrySerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next entries.")


class RuleSetSerializer(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField(help_text="In the language of the answer.")
    summary = serializers.CharField(help_text="In the language of the answer.")
    passes = serializers.IntegerField(help_text="Times through the stock.")
    stock_top_playable = serializers.BooleanField()
    overlap_pairs = serializers.BooleanField()
    covered_face_down = serializers.BooleanField()
    goal = serializers.ChoiceField(choices=[goal.value for goal in Goal])
    daily = serializers.BooleanField()
    featured = serializers.BooleanField()


class RuleSetsSerializer(serializers.Serializer):
    results = RuleSetSerializer(many=True)


class DealPlayersSerializer(serializers.Serializer):
    played = serializers.IntegerField(help_text="Games that have ended, with a move made.")
    won = serializers.IntegerField()
    fewest_moves = serializers.IntegerField(allow_null=True)
    fastest_ms = serializers.IntegerField(allow_null=True)


class DealSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    rules = serializers.ChoiceField(choices=list(RULE_SETS))
    url = serializers.CharField()
    label = LabelField(  # type: ignore[assignment]
        allow_null=True, help_text="Past the catalogue: what own games of it have told."
    )
    tier = CatalogueTierField(
        allow_null=True, help_text="Null past the catalogue and for what cannot be won."
    )
    difficulty = serializers.FloatField(
        allow_null=True,
        min_value=0,
        max_value=1,
        help_text="The share of wins of a player who never peeks.",
    )
    par = serializers.IntegerField(allow_null=True, help_text="The fewest moves that win it.")
    players = DealPlayersSerializer()


class GamesSerializer(serializers.Serializer):
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = StateSerializer(many=True)
