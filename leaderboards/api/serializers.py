"""Shapes of the daily calls: for the schema what goes out."""

from rest_framework import serializers


class DaySerializer(serializers.Serializer):
    date = serializers.DateField()
    rules = serializers.CharField()
    resets_at = serializers.DateTimeField(help_text="The next day's start, UTC.")
    closes_at = serializers.DateTimeField(help_text="Until then results come in.")
    commitment = serializers.CharField(
        help_text="SHA-256 of the seed's 64 hex digits, as lower-case hex."
    )
    next_commitment = serializers.CharField(
        allow_null=True, help_text="Tomorrow's, told with today's deal; null with an older one."
    )
    seed = serializers.CharField(allow_null=True, help_text="Null until the day is closed.")
