"""Shapes of the accounts calls."""

from rest_framework import serializers


class PlayerSerializer(serializers.Serializer):
    name = serializers.CharField(source="username")
    is_guest = serializers.BooleanField()


class TokenSerializer(serializers.Serializer):
    token = serializers.CharField(help_text="Send it as `Authorization: Bearer <token>`.")
    player = PlayerSerializer()
