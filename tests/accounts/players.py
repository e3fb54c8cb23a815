"""Players as tests of pages need them: with a password, or with games that they have really won."""

from django.test import Client

from accounts.models import Session, User
from game.models import Deal, Game, Tier
from game.rules.rulesets import RULE_SETS
from game.services import play
from tests.caller import Caller, Table
from tests.game.lines import WON

PASSWORD = "correct horse battery"


def account(name: str = "anna", **more: object) -> User:
    return User.objects.create_user(name, password=PASSWORD, **more)


def browser(player: User | None = None) -> Client:
    """A browser; logged in, if as somebody."""
    client = Client()
    if player is not None:
        client.force_login(player)
    return client


def guest() -> tuple[Client, User]:
    client = Client()
    token = client.post("/api/v1/guests/").json()["token"]
    player = Session.objects.get(session_key=token).user
    assert player is not None
    return client, player


class At:
    """A player at the API, who plays to the end by lines that are known."""

    def __init__(self, player: User) -> None:
        self.player = player
        client = browser(player)
        self.caller = Caller(client.session.session_key)

    def wins(
        self, rules: str = "classic", tier: Tier | None = Tier.EASY, *, detour: int = 0
    ) -> Game:
        """With as many moves more as are drawn and taken back first."""
        number, line = WON[rules]
        game = self.starts(rules, number, tier)
        table = self.table(game)
        for _ in range(detour):
            table.play("d")
            table.undo()
        table.play(line)
        game.refresh_from_db()
        return game

    def loses(self, rules: str = "classic", tier: Tier | None = Tier.EASY) -> Game:
        """Gives up after the first move, which removes two cards."""
        game = self.starts(rules, 7, tier)
        self.table(game).play("6D7D")
        assert self.table(game).change("resignations").status_code == 200
        game.refresh_from_db()
        return game

    def starts(self, rules: str = "classic", number: int = 7, tier: Tier | None = None) -> Game:
        """A game by number; one that counts, as if dealt by the tier, where there is one."""
        deal, _ = Deal.objects.get_or_create(number=number)
        return play.start(
            player=self.player,
            deal=deal,
            rules=RULE_SETS[rules],
            tier=tier,
            counted=tier is not None,
        )

    def table(self, game: Game) -> Table:
        return Table(self.caller, str(game.pk))
