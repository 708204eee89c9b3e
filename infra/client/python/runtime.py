"""Connects to the API and makes calls safe: retries, limited concurrency, lists, events, files.

    from field_service_client.runtime import connect
    from field_service_client.api.contacts import contacts_locate
    from field_service_client.models import LocateContactsRequest

    client = connect("https://api.example.com", key)
    found = contacts_locate.sync(client=client, body=LocateContactsRequest(name_search="garc"))

`connect` serves the `sync` and the `asyncio` function of each operation. A failed call raises FieldServiceError.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import json
import random
import re
import threading
import time
import uuid
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from .client import AuthenticatedClient
from .operations import LISTS, WRITES

FIRST_WAIT = 0.25
LONGEST_WAIT = 8.0
# The most bytes of all files in one call; larger files are sent one by one to separate addresses.
MAX_BYTES_IN_CALL = 4_500_000
# Attempts at a file whose connection breaks; for a download, attempts without a row in between.
MAX_ATTEMPTS = 5
# Seconds after which handled events are cleared, even within a page.
CLEAR_AFTER = 5.0


class FieldServiceError(Exception):
    """A failed call. Decide by `code`; the message is for people. `status` is 0 without an answer."""

    def __init__(self, message: str, status: int = 0, body: Mapping[str, Any] | None = None, request_id: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.body = dict(body or {})
        self.code = str(self.body.get("Code", "" if status else "connection"))
        self.fields: list[dict[str, str]] = list(self.body.get("Errors") or [])
        self.request_id = request_id


class InvalidRequestError(FieldServiceError):
    """400 and 413: correct the request as `fields` says."""


class AuthenticationError(FieldServiceError):
    """401: the key is missing, unknown, revoked or expired."""


class ForbiddenError(FieldServiceError):
    """403: the key may not do this."""


class NotFoundError(FieldServiceError):
    """404: a record does not exist for this key."""


class ConflictError(FieldServiceError):
    """409: the state of a record forbids the call, such as a slot that is taken."""


class RateLimitError(FieldServiceError):
    """429 for longer than calls are retried."""


class ServerError(FieldServiceError):
    """500 and above for longer than calls are retried."""


class NoAnswerError(FieldServiceError):
    """No answer for longer than calls are retried. A write may have been done: repeat it with its key."""


_CLASSES: Mapping[int, type[FieldServiceError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    429: RateLimitError,
}


class SignatureError(Exception):
    """The body of a webhook is not signed with the secret, or was signed too long ago."""


class Attempt(NamedTuple):
    """An attempt at a call, without its body and key."""

    operation: str
    # Counts from 1.
    attempt: int
    # 0 without an answer.
    status: int
    seconds: float
    request_id: str
    # Seconds until the call is retried, if it is.
    retry_in: float | None


Log = Callable[[Attempt], None]


def _operation(request: httpx.Request) -> str:
    return "/".join(request.url.path.rsplit("/", 2)[-2:])


def _prepare(request: httpx.Request) -> None:
    # The same for every attempt, so that the API does the work only once.
    if _operation(request) in WRITES and "idempotency-key" not in request.headers:
        request.headers["Idempotency-Key"] = str(uuid.uuid4())


def _body(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _wait(response: httpx.Response | None, attempt: int) -> float | None:
    """Seconds until the next attempt; None if another one would not help."""
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
    status = response.status_code
    error_class = _CLASSES.get(status, ServerError if status >= 500 else FieldServiceError)
    raise error_class(f"{_operation(request)}: {message}", status, body, request_id)


def _attempt(
    request: httpx.Request, response: httpx.Response | None, attempt: int, since: float, retry_in: float | None
) -> Attempt:
    status, headers = (response.status_code, response.headers) if response is not None else (0, httpx.Headers())
    request_id = headers.get("x-request-id", "")
    return Attempt(_operation(request), attempt + 1, status, time.monotonic() - since, request_id, retry_in)


def _lost(request: httpx.Request, error: Exception) -> FieldServiceError:
    return NoAnswerError(f"{_operation(request)}: The connection failed: {error}")


class _Transport(httpx.BaseTransport):
    def __init__(self, retry_for: float, in_flight: int, log: Log | None) -> None:
        self._inner = httpx.HTTPTransport()
        self._retry_for = retry_for
        self._log = log
        self._turns = threading.BoundedSemaphore(in_flight)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        _prepare(request)
        end = time.monotonic() + float(request.extensions.get("retry_for", self._retry_for))
        with self._turns:
            attempt = 0
            while True:
                response, error, since = None, None, time.monotonic()
                try:
                    response = self._inner.handle_request(request)
                    response.read()
                except httpx.TransportError as lost:
                    response, error = None, lost
                wait = _wait(response, attempt)
                is_last = wait is None or time.monotonic() + wait > end
                if self._log:
                    self._log(_attempt(request, response, attempt, since, None if is_last else wait))
                if wait is None or is_last:
                    if response is None:
                        raise _lost(request, error or Exception()) from error
                    return _checked(request, response)
                time.sleep(wait)
                attempt += 1

    def close(self) -> None:
        self._inner.close()


class _AsyncTransport(httpx.AsyncBaseTransport):
    def __init__(self, retry_for: float, in_flight: int, log: Log | None) -> None:
        self._inner = httpx.AsyncHTTPTransport()
        self._retry_for = retry_for
        self._log = log
        self._turns = asyncio.BoundedSemaphore(in_flight)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        _prepare(request)
        end = time.monotonic() + float(request.extensions.get("retry_for", self._retry_for))
        async with self._turns:
            attempt = 0
            while True:
                response, error, since = None, None, time.monotonic()
                try:
                    response = await self._inner.handle_async_request(request)
                    await response.aread()
                except httpx.TransportError as lost:
                    response, error = None, lost
                wait = _wait(response, attempt)
                is_last = wait is None or time.monotonic() + wait > end
                if self._log:
                    self._log(_attempt(request, response, attempt, since, None if is_last else wait))
                if wait is None or is_last:
                    if response is None:
                        raise _lost(request, error or Exception()) from error
                    return _checked(request, response)
                await asyncio.sleep(wait)
                attempt += 1

    async def aclose(self) -> None:
        await self._inner.aclose()


def connect(
    url: str, key: str, *, retry_for: float = 60, in_flight: int = 25, timeout: float = 35, log: Log | None = None
) -> AuthenticatedClient:
    """A client for the functions of `api`. `retry_for` and `timeout` are in seconds, the latter per attempt.

    Calls wait for their turn above `in_flight`; `log` is called after each attempt.
    """
    if not re.match(r"https?://[^/]", url):
        raise ValueError("url must be an address such as https://api.example.com.")
    if not re.fullmatch(r"[!-~]+", key):
        # Without the key itself: errors are logged.
        raise ValueError("key must be an API key, such as fsk_live_….")
    if in_flight < 1:
        raise ValueError("in_flight must be 1 or more.")
    base_url = re.sub(r"(/api)?/*$", "", url)
    client = AuthenticatedClient(base_url=base_url, token=key, prefix="", auth_header_name="X-Api-Key")
    headers = {"X-Api-Key": key, "Accept": "application/json"}
    shared: dict[str, Any] = {"base_url": base_url, "headers": headers, "timeout": timeout}
    client.set_httpx_client(httpx.Client(transport=_Transport(retry_for, in_flight, log), **shared))
    return client.set_async_httpx_client(httpx.AsyncClient(transport=_AsyncTransport(retry_for, in_flight, log), **shared))


class _Request(NamedTuple):
    operation: str
    body: Mapping[str, Any]
    headers: Mapping[str, str] = {}
    query: str = ""
    # Whether it is retried while it fails.
    is_patient: bool = False


class _Put(NamedTuple):
    url: str
    file: File


class _Pause(NamedTuple):
    seconds: float


class _Item(NamedTuple):
    value: Any


_Step = _Request | _Put | _Pause | _Item
# Generators that describe the work once for `sync` and `async`; they receive the answer of each request.
_Flow = Generator[_Step, Any, None]


class _Stopped(Exception):
    """The loop ended before its iterator did."""


def _next(flow: _Flow, answer: object = None) -> _Step | None:
    try:
        return flow.send(answer)
    except StopIteration:
        return None


def _throw(flow: _Flow, error: Exception) -> _Step | None:
    try:
        return flow.throw(error)
    except (StopIteration, _Stopped):
        return None


def _post(step: _Request) -> dict[str, Any]:
    url = f"/api/{step.operation}" + (f"?{step.query}" if step.query else "")
    extensions = {"retry_for": float("inf")} if step.is_patient else {}
    return {"url": url, "json": dict(step.body), "headers": dict(step.headers), "extensions": extensions}


def _do(client: AuthenticatedClient, flow: _Flow, step: _Step) -> _Step | None:
    try:
        answer = None
        if isinstance(step, _Pause):
            time.sleep(step.seconds)
        elif isinstance(step, _Put):
            _put(step)
        elif isinstance(step, _Request):
            answer = client.get_httpx_client().post(**_post(step))
    except Exception as error:
        return _throw(flow, error)
    return _next(flow, answer)


def _items(client: AuthenticatedClient, flow: _Flow) -> Iterator[Any]:
    step = _next(flow)
    try:
        while step is not None:
            if isinstance(step, _Item):
                yield step.value
                step = _next(flow)
            else:
                step = _do(client, flow, step)
    except GeneratorExit:
        step = _throw(flow, _Stopped())
        while step is not None:
            step = _do(client, flow, step)
        raise


async def _async_do(client: AuthenticatedClient, flow: _Flow, step: _Step) -> _Step | None:
    try:
        answer = None
        if isinstance(step, _Pause):
            await asyncio.sleep(step.seconds)
        elif isinstance(step, _Put):
            await asyncio.to_thread(_put, step)
        elif isinstance(step, _Request):
            answer = await client.get_async_httpx_client().post(**_post(step))
    except Exception as error:
        return _throw(flow, error)
    return _next(flow, answer)


async def _async_items(client: AuthenticatedClient, flow: _Flow) -> AsyncIterator[Any]:
    step = _next(flow)
    try:
        while step is not None:
            if isinstance(step, _Item):
                yield step.value
                step = _next(flow)
            else:
                step = await _async_do(client, flow, step)
    except GeneratorExit:
        step = _throw(flow, _Stopped())
        while step is not None:
            step = await _async_do(client, flow, step)
        raise


def _pages(operation: str, request: Mapping[str, Any]) -> _Flow:
    # Checked before the call, because a writing operation would write.
    if operation not in LISTS:
        raise ValueError(f"{operation} has no pages. These have: {', '.join(LISTS)}.")
    body, headers = dict(request), dict[str, str]()
    while True:
        response: httpx.Response = yield _Request(operation, body, headers)
        for record in response.json()[LISTS[operation]]:
            yield _Item(record)
        following = response.headers.get("x-next-skip")
        if following is None:
            return
        body["Skip"] = int(following)
        headers = {"X-List": response.headers["x-list"]} if "x-list" in response.headers else {}


def pages(client: AuthenticatedClient, operation: str, request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every record of a list, such as `pages(client, "invoice/query", {"Status": "Open"})`."""
    return _items(client, _pages(operation, request))


def async_pages(
    client: AuthenticatedClient, operation: str, request: Mapping[str, Any]
) -> AsyncIterator[dict[str, Any]]:
    """As `pages`, for `async for`."""
    return _async_items(client, _pages(operation, request))


def _events(kinds: Sequence[str], from_now: bool, once: bool, interval: float) -> _Flow:
    handled = cleared = 0
    start = {"From": "now"} if from_now else {}
    try:
        while True:
            body = {**start, "Kinds": list(kinds), **({"ClearThroughId": handled} if handled else {})}
            try:
                response: httpx.Response = yield _Request("datasubscriber/fetch", body, is_patient=not once)
            except FieldServiceError as error:
                # It already has a position, where a restarted program continues.
                if not start or error.status != 409:
                    raise
                start = {}
                continue
            start = {}
            page = response.json()
            cleared = handled
            since = time.monotonic()
            for event in page["Events"]:
                yield _Item(event)
                handled = event["Id"]
                if time.monotonic() - since >= CLEAR_AFTER:
                    yield _Request("datasubscriber/clear", {"ClearThroughId": handled}, is_patient=not once)
                    cleared, since = handled, time.monotonic()
            if handled == cleared and not page["EventCount"]:
                if once:
                    return
                yield _Pause(interval)
    finally:
        if handled > cleared:
            yield _Request("datasubscriber/clear", {"ClearThroughId": handled})


def events(
    client: AuthenticatedClient,
    *,
    kinds: Sequence[str] = (),
    from_now: bool = False,
    once: bool = False,
    interval: float = 2,
) -> Iterator[dict[str, Any]]:
    """Events in order. One is cleared when the loop asks for the next; unhandled events are delivered again.

    `from_now`: a subscriber that has not cleared anything starts after the newest event. `once` ends at an empty queue.
    """
    return _items(client, _events(kinds, from_now, once, interval))


def async_events(
    client: AuthenticatedClient,
    *,
    kinds: Sequence[str] = (),
    from_now: bool = False,
    once: bool = False,
    interval: float = 2,
) -> AsyncIterator[dict[str, Any]]:
    """As `events`, for `async for`."""
    return _async_items(client, _events(kinds, from_now, once, interval))


def _made(kind: str, request: Mapping[str, Any], scope: str, format: str) -> _Flow:
    """Requests the file of a download and waits until it is ready."""
    group = "datasubscriber" if scope == "account" else "download"
    body = {**request, "Kind": kind}
    response: httpx.Response = yield _Request(f"{group}/startdownload", body, query=f"format={format}")
    made = {"DownloadId": response.json()["DownloadId"]}
    wait = 0.2
    while True:
        response = yield _Request(f"{group}/downloadstatus", made)
        if response.json()["Ready"]:
            yield _Item({**made, "Group": group})
            return
        yield _Pause(wait)
        wait = min(3.0, wait * 1.5)


def _address(made: Mapping[str, str], query: str = "") -> _Flow:
    body = {"DownloadId": made["DownloadId"]}
    response: httpx.Response = yield _Request(f"{made['Group']}/getdownload", body, query=query)
    yield _Item(response.json())


def _value(client: AuthenticatedClient, flow: _Flow) -> Any:
    [value] = _items(client, flow)
    return value


async def _async_value(client: AuthenticatedClient, flow: _Flow) -> Any:
    [value] = [each async for each in _async_items(client, flow)]
    return value


def file(
    client: AuthenticatedClient,
    kind: str,
    request: Mapping[str, Any] | None = None,
    *,
    scope: str = "organization",
    format: str = "csv",
) -> dict[str, Any]:
    """Requests the CSV or JSONL file of a download: `Url` (for anyone, 15 minutes), `Records`, `Bytes`, `Sha256`."""
    return _value(client, _address(_value(client, _made(kind, request or {}, scope, format))))


async def async_file(
    client: AuthenticatedClient,
    kind: str,
    request: Mapping[str, Any] | None = None,
    *,
    scope: str = "organization",
    format: str = "csv",
) -> dict[str, Any]:
    """As `file`."""
    return await _async_value(client, _address(await _async_value(client, _made(kind, request or {}, scope, format))))


class _Rows:
    """The rows of a file, each once; if the connection breaks, the file is read again from the start."""

    def __init__(self) -> None:
        self.done = 0
        self._attempt = 0
        self.begin()

    def begin(self) -> None:
        self._passed = 0
        self._rest = b""

    def rows(self, chunk: bytes) -> Iterator[dict[str, Any]]:
        # Not by splitlines, because texts in a row may contain Unicode line ends.
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            if not line:
                continue
            self._passed += 1
            if self._passed > self.done:
                yield json.loads(line)
                self.done = self._passed
                self._attempt = 0

    def is_whole(self, records: int) -> bool:
        if self.done == records:
            return True
        raise httpx.RemoteProtocolError(f"The file ended after {self.done} of {records} rows.")

    def wait(self, error: httpx.HTTPError) -> float:
        """Seconds until the next attempt; raises after the last."""
        self._attempt += 1
        if self._attempt == MAX_ATTEMPTS:
            raise NoAnswerError(f"download/getdownload: {error}") from error
        self.begin()
        return float(FIRST_WAIT * 2**self._attempt)


def rows(
    client: AuthenticatedClient,
    kind: str,
    request: Mapping[str, Any] | None = None,
    *,
    scope: str = "organization",
) -> Iterator[dict[str, Any]]:
    """Every row of a download as it arrives. If the connection breaks, continues after the last row."""
    made = _value(client, _made(kind, request or {}, scope, "jsonl"))
    found = _Rows()
    while True:
        address = _value(client, _address(made, "gzip=1"))
        try:
            # A separate client, so that the key is not sent there.
            with httpx.stream("GET", address["Url"]) as response:
                response.raise_for_status()
                for chunk in response.iter_bytes():
                    yield from found.rows(chunk)
            if found.is_whole(address["Records"]):
                return
        except httpx.HTTPError as error:
            time.sleep(found.wait(error))


async def async_rows(
    client: AuthenticatedClient,
    kind: str,
    request: Mapping[str, Any] | None = None,
    *,
    scope: str = "organization",
) -> AsyncIterator[dict[str, Any]]:
    """As `rows`, for `async for`."""
    made = await _async_value(client, _made(kind, request or {}, scope, "jsonl"))
    found = _Rows()
    while True:
        address = await _async_value(client, _address(made, "gzip=1"))
        try:
            async with httpx.AsyncClient() as plain, plain.stream("GET", address["Url"]) as response:
                response.raise_for_status()
                async for chunk in response.aiter_bytes():
                    for row in found.rows(chunk):
                        yield row
            if found.is_whole(address["Records"]):
                return
        except httpx.HTTPError as error:
            await asyncio.sleep(found.wait(error))


@dataclass(frozen=True)
class File:
    """A file with its name. The content of a path is read while it is sent."""

    name: str
    content: bytes | Path
    type: str = "application/octet-stream"

    @property
    def size(self) -> int:
        return self.content.stat().st_size if isinstance(self.content, Path) else len(self.content)


def _put(step: _Put) -> None:
    """Sends the bytes to their address, and retries if the connection breaks."""
    url, file = step
    for attempt in range(1, MAX_ATTEMPTS):
        status, lost = 0, None
        try:
            headers = {"Content-Type": file.type}
            if isinstance(file.content, Path):
                with file.content.open("rb") as content:
                    status = httpx.put(url, content=content, headers=headers, timeout=None).status_code
            else:
                status = httpx.put(url, content=file.content, headers=headers, timeout=None).status_code
        except httpx.TransportError as error:
            lost = error
        if 200 <= status < 300:
            return
        if attempt == MAX_ATTEMPTS - 1 or 0 < status < 500:
            reason = f"was refused with HTTP {status}" if status else "was not sent"
            error_class = FieldServiceError if status else NoAnswerError
            raise error_class(f"{file.name} {reason}.", status) from lost
        time.sleep(FIRST_WAIT * 2**attempt)


def _upload(form: Mapping[str, Any], files: Sequence[File]) -> _Flow:
    operation = "proposal/upload" if "ProposalId" in form else "contacts/upload"
    if sum(each.size for each in files) <= MAX_BYTES_IN_CALL:
        contents = [
            {
                "Filename": each.name,
                "ContentType": each.type,
                "Content": base64.b64encode(
                    each.content.read_bytes() if isinstance(each.content, Path) else each.content
                ).decode(),
            }
            for each in files
        ]
        response: httpx.Response = yield _Request(operation, {"upload": form, "files": contents})
        yield _Item(response.json())
        return
    announced = [{"Filename": each.name, "ContentType": each.type, "Size": each.size} for each in files]
    response = yield _Request(operation, {"upload": form, "files": announced})
    answer = response.json()
    for url, each in zip(answer["UploadUrls"], files, strict=True):
        yield _Put(url, each)
    response = yield _Request(operation, {"upload": {**form, "UploadIds": answer["upload"]["UploadIds"]}})
    yield _Item(response.json())


def upload(client: AuthenticatedClient, form: Mapping[str, Any], files: Sequence[File]) -> dict[str, Any]:
    """Stores files with a contact or proposal: `upload(client, {"ContactId": 1}, [File("a.png", Path("a.png"))])`."""
    return _value(client, _upload(form, files))


async def async_upload(client: AuthenticatedClient, form: Mapping[str, Any], files: Sequence[File]) -> dict[str, Any]:
    """As `upload`."""
    return await _async_value(client, _upload(form, files))


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("The secret has the form whsec_ and base64.")
    return key


def verify(body: bytes | str, headers: Mapping[str, str], *secrets: str, tolerance: float = 300) -> dict[str, Any]:
    """The event of a webhook (Standard Webhooks); raises SignatureError. `body` is the raw body."""
    values = {name.lower(): value for name, value in headers.items()}
    text = body.decode() if isinstance(body, bytes) else body
    message_id, timestamp = values.get("webhook-id", ""), values.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance:
        raise SignatureError(f"The call was signed at {timestamp or 'no time'}, more than {tolerance} s from now.")
    signatures = values.get("webhook-signature", "").split(" ")
    signed = f"{message_id}.{timestamp}.{text}".encode()
    for secret in secrets:
        key = _key_of(secret)
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures):
            return json.loads(text)
    raise SignatureError("The body is not signed with this secret, or was changed on its way.")
