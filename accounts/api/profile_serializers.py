"""Shapes of the calls about oneself and other players."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import Motion
from game.api.serializers import Text, TierField, Truth
from game.rules.rulesets import RULE_SETS

LANGUAGES = ["", *dict(settings.LANGUAGES)]


@extend_schema_field({"oneOf": [{"type": "string", "enum": LANGUAGES}]})  # the empty one, too
class LanguageField(serializers.ChoiceField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=LANGUAGES, **kwargs)


class SettingsSerializer(serializers.Serializer):
    language = LanguageField(help_text="Empty: as the browser says.")
    four_colours = Truth(help_text="♦ blue and ♣ green.")
    point_values = Truth(help_text="1, 11, 12, 13 beside A, J, Q, K.")
    left_handed = Truth(help_text="The table for the left hand.")
    motion = serializers.ChoiceField(choices=Motion.values)
    hide_opponent = Truth(help_text="The others' progress, while racing.")
    company = Truth(help_text="Seeing who else plays the same deal, and being seen.")
    private = Truth(help_text="Ended games and records are for their player alone.")


class Known(serializers.Serializer):
    """Refuses what it has no field for: nothing that is sent is passed over in silence."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = data.keys() - self.fields.keys() if isinstance(data, Mapping) else ()
        if unknown:
            raise serializers.ValidationError(
                {name: [""] for name in sorted(unknown)}, code="unknown_field"
            )
        return super().to_internal_value(data)


class SettingsChangeSerializer(Known, SettingsSerializer):
    """Any of the settings; those that are left out stay as they are."""

    def get_fields(self) -> dict[str, serializers.Field]:
        fields = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields


class MeChangeSerializer(Known):
    settings = SettingsChangeSerializer(required=False)


class GoodbyeSerializer(Known):
    password = Text(required=False, allow_blank=True, help_text="Of an account that has one.")


# Out


class MeSerializer(serializers.Serializer):
    name = serializers.CharField()
    is_guest = serializers.BooleanField()
    email = serializers.CharField(allow_null=True, help_text="Where mails go.")
    email_verified = serializers.BooleanField()
    joined_at = serializers.DateTimeField()
    settings = SettingsSerializer()


class RecordSerializer(serializers.Serializer):
    rules = serializers.ChoiceField(choices=list(RULE_SETS))
    tier = TierField()
    played = serializers.IntegerField(min_value=1, help_text="Counted games that have ended.")
    won = serializers.IntegerField(min_value=0)
    win_rate = serializers.FloatField(min_value=0, max_value=1)
    current_streak = serializers.IntegerField(min_value=0, help_text="Wins in a row up to now.")
    best_streak = serializers.IntegerField(min_value=0)
    fastest_win_ms = serializers.IntegerField(allow_null=True, help_text="Null before a win.")
    fewest_moves = serializers.IntegerField(allow_null=True, help_text="Null before a win.")
    best_against_par = serializers.IntegerField(
        allow_null=True,
        help_text="Moves above par; null before a win of a deal whose par is known.",
    )


class DailyRecordSerializer(serializers.Serializer):
    current_streak = serializers.IntegerField(min_value=0)
    best_streak = serializers.IntegerField(min_value=0)


class RaceRecordSerializer(serializers.Serializer):
    played = serializers.IntegerField(min_value=0, help_text="Rated races that are over.")
    won = serializers.IntegerField(min_value=0, help_text="Alone at place 1.")
    drawn = serializers.IntegerField(min_value=0, help_text="At place 1, and not alone there.")


class RecordsSerializer(serializers.Serializer):
    records = RecordSerializer(many=True, help_text="Of the rule sets and tiers that were played.")
    daily = DailyRecordSerializer()
    races = RaceRecordSerializer()


class PublicPlayerSerializer(RecordsSerializer):
    name = serializers.CharField()
    is_guest = serializers.BooleanField()
    joined_at = serializers.DateTimeField()
    private = serializers.BooleanField(help_text="Then `records` is empty, and all counts are 0.")
