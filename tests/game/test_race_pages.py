"""The pages of a race, as they come from the server: what is on them is the browser's."""

import json
import re

import pytest
from django.test import Client

from tests.caller import Caller

pytestmark = pytest.mark.django_db


def told(html: str) -> dict[str, object]:
    """What the page's script is told."""
    found = re.search(r'<script id="page" type="application/json">(.*?)</script>', html)
    assert found is not None
    return json.loads(found[1])


def test_page_of_a_race_is_open_to_whoever_has_its_link(player: Caller, client: Client) -> None:
    race = player.post("races/", {"rules": "classic", "number": 7}).json()
    answer = client.get(race["url"])
    assert answer.status_code == 200
    assert told(answer.text)["code"] == race["code"]


def test_code_may_be_written_small(player: Caller, client: Client) -> None:
    race = player.post("races/", {"rules": "classic", "number": 7}).json()
    assert told(client.get(race["url"].lower()).text)["code"] == race["code"]


def test_code_that_no_race_has_is_not_found(client: Client) -> None:
    answer = client.get("/race/NOSUCHXX")
    assert answer.status_code == 404
    assert "There is no race with this code" in answer.text


def test_page_before_a_race_knows_the_rule_sets(client: Client) -> None:
    page = told(client.get("/race/").text)
    assert page["default_rules"] == "classic"
    assert page["player"] is None
