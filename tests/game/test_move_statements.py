"""How many SQL statements a move costs."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.caller import Caller

TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT")


def test_a_move_takes_four_statements(player: Caller) -> None:
    game = player.post("games/", {"rules": "classic", "number": 7}).json()
    address = f"games/{game['id']}/moves/"
    body = {"action": "draw", "version": 0, "client_move_id": "first"}
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert player.post(address, body).status_code == 200
    sent = [query["sql"] for query in captured if not query["sql"].startswith(TRANSACTION)]
    verbs = [sql.split(" ", 1)[0] for sql in sent]
    assert verbs == ["SELECT", "SELECT", "INSERT", "UPDATE"]
