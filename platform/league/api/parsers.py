"""JSON and uploads from strangers."""

import io
from collections.abc import Mapping
from typing import IO, Any

from django.core.exceptions import TooManyFilesSent
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser as FrameworkJSONParser
from rest_framework.parsers import MultiPartParser

from arena import strictjson
from league.common.errors import Invalid

MAX_DEPTH = 16


class JSONParser(FrameworkJSONParser):
    """JSON as RFC 8259 has it: UTF-8 whatever the header says, no key twice, not deeper than 16."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The body's value. Raises ParseError."""
        try:
            return strictjson.loads(stream.read().decode(), MAX_DEPTH)
        except UnicodeDecodeError:
            raise ParseError("The body is not UTF-8.") from None
        except strictjson.NotStrictJson as error:
            raise ParseError(f"The JSON is wrong: {error}.") from None


class Incomplete(APIException):
    """The body ended, or the time for it did, before it had the length that its header tells."""

    status_code = 408
    default_code = "incomplete"


class UploadParser(MultiPartParser):
    """A form with one file.

    The middleware bounds it, so it is read whole first and kept in memory: half a file must not pass for a
    whole one, and nothing has to be removed from a disk.
    """

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The form. Raises Incomplete, Invalid for a second file, ParseError for what is no form."""
        data = stream.read()
        told = int((parser_context or {})["request"].META["CONTENT_LENGTH"])
        if len(data) < told:
            raise Incomplete(f"Of {told} bytes only {len(data)} came in time: nothing was kept.")
        try:
            return super().parse(io.BytesIO(data), media_type, parser_context)
        except TooManyFilesSent:
            raise Invalid("too_many_files", "Send one file only, in the field 'file'.", "file") from None
        except ParseError as error:
            hint = "send multipart/form-data with its boundary, as HTTP clients do by themselves"
            if "header size" in str(error.detail):
                hint = "give the file a shorter name"
            raise ParseError(f"{error.detail} - {hint}.", "bad_form") from None
