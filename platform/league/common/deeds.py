"""What operators do in the admin: to chosen rows, through the league's services, with a reason.

A deed is chosen above a list; a page then says what it does and how it is undone, and asks why. For each row
the service is called once, and the answer is told: done, or the service's own sentence. Who and why is noted
twice: by the service, beside the new status (`StatusNote`), and in the row's history in the admin.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse

from league.common.errors import Lost, UserError

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

#: How long a reason may be: a note has room for it.
WHY_MAX = 400
#: How many rows at a time; one request has no more than a hundred fields (DATA_UPLOAD_MAX_NUMBER_FIELDS).
ROWS_MAX = 50


class Why(forms.Form):
    """The reason, which is noted."""

    why = forms.CharField(
        max_length=WHY_MAX,
        label="Why",
        widget=forms.Textarea(attrs={"rows": 3, "cols": 80, "autofocus": True}),
        help_text=f"At most {WHY_MAX} characters. It is noted with your name.",
    )


@dataclass(frozen=True)
class Deed:
    """One thing that operators do.

    Attributes:
        name: in forms; unique among those of a list.
        label: what is chosen, as an order: "Retire".
        effect: sentences: what it does, what it doesn't, how it is undone.
        do: the service: takes the row, the operator and the reason. It must be safe to repeat, and raises
            UserError where the state does not allow it.
    """

    name: str
    label: str
    effect: str
    do: Callable[[Any, Any, str], object]

    #: A template would.
    do_not_call_in_templates: ClassVar[bool] = True

    def __call__(
        self, model_admin: "ModelAdmin[Any]", request: HttpRequest, chosen: QuerySet[Any]
    ) -> TemplateResponse | None:
        """Ask why, or, with the answer, do it. What was done or refused is told above the list."""
        rows = list(chosen[: ROWS_MAX + 1])
        if not rows:
            messages.warning(request, "None of the chosen rows is in this list any more; nothing was done.")
            return None
        if len(rows) > ROWS_MAX:
            messages.error(request, f"At most {ROWS_MAX} rows at a time; nothing was done.")
            return None
        form = Why(request.POST if "why" in request.POST else None)
        if not form.is_valid():
            return self._ask(model_admin, request, rows, form)
        for row in rows:
            self._do(model_admin, request, row, form.cleaned_data["why"])
        return None

    def _ask(
        self, model_admin: "ModelAdmin[Any]", request: HttpRequest, rows: list[Any], form: Why
    ) -> TemplateResponse:
        context = {
            **model_admin.admin_site.each_context(request),
            "title": self.label,
            "deed": self,
            "rows": rows,
            "form": form,
            "opts": model_admin.opts,
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/why.html", context)

    def _do(self, model_admin: "ModelAdmin[Any]", request: HttpRequest, row: Any, why: str) -> None:
        try:
            self.do(row, request.user, why)
        except UserError as error:
            messages.error(request, f"{row}: refused. {error.message}")
        except Lost:
            messages.error(request, f"{row}: refused. It has just changed; look again.")
        else:
            model_admin.log_change(request, row, f"{self.label}: {why}")
            messages.success(request, f"{row}: done ({self.label}).")
