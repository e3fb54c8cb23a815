"""Shapes of the race calls: what may come in, and for the schema what goes out."""

from datetime import timedelta
from typing import Any

from rest_framework import serializers

from game import racing
from game.api.serializers import StartSerializer, StateSerializer, TierField, Truth, Whole
from game.racing import RaceStatus
from game.rules.deals import LAST_NUMBER
from game.rules.rulesets import RULE_SETS

_MILLISECOND = timedelta(milliseconds=1)


class CreateSerializer(StartSerializer):
    seats = Whole(
        min_value=racing.FEWEST_SEATS, max_value=racing.MOST_SEATS, default=racing.FEWEST_SEATS
    )
    time_limit_ms = Whole(
        min_value=racing.SHORTEST // _MILLISECOND,
        max_value=racing.LONGEST // _MILLISECOND,
        default=racing.USUAL // _MILLISECOND,
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        asked = super().validate(attrs)
        asked["time_limit"] = asked.pop("time_limit_ms") * _MILLISECOND
        return asked


class ReadySerializer(serializers.Serializer):
    ready = Truth()


class RaceSeatSerializer(serializers.Serializer):
    seat = serializers.IntegerField(min_value=1, max_value=racing.MOST_SEATS)
    player = serializers.CharField(allow_null=True, help_text="Null: the account is gone.")
    host = serializers.BooleanField()
    ready = serializers.BooleanField()
    connected = serializers.BooleanField(help_text="Whether a socket of the player's is there.")
    removed = serializers.IntegerField(min_value=0, max_value=28)
    best_removed = serializers.IntegerField(
        min_value=0, max_value=28, help_text="The most at any moment."
    )
    best_ms = serializers.IntegerField(
        min_value=0, help_text="When that was reached first, from the start; 0 where nothing was."
    )
    # `pass` is a keyword: declared through get_fields
    moves = serializers.IntegerField()
    undos = serializers.IntegerField()
    done = serializers.BooleanField(help_text="Cleared or given up.")
    cleared = serializers.BooleanField()
    elapsed_ms = serializers.IntegerField(
        allow_null=True, help_text="From the start until it was done."
    )
    place = serializers.IntegerField(
        allow_null=True, help_text="1 and up, once the race is over; equals share one."
    )
    game = serializers.UUIDField(
        allow_null=True, help_text="Once the race is over, for who was in it."
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        fields["pass"] = serializers.IntegerField(min_value=1)
        return fields


class RaceSerializer(serializers.Serializer):
    code = serializers.CharField()
    url = serializers.CharField()
    version = serializers.IntegerField(help_text="The number of the last event.")
    rules = serializers.ChoiceField(choices=list(RULE_SETS))
    tier = TierField(allow_null=True)
    number = serializers.IntegerField(
        allow_null=True, min_value=1, max_value=LAST_NUMBER, help_text="Null for a secret deal."
    )
    kind = serializers.ChoiceField(choices=["rated", "friendly"])
    status = serializers.ChoiceField(choices=[status.value for status in RaceStatus])
    seats_max = serializers.IntegerField()
    time_limit_ms = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    starts_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    starts_in_ms = serializers.IntegerField(allow_null=True, help_text="During the countdown.")
    server_now = serializers.DateTimeField()
    seats = RaceSeatSerializer(many=True)
    me = serializers.IntegerField(allow_null=True, help_text="The number of one's own seat.")
    game = StateSerializer(allow_null=True, help_text="One's own, once started.")
    winner = serializers.CharField(allow_null=True)
    draw = serializers.BooleanField()
    rematch = serializers.CharField(allow_null=True, help_text="The code of the next race.")
    seed = serializers.CharField(
        allow_null=True, help_text="Of a secret deal, once the race is over."
    )
    attempt = serializers.IntegerField(
        allow_null=True, help_text="Which of the seed's decks it was."
    )
