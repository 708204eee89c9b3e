import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AppointmentsApi;
import org.openapitools.client.api.ContactsApi;
import org.openapitools.client.model.*;

/** Five calls; Connection is made for the library of the client. */
public class Client {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = Connection.open(System.getenv("BASE_URL"), System.getenv("API_KEY"));
    ContactsApi contacts = new ContactsApi(client);
    AppointmentsApi appointments = new AppointmentsApi(client);
    int service = Integer.parseInt(System.getenv("SERVICE_ID"));

    ContactInput person = new ContactInput().name("Java Client").email("java@example.com").zip("62701");
    contacts.contactsAddUpdate(new AddUpdateContactRequest().matches(List.of(person)), null);
    LocateContactsRequest criteria = new LocateContactsRequest().emailSearch("java@example.com");
    int contact = contacts.contactsLocate(criteria, null).getMatches().get(0).getId();
    SlotSearchAppointmentRequest search = new SlotSearchAppointmentRequest().contactId(contact).serviceId(service);
    AppointmentSlot found = appointments.appointmentsSlotSearch(search, null).getSlots().get(0);
    AppointmentSlotInput slot =
        new AppointmentSlotInput().dateTime(found.getDateTime()).serviceAgentId(found.getServiceAgentId());
    BookAppointmentRequest booking =
        new BookAppointmentRequest().contactId(contact).serviceId(service).slots(List.of(slot));
    AppointmentSlot booked = appointments.appointmentsBook(booking, null).getSlots().get(0);
    UploadFile file = new UploadFile().filename("meter.txt").contentType("text/plain").content("MTggNDIx");
    UploadContactRequest form =
        new UploadContactRequest().upload(new ContactUploadInput().contactId(contact)).files(List.of(file));
    int uploaded = contacts.contactsUpload(form, null).getUpload().getUploadIds().size();
    System.out.println("booked " + booked.getDateTime() + " uploaded " + uploaded);
  }
}
