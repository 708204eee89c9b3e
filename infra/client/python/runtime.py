"""Connects to the API with the habits that make calls safe: repetitions, a turn for each call, lists, events, webhooks.

    from field_service_client.runtime import connect
    from field_service_client.api.contacts import contacts_locate
    from field_service_client.models import LocateContactsRequest

    client = connect("https://api.example.com", key)
    found = contacts_locate.sync(client=client, body=LocateContactsRequest(name_search="garc"))

`connect` serves the `sync` and the `asyncio` function of each operation. A call that fails raises FieldServiceError.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import random
import re
import threading
import time
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

import httpx

from .client import AuthenticatedClient
from .operations import LISTS, WRITES

FIRST_WAIT = 0.25
LONGEST_WAIT = 8.0


class FieldServiceError(Exception):
    """A call that failed. Decide by `code`; the message is for people. `status` is 0 where no answer came."""

    def __init__(self, message: str, status: int = 0, body: Mapping[str, Any] | None = None, request_id: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.body = dict(body or {})
        self.code = str(self.body.get("Code", "" if status else "connection"))
        self.fields: list[dict[str, str]] = list(self.body.get("Errors") or [])
        self.request_id = request_id


class SignatureError(Exception):
    """The body of a webhook is not signed with the secret, or was signed too long ago."""


def _operation(request: httpx.Request) -> str:
    return "/".join(request.url.path.rsplit("/", 2)[-2:])


def _prepare(request: httpx.Request) -> None:
    # The same at every attempt: the API does what it has done once no second time.
    if _operation(request) in WRITES and "idempotency-key" not in request.headers:
        request.headers["Idempotency-Key"] = str(uuid.uuid4())


def _body(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _wait(response: httpx.Response | None, attempt: int) -> float | None:
    """Seconds before the next attempt; None where another one would not help."""
    own = min(LONGEST_WAIT, FIRST_WAIT * 2**attempt) * random.uniform(0.5, 1)
    if response is None:
        return own
    status = response.status_code
    if status not in (429, 503) and (status < 500 or _body(response).get("Code")):
        return None
    named = response.headers.get("retry-after", "")
    return float(named) + random.random() * min(float(named), 1) if named.isdigit() and int(named) else own


def _checked(request: httpx.Request, response: httpx.Response) -> httpx.Response:
    body = _body(response)
    if response.status_code == 200 and body.get("ResultCode") == 0:
        return response
    message = body.get("Message") or f"The answer is HTTP {response.status_code}, and not of the API."
    request_id = response.headers.get("x-request-id", "")
    raise FieldServiceError(f"{_operation(request)}: {message}", response.status_code, body, request_id)


def _lost(request: httpx.Request, error: Exception) -> FieldServiceError:
    return FieldServiceError(f"{_operation(request)}: The connection failed: {error}")


class _Transport(httpx.BaseTransport):
    def __init__(self, retry_for: float, in_flight: int) -> None:
        self._inner = httpx.HTTPTransport()
        self._retry_for = retry_for
        self._turns = threading.BoundedSemaphore(in_flight)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        _prepare(request)
        end = time.monotonic() + self._retry_for
        with self._turns:
            attempt = 0
            while True:
                response, error = None, None
                try:
                    response = self._inner.handle_request(request)
                    response.read()
                except httpx.TransportError as lost:
                    response, error = None, lost
                wait = _wait(response, attempt)
                if wait is None or time.monotonic() + wait > end:
                    if response is None:
                        raise _lost(request, error or Exception()) from error
                    return _checked(request, response)
                time.sleep(wait)
                attempt += 1

    def close(self) -> None:
        self._inner.close()


class _AsyncTransport(httpx.AsyncBaseTransport):
    def __init__(self, retry_for: float, in_flight: int) -> None:
        self._inner = httpx.AsyncHTTPTransport()
        self._retry_for = retry_for
        self._turns = asyncio.BoundedSemaphore(in_flight)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        _prepare(request)
        end = time.monotonic() + self._retry_for
        async with self._turns:
            attempt = 0
            while True:
                response, error = None, None
                try:
                    response = await self._inner.handle_async_request(request)
                    await response.aread()
                except httpx.TransportError as lost:
                    response, error = None, lost
                wait = _wait(response, attempt)
                if wait is None or time.monotonic() + wait > end:
                    if response is None:
                        raise _lost(request, error or Exception()) from error
                    return _checked(request, response)
                await asyncio.sleep(wait)
                attempt += 1

    async def aclose(self) -> None:
        await self._inner.aclose()


def connect(
    url: str, key: str, *, retry_for: float = 60, in_flight: int = 25, timeout: float = 35
) -> AuthenticatedClient:
    """A client for the functions of `api`. `retry_for` and `timeout` are seconds, the latter of one attempt."""
    base_url = re.sub(r"(/api)?/*$", "", url)
    client = AuthenticatedClient(base_url=base_url, token=key, prefix="", auth_header_name="X-Api-Key")
    shared: dict[str, Any] = {"base_url": base_url, "headers": {"X-Api-Key": key}, "timeout": timeout}
    client.set_httpx_client(httpx.Client(transport=_Transport(retry_for, in_flight), **shared))
    return client.set_async_httpx_client(httpx.AsyncClient(transport=_AsyncTransport(retry_for, in_flight), **shared))


def _next_skip(skip: int, size: int, count: int, body: Mapping[str, Any]) -> int | None:
    named = re.search(r"Continue with Skip (\d+)", str(body.get("Message", "")))
    if named:
        return int(named[1])
    total = body.get("Count")
    is_last = count < size or (isinstance(total, int) and skip + count >= total)
    return None if is_last else skip + count


def _page(request: Mapping[str, Any], size: str, skip: int) -> tuple[dict[str, Any], int]:
    return {**request, "Skip": skip}, int(request.get(size) or 100)


def pages(client: AuthenticatedClient, operation: str, request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every record of a list, such as `pages(client, "invoice/query", {"Status": "Open"})`."""
    size, name = LISTS[operation]
    skip: int | None = int(request.get("Skip") or 0)
    headers: dict[str, str] = {}
    while skip is not None:
        body, take = _page(request, size, skip)
        response = client.get_httpx_client().post(f"/api/{operation}", json=body, headers=headers)
        answer = response.json()
        yield from answer[name]
        headers = {"X-List": response.headers["x-list"]} if "x-list" in response.headers else {}
        skip = _next_skip(skip, take, len(answer[name]), answer)


async def async_pages(
    client: AuthenticatedClient, operation: str, request: Mapping[str, Any]
) -> AsyncIterator[dict[str, Any]]:
    """As `pages`, for `async for`."""
    size, name = LISTS[operation]
    skip: int | None = int(request.get("Skip") or 0)
    headers: dict[str, str] = {}
    while skip is not None:
        body, take = _page(request, size, skip)
        response = await client.get_async_httpx_client().post(f"/api/{operation}", json=body, headers=headers)
        answer = response.json()
        for record in answer[name]:
            yield record
        headers = {"X-List": response.headers["x-list"]} if "x-list" in response.headers else {}
        skip = _next_skip(skip, take, len(answer[name]), answer)


def events(
    client: AuthenticatedClient, *, kinds: Sequence[str] = (), once: bool = False, interval: float = 2
) -> Iterator[dict[str, Any]]:
    """Events in order. One is cleared when the loop asks for the next: what was not handled comes again."""
    handled = cleared = 0

    def call(name: str, body: dict[str, Any]) -> dict[str, Any]:
        return client.get_httpx_client().post(f"/api/datasubscriber/{name}", json=body).json()

    try:
        while True:
            page = call("fetch", {"Kinds": list(kinds), **({"ClearThroughId": handled} if handled else {})})
            cleared = handled
            for event in page["Events"]:
                yield event
                handled = event["Id"]
            if handled == cleared and not page["EventCount"]:
                if once:
                    return
                time.sleep(interval)
    finally:
        if handled > cleared:
            call("clear", {"ClearThroughId": handled})


async def async_events(
    client: AuthenticatedClient, *, kinds: Sequence[str] = (), once: bool = False, interval: float = 2
) -> AsyncIterator[dict[str, Any]]:
    """As `events`, for `async for`."""
    handled = cleared = 0

    async def call(name: str, body: dict[str, Any]) -> dict[str, Any]:
        return (await client.get_async_httpx_client().post(f"/api/datasubscriber/{name}", json=body)).json()

    try:
        while True:
            page = await call("fetch", {"Kinds": list(kinds), **({"ClearThroughId": handled} if handled else {})})
            cleared = handled
            for event in page["Events"]:
                yield event
                handled = event["Id"]
            if handled == cleared and not page["EventCount"]:
                if once:
                    return
                await asyncio.sleep(interval)
    finally:
        if handled > cleared:
            await call("clear", {"ClearThroughId": handled})


def verify(body: bytes | str, headers: Mapping[str, str], *secrets: str, tolerance: float = 300) -> dict[str, Any]:
    """The event of a webhook (Standard Webhooks); raises SignatureError. `body` is the body as it came."""
    values = {name.lower(): value for name, value in headers.items()}
    text = body.decode() if isinstance(body, bytes) else body
    message_id, timestamp = values.get("webhook-id", ""), values.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance:
        raise SignatureError(f"The call was signed at {timestamp or 'no time'}, more than {tolerance} s from now.")
    signatures = values.get("webhook-signature", "").split(" ")
    signed = f"{message_id}.{timestamp}.{text}".encode()
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures):
            return json.loads(text)
    raise SignatureError("The body is not signed with this secret, or was changed on its way.")
