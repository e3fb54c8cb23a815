"""Shapes of the daily calls: what may come in, and for the schema what goes out."""

from typing import Any

from rest_framework import serializers

from leaderboards.presentation import start_of
from leaderboards.selectors import From

MOST = 100  # rows of a page
USUAL = 20
LAST_RANK = 2**31 - 1


class TotalsQuerySerializer(serializers.Serializer):
    """At most one of the three that say where the page starts."""

    around = serializers.ChoiceField(choices=["me"], required=False)
    from_rank = serializers.IntegerField(min_value=1, max_value=LAST_RANK, required=False)
    cursor = serializers.CharField(required=False)
    page_size = serializers.IntegerField(min_value=1, max_value=MOST, default=USUAL)

    def validate_cursor(self, value: str) -> From:
        try:
            return start_of(value)
        except ValueError as error:
            raise serializers.ValidationError(code="invalid") from error

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        starts = [name for name in ("around", "from_rank", "cursor") if name in attrs]
        if len(starts) > 1:
            raise serializers.ValidationError({starts[-1]: ["one of them"]}, code="invalid")
        return attrs


class BoardQuerySerializer(TotalsQuerySerializer):
    assisted = serializers.BooleanField(default=True)


class DailyResultSerializer(serializers.Serializer):
    rank = serializers.IntegerField(help_text="Equal results share one: 1, 2, 2, 4.")
    player = serializers.CharField()
    won = serializers.BooleanField()
    removed = serializers.IntegerField(help_text="Cards of the pyramid, 0 to 28.")
    assisted = serializers.BooleanField(help_text="A hint came before.")
    elapsed_ms = serializers.IntegerField()
    moves = serializers.IntegerField()
    undos = serializers.IntegerField()
    suspect = serializers.BooleanField(
        help_text="Faster than a hand plays: marked for somebody to look at."
    )
    game = serializers.UUIDField(
        allow_null=True, help_text="Whose log anybody may read; null until the day is closed."
    )


class DailyTotalSerializer(serializers.Serializer):
    rank = serializers.IntegerField()
    player = serializers.CharField()
    won = serializers.IntegerField(help_text="Days.")
    removed = serializers.IntegerField(help_text="Cards of all days.")
    elapsed_ms = serializers.IntegerField(help_text="Of all days.")


class DaySerializer(serializers.Serializer):
    date = serializers.DateField()
    rules = serializers.CharField()
    resets_at = serializers.DateTimeField(help_text="The next day's start, UTC.")
    closes_at = serializers.DateTimeField(help_text="Until then results come in.")
    server_now = serializers.DateTimeField()
    commitment = serializers.CharField(
        help_text="SHA-256 of the seed's 64 hex digits, as lower-case hex."
    )
    next_commitment = serializers.CharField(
        allow_null=True, help_text="Tomorrow's, told with today's deal; null with an older one."
    )
    seed = serializers.CharField(allow_null=True, help_text="Null until the day is closed.")
    attempt = serializers.IntegerField(
        allow_null=True,
        help_text="Which of the seed's decks was dealt: the first that can be won. Null until the "
        "day is closed, and where nobody has played it.",
    )
    game = serializers.UUIDField(allow_null=True, help_text="Your game of it.")
    result = DailyResultSerializer(
        allow_null=True, help_text="Your result, once your game has ended."
    )


class BoardSerializer(serializers.Serializer):
    rules = serializers.CharField()
    span = serializers.ChoiceField(choices=["day", "week", "month"])
    date = serializers.DateField(help_text="Its first day.")
    players = serializers.IntegerField(help_text="How many stand on it.")
    results = DailyResultSerializer(many=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    me = DailyResultSerializer(allow_null=True, help_text="Your own row.")


class TotalsSerializer(BoardSerializer):
    results = DailyTotalSerializer(many=True)  # type: ignore[assignment]
    me = DailyTotalSerializer(  # type: ignore[assignment]
        allow_null=True, help_text="Your own row."
    )
