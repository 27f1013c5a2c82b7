"""Forms: a field with its label, hint and errors in the API's words; the key that makes a form one act."""

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.inclusion_tag("web/field.html", takes_context=True)
def field(
    context: dict[str, Any], name: str, label: str, hint: str = "", value: Any = "", **attributes: Any
) -> dict[str, Any]:
    """A field that is one line of input.

    What was `typed` (a page's context) is kept, but for passwords; what the `problem` says of it stands
    below. The other arguments are attributes of the control; `_` in a name stands for `-`.
    """
    told = _control(context, name, label, hint, value)
    if attributes.get("type") == "password":
        told["value"] = ""
    return told | {"attributes": {key.replace("_", "-"): each for key, each in attributes.items()}}


@register.inclusion_tag("web/choice.html", takes_context=True)
def choice(
    context: dict[str, Any], name: str, label: str, choices: Iterable[tuple[str, str]], hint: str = ""
) -> dict[str, Any]:
    """A field that is one of some values, each with its text."""
    return _control(context, name, label, hint) | {"choices": choices}


@register.inclusion_tag("web/lines.html", takes_context=True)
def lines(
    context: dict[str, Any], name: str, label: str, hint: str = "", rows: int = 3, **attributes: Any
) -> dict[str, Any]:
    """A field of several lines; the other arguments are attributes of the control."""
    return _control(context, name, label, hint) | {"rows": rows, "attributes": attributes}


def _control(context: dict[str, Any], name: str, label: str, hint: str, value: Any = "") -> dict[str, Any]:
    return {
        "id": f"field-{name}",
        "name": name,
        "label": label,
        "hint": hint,
        "errors": errors_of(context, name),
        "value": (context.get("typed") or {}).get(name, value),
    }


@register.simple_tag(takes_context=True)
def errors_of(context: dict[str, Any], name: str) -> list[str]:
    """What is wrong with a field; for those that are more than one line of input."""
    problem = context.get("problem")
    return problem.of_field(name) if problem else []


@register.simple_tag
def act_key() -> SafeString:
    """A hidden field: sent twice, the form is one act."""
    return format_html('<input type="hidden" name="key" value="{}">', uuid4().hex)
