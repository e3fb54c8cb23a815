"""The forms of the players' pages."""

from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from django import forms
from django.conf import settings as site
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts import wording
from accounts.models import Motion, Settings, User
from accounts.services.leaving import PasswordWrong, prove
from accounts.services.settings import CHANGEABLE
from game import selectors
from game.models import Game, Kind, Tier
from game.rules.rulesets import RULE_SETS

ANY = ("", pgettext_lazy("all of them", "All"))


class SettingsForm(forms.ModelForm):
    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[("", _("As the browser says")), *site.LANGUAGES],
    )
    motion = forms.ChoiceField(
        label=_("Motion of the cards"),
        choices=[
            (Motion.SYSTEM, pgettext_lazy("motion", "As the system")),
            (Motion.FULL, pgettext_lazy("motion", "Full")),
            (Motion.REDUCED, pgettext_lazy("motion", "Reduced")),
        ],
        widget=forms.RadioSelect,
    )

    class Meta:
        model = Settings
        fields = CHANGEABLE
        labels = {  # noqa: RUF012
            "four_colours": _("Four-colour deck"),
            "point_values": _("Point values beside A, J, Q and K"),
            "left_handed": _("For the left hand"),
            "hide_opponent": _("Hide the others while racing"),
            "company": _("See who else plays the same deal"),
            "private": _("Keep games and records private"),
        }
        help_texts = {  # noqa: RUF012
            "four_colours": _("Each suit has a colour of its own."),
            "point_values": _("1, 11, 12 and 13, in small figures."),
            "left_handed": _("The table and its buttons are mirrored."),
            "hide_opponent": _("You see how far they have come once the race is over."),
            "company": _("They see your name, too, and how far you have come."),
            "private": _(
                "Nobody else can look at your ended games, records and plots. A ranked daily stays "
                "open to all once its day is closed."
            ),
        }


class HistoryForm(forms.Form):
    """Filters of the history; one that is not known filters nothing."""

    rules = forms.ChoiceField(label=_("Rule set"), required=False)
    tier = forms.ChoiceField(label=_("Kind of deal"), required=False)
    result = forms.ChoiceField(label=_("Result"), required=False)
    kind = forms.ChoiceField(label=_("Game"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = {
            "rules": [(key, wording.rules_name(key)) for key in RULE_SETS],
            "tier": [
                *((tier, wording.tier_name(tier)) for tier in Tier),
                (selectors.BY_NUMBER, wording.tier_name("")),
            ],
            "result": [
                ("won", pgettext_lazy("games", "Won")),
                ("lost", pgettext_lazy("games", "Lost")),
                ("running", pgettext_lazy("games", "Running")),
            ],
            "kind": [(kind, wording.kind_name(kind)) for kind in Kind],
        }
        for name, of_field in choices.items():
            self.fields[name].choices = [ANY, *of_field]  # type: ignore[attr-defined, misc]

    def chosen(self, games: QuerySet[Game]) -> QuerySet[Game]:
        self.is_valid()
        asked = {name: value for name, value in self.cleaned_data.items() if value}
        rules = asked.get("rules")
        return selectors.chosen(
            games,
            status=asked.get("result"),
            rules=rules and RULE_SETS[rules],
            tier=asked.get("tier"),
            kind=asked.get("kind"),
        )

    def query(self) -> str:
        """The filters as a part of an address; the caller has asked for what they choose."""
        return urlencode({name: value for name, value in self.cleaned_data.items() if value})


class DeletionForm(forms.Form):
    """An account proves itself by its password; a guest has none, and means it."""

    def __init__(self, *args: Any, player: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player
        if player.has_usable_password():
            self.fields["password"] = forms.CharField(
                label=_("Password"),
                strip=False,
                widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
            )
        else:
            self.fields["sure"] = forms.BooleanField(label=_("Yes, delete all that I have played."))

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        try:
            prove(player=self.player, password=password)
        except PasswordWrong as error:
            raise get_adapter().validation_error("incorrect_password") from error
        return password
