import os

from field_service import (
    AddUpdateContactRequest,
    ApiClient,
    AppointmentSlotInput,
    AppointmentsApi,
    BookAppointmentRequest,
    Configuration,
    ContactInput,
    ContactUploadInput,
    ContactsApi,
    LocateContactsRequest,
    SlotSearchAppointmentRequest,
    UploadContactRequest,
)

configuration = Configuration(host=os.environ["BASE_URL"], api_key={"ApiKey": os.environ["API_KEY"]})
service = int(os.environ["SERVICE_ID"])

with ApiClient(configuration) as client:
    contacts, appointments = ContactsApi(client), AppointmentsApi(client)
    person = ContactInput(Name="Python Client", Email="python@example.com", Zip="62701")
    contacts.contacts_add_update(AddUpdateContactRequest(Matches=[person]))
    located = contacts.contacts_locate(LocateContactsRequest(EmailSearch="python@example.com"))
    contact = located.matches[0].id
    found = appointments.appointments_slot_search(SlotSearchAppointmentRequest(ContactId=contact, ServiceId=service))
    slot = AppointmentSlotInput(DateTime=found.slots[0].date_time, ServiceAgentId=found.slots[0].service_agent_id)
    booked = appointments.appointments_book(BookAppointmentRequest(ContactId=contact, ServiceId=service, Slots=[slot]))
    files = [{"Filename": "meter.txt", "ContentType": "text/plain", "Content": "MTggNDIx"}]
    stored = contacts.contacts_upload(UploadContactRequest(upload=ContactUploadInput(ContactId=contact), files=files))
    print("booked", booked.slots[0].date_time, "uploaded", len(stored.upload.upload_ids))
