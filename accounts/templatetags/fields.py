"""Fields of forms as our pages show them: labelled above, what is wrong with them right below."""

from typing import Any

from django import template
from django.forms import BaseForm, BoundField
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

register = template.Library()

# What a form does not say itself, by the name of the field.
_LABELS: dict[str, str | Promise] = {
    "login": _("Name or e-mail address"),
    "username": _("Name"),
    "email": _("E-mail address"),
    "code": pgettext_lazy("to be typed in", "Code"),
}
_OPTIONAL_EMAIL = _("E-mail address (optional)")
_HELPS: dict[tuple[str, str], str | Promise] = {
    ("account_signup", "username"): _("This is what other players see."),
    ("account_signup", "email"): _("Only needed to reset a forgotten password."),
}
_TYPED_AS_IT_IS = {"autocapitalize": "none", "spellcheck": "false"}
_ATTRIBUTES: dict[str, dict[str, str]] = {
    "login": {"autocomplete": "username", **_TYPED_AS_IT_IS},
    "username": _TYPED_AS_IT_IS,
    "code": {"autocapitalize": "characters", "spellcheck": "false"},
}


@register.filter
def label_text(field: BoundField) -> str | Promise:
    if field.name == "email" and not field.field.required:
        return _OPTIONAL_EMAIL
    return _LABELS.get(field.name, field.label)


@register.simple_tag(takes_context=True)
def help_of(context: template.Context, field: BoundField) -> str | Promise:
    """Help texts of forms are markup, of Django's or of our own making."""
    page = getattr(context["request"].resolver_match, "view_name", "")
    return _HELPS.get((page, field.name)) or mark_safe(field.help_text)  # noqa: S308


@register.simple_tag
def control(field: BoundField, *, described: object = "") -> SafeString:
    """Its widget; with the focus, if it is the first of its form that has to be mended."""
    attrs: dict[str, Any] = {"placeholder": False, **_ATTRIBUTES.get(field.name, {})}
    told = [(described, "helptext"), (field.errors, "error")]
    about = [f"{field.auto_id}_{part}" for there, part in told if there]
    if about:
        attrs["aria-describedby"] = " ".join(about)
    if field.name == _first_wrong(field.form):
        attrs["autofocus"] = True
    return field.as_widget(attrs=attrs)


def _first_wrong(form: BaseForm) -> str | None:
    """The first field with an error; the first of all where the form as a whole has one."""
    if not form.errors:
        return None
    shown = [field.name for field in form.visible_fields()]
    return next((name for name in shown if name in form.errors), shown[0] if shown else None)
