"""Forms: a field with its label, hint and errors in the API's words; the key that makes a form one act."""

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
    secret = attributes.get("type") == "password"
    typed = context.get("typed") or {}
    return {
        "id": f"field-{name}",
        "name": name,
        "label": label,
        "hint": hint,
        "errors": errors_of(context, name),
        "value": "" if secret else typed.get(name, value),
        "attributes": {key.replace("_", "-"): each for key, each in attributes.items()},
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
