"""Hooks of schemathesis for Scripts/check-api."""

import pathlib
import re

import schemathesis
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

EXCEPTIONS = [
    re.compile(line.split("\t")[0])
    for line in (pathlib.Path(__file__).parent / "api-exceptions.tsv").read_text().splitlines()
    if not line.startswith("#")
]
# Ways to send a token besides the header that Scripts/check-api gives; a generated text is none.
TOKENS = {"key", "api_key", "token", "acct"}


# A generated ETag is that of nothing (412). Bodies of bytes: that they are a file of a known format is not in a schema.
FILES = {"application/octet-stream", "multipart/form-data"}


def is_exception(response, case):
    """Whether a request was refused for what no schema can say."""
    if response.status_code == 422:
        return case.media_type in FILES
    if response.status_code == 412:
        return "If-Match" in case.headers
    if response.status_code != 400:
        return False
    detail = response.json().get("detail", "")
    return any(exception.fullmatch(detail) for exception in EXCEPTIONS)


@schemathesis.hook
def map_query(context, query):
    """Leaves generated tokens out."""
    if isinstance(query, dict):
        return {name: value for name, value in query.items() if name not in TOKENS}
    return query


@schemathesis.check
def valid_data_acceptance(ctx, response, case):
    """As positive_data_acceptance, except for what no schema can say."""
    if not is_exception(response, case):
        return positive_data_acceptance(ctx, response, case)


@schemathesis.check
def invalid_data_rejection(ctx, response, case):
    """As negative_data_rejection, except for recording.

    An app that gets an error sends the same points again for ever: points that cannot be read are refused in an answer
    of success, and listed for the owner. An If-Match that is no ETag matches nothing, so 412 refuses it, too.
    """
    if response.status_code == 412 and "If-Match" in case.headers:
        return None
    if "recording" not in case.operation.tags:
        return negative_data_rejection(ctx, response, case)
