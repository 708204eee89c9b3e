import asyncio
import base64
import hashlib
import hmac
import os
import secrets
import time
from pathlib import Path
from typing import Any

import httpx

from field_service_client.api.appointments import appointments_book, appointments_slot_search
from field_service_client.api.contacts import contacts_add_note, contacts_add_update, contacts_locate
from field_service_client.models import (
    AddNoteContactRequest,
    AddUpdateContactRequest,
    AppointmentSlotInput,
    BookAppointmentRequest,
    ContactInput,
    LocateContactsRequest,
    NoteInput,
    SlotSearchAppointmentRequest,
)
from field_service_client.runtime import (
    Attempt,
    ConflictError,
    FieldServiceError,
    File,
    SignatureError,
    async_events,
    async_file,
    async_pages,
    async_rows,
    async_upload,
    connect,
    events,
    file,
    pages,
    rows,
    upload,
    verify,
)

client = connect(os.environ["BASE_URL"], os.environ["API_KEY"])
service = int(os.environ["SERVICE_ID"])

people = [ContactInput(name=f"Package {n}", email=f"package{n}@example.com", zip_="62701") for n in range(7)]
added = contacts_add_update.sync(client=client, body=AddUpdateContactRequest(matches=people))
assert added is not None and len(added.matches) == 7
contact = added.matches[0].id
assert contact is not None

# The first answer is lost, the second is 503: one note all the same.
note = AddNoteContactRequest(contact_id=contact, note=NoteInput(body="Once."))
assert contacts_add_note.sync(client=client, body=note) is not None
found = contacts_locate.sync(client=client, body=LocateContactsRequest(id_search=contact))
assert found is not None and len(found.matches[0].notes) == 1, found

search = SlotSearchAppointmentRequest(contact_id=contact, service_id=service)
free = appointments_slot_search.sync(client=client, body=search)
assert free is not None
slot = AppointmentSlotInput(date_time=free.slots[0].date_time, service_agent_id=free.slots[0].service_agent_id)
booking = BookAppointmentRequest(contact_id=contact, service_id=service, slots=[slot])
booked = appointments_book.sync(client=client, body=booking)
assert booked is not None
try:
    appointments_book.sync(client=client, body=booking)
    raise AssertionError("A slot is booked twice.")
except ConflictError as error:
    assert error.status == 409 and error.code == "slot_taken", error

# Refused before anything is called.
for wrong in (
    lambda: connect("localhost:4000", "fsk_test_x"),
    lambda: connect("http://127.0.0.1:4000", ""),
    lambda: connect("http://127.0.0.1:4000", "fsk_test_x", in_flight=0),
    lambda: list(pages(client, "task/create", {"Description": "Not to be made"})),
    lambda: verify("{}", {"webhook-timestamp": str(int(time.time()))}, "whsec_"),
):
    try:
        wrong()
        raise AssertionError("It was not refused.")
    except ValueError as error:
        assert str(error).endswith("."), error
assert not list(pages(client, "task/query", {}))

listed = {each["Id"] for each in pages(client, "contacts/locate", {"NameSearch": "package", "Limit": 2})}
assert len(listed) == 7, listed


async def asynchronous() -> set[int]:
    located = await contacts_locate.asyncio(client=client, body=LocateContactsRequest(id_search=contact))
    assert located is not None and located.matches[0].name == "Package 0"
    return {each["Id"] async for each in async_pages(client, "contacts/locate", {"NameSearch": "package", "Limit": 3})}


assert asyncio.run(asynchronous()) == listed

until = time.monotonic() + 20
kinds: list[str] = []
while "appointment.booked" not in kinds and time.monotonic() < until:
    kinds += [event["Payload"]["Kind"] for event in events(client, once=True)]
assert "note.created" in kinds and "appointment.booked" in kinds, kinds


async def rest() -> list[int]:
    other = connect(os.environ["BASE_URL"], os.environ["API_KEY"])
    return [event["Id"] async for event in async_events(other, once=True)]


assert asyncio.run(rest()) == []

# Rows: each once, also where the connection to the file breaks; a line end of Unicode in a text ends no row.
contacts_add_update.sync(
    client=client, body=AddUpdateContactRequest(matches=[ContactInput(id=contact, nickname="one\u2028two")])
)
names = [row["Name"] for row in rows(client, "contacts", scope="account")]
assert len(names) == len(set(names)) >= 7, names


class Breaking(httpx.HTTPTransport):
    broken = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        assert "x-api-key" not in request.headers
        if Breaking.broken == 2:
            return response
        Breaking.broken += 1
        content = response.read()[: 100 * Breaking.broken + 7]
        headers = {"Content-Length": str(len(content))}
        return httpx.Response(200, headers=headers, stream=httpx.ByteStream(content), request=request)


whole = httpx.stream


def broken_stream(method: str, url: str) -> Any:
    return httpx.Client(transport=Breaking()).stream(method, url)


httpx.stream = broken_stream  # type: ignore[assignment]
assert [row["Name"] for row in rows(client, "contacts", scope="account")] == names
assert Breaking.broken == 2
httpx.stream = whole

made = file(client, "contacts", scope="account")
text = httpx.get(made["Url"]).text
assert made["Records"] == len(names) and hashlib.sha256(text.encode()).hexdigest() == made["Sha256"]

large = Path("large.pdf")
large.write_bytes(b"%PDF-1.7\n" + secrets.token_bytes(5_000_000))


def stored(answer: dict[str, Any]) -> list[bytes]:
    headers = {"X-Api-Key": os.environ["API_KEY"]}
    ids = answer["upload"]["UploadIds"]
    return [httpx.get(f"{os.environ['STACK_URL']}/files/{each}", headers=headers, follow_redirects=True).content for each in ids]


small = [File("meter.txt", b"18421", "text/plain"), File("note.txt", "Grüße".encode(), "text/plain")]
assert stored(upload(client, {"ContactId": contact, "Note": "Two"}, small)) == [b"18421", "Grüße".encode()]
assert stored(upload(client, {"ContactId": contact}, [File("large.pdf", large, "application/pdf")])) == [
    large.read_bytes()
]


async def files() -> None:
    other = connect(os.environ["BASE_URL"], os.environ["API_KEY"])
    assert [row["Name"] async for row in async_rows(other, "contacts", scope="account")] == names
    assert (await async_file(other, "contacts", scope="account"))["Records"] == len(names)
    answer = await async_upload(other, {"ContactId": contact}, [File("large.pdf", large, "application/pdf")])
    assert stored(answer) == [large.read_bytes()]


asyncio.run(files())

# More calls at once than the key may make in a second: each waits as Retry-After says, and none fails.
attempts: list[Attempt] = []


async def many() -> None:
    eager = connect(os.environ["STACK_URL"], os.environ["API_KEY"], in_flight=60, log=attempts.append)
    body = LocateContactsRequest(name_search="nobody")
    await asyncio.gather(*(contacts_locate.asyncio(client=eager, body=body) for _ in range(260)))


asyncio.run(many())
waits = [each for each in attempts if each.status == 429]
assert len(attempts) - len(waits) == 260 and waits, len(attempts)
assert all(each.retry_in is not None and each.retry_in >= 1 for each in waits), waits[0]

key = b"0123456789abcdef01234567"
secret = "whsec_" + base64.b64encode(key).decode()
now = str(int(time.time()))
body = b'{"Id":7,"Payload":{"Kind":"invoice.paid"}}'
signature = base64.b64encode(hmac.new(key, f"msg.{now}.".encode() + body, hashlib.sha256).digest()).decode()
headers = {"Webhook-Id": "msg", "Webhook-Timestamp": now, "Webhook-Signature": f"v1,{signature}"}
assert verify(body, headers, secret)["Id"] == 7
for changed in (body.replace(b"7", b"8"), b""):
    try:
        verify(changed, headers, secret)
        raise AssertionError("A changed body is accepted.")
    except SignatureError:
        pass

print("booked", booked.appointment_id, "listed", len(listed), "events", len(kinds), "429", len(waits))
