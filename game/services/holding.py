"""Whoever changes what a player has as a whole, holds the player's row meanwhile."""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser

from game.errors import PlayerGone


def hold(player: AbstractBaseUser) -> None:
    """Others who hold the same player wait until this transaction ends. Raises `PlayerGone`.

    Rows that name the player can be written meanwhile (that is what `no_key` leaves open): a move
    that ends a game writes a record of its player, and holds the game that a start waits for.
    """
    players = get_user_model().objects.select_for_update(no_key=True)
    if players.filter(pk=player.pk, is_active=True).first() is None:
        raise PlayerGone()
