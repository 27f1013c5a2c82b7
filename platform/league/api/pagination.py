"""Lists come in pages."""

import re
from typing import Any

from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request

from league.common.errors import Invalid

_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)


class Pages(PageNumberPagination):
    """`?page=2&page_size=50`; 200 at most."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"
    last_page_strings = ()

    def get_page_number(self, request: Request, paginator: Any) -> str:
        return self._number(request, self.page_query_param)

    def get_page_size(self, request: Request) -> int:
        if self.page_size_query_param not in request.query_params:
            return self.page_size
        return min(int(self._number(request, self.page_size_query_param)), self.max_page_size)

    def _number(self, request: Request, name: str) -> str:
        text = request.query_params.get(name, "1")
        if not _NUMBER.fullmatch(text) or int(text) < 1:
            raise Invalid("bad_number", f"{name} is a whole number from 1.", name)
        return text
