import asyncio
import base64
import hashlib
import hmac
import os
import time

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
    FieldServiceError,
    SignatureError,
    async_events,
    async_pages,
    connect,
    events,
    pages,
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
except FieldServiceError as error:
    assert error.status == 409 and error.code == "slot_taken", error

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

print("booked", booked.appointment_id, "listed", len(listed), "events", len(kinds))
