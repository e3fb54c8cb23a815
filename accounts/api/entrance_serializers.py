"""Shapes of the accounts calls: what may come in, and for the schema what goes out."""

from rest_framework import serializers

from game.api.serializers import Text

# In


class RegisterSerializer(serializers.Serializer):
    username = Text(max_length=100, help_text="2 to 20 characters; letters of one script, digits.")
    password = Text(max_length=1000)
    email = Text(
        max_length=254,
        required=False,
        allow_blank=True,
        help_text="Only needed to reset the password, once it has been verified.",
    )


class LogInSerializer(serializers.Serializer):
    username = Text(max_length=254, help_text="Or the e-mail address.")
    password = Text()
    code = Text(
        max_length=100,
        required=False,
        allow_null=True,
        help_text="Of the authenticator app, or a recovery code: where that is switched on.",
    )


# Out


class PlayerSerializer(serializers.Serializer):
    name = serializers.CharField(source="username")
    is_guest = serializers.BooleanField()


class TokenSerializer(serializers.Serializer):
    token = serializers.CharField(help_text="Send it as `Authorization: Bearer <token>`.")
    player = PlayerSerializer()


class MovedSerializer(serializers.Serializer):
    games = serializers.IntegerField(help_text="How many have gone over to the account.")
    running = serializers.IntegerField(help_text="Of those, how many still run.")
    closed = serializers.IntegerField(
        help_text="Of those that ran, how many were closed: the account has one of the same deal."
    )


class LoggedInSerializer(TokenSerializer):
    moved = MovedSerializer(required=False, help_text="Where a guest has logged in.")
