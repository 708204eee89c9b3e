package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	api "example.org/fs/client"
)

// must returns the answer of a call, or ends the program.
func must[Answer any](answer *Answer, _ any, err error) *Answer {
	if err != nil {
		panic(err)
	}
	return answer
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := api.NewAPIClient(configuration)
	key := map[string]api.APIKey{"ApiKey": {Key: os.Getenv("API_KEY")}}
	ctx := context.WithValue(context.Background(), api.ContextAPIKeys, key)
	parsed, _ := strconv.Atoi(os.Getenv("SERVICE_ID"))
	service := int32(parsed)

	person := api.NewContactInput()
	person.SetName("Go Client")
	person.SetEmail("go@example.com")
	person.SetZip("62701")
	added := api.AddUpdateContactRequest{Matches: []api.ContactInput{*person}}
	must(client.ContactsAPI.ContactsAddUpdate(ctx).AddUpdateContactRequest(added).Execute())
	criteria := api.NewLocateContactsRequest()
	criteria.SetEmailSearch("go@example.com")
	located := must(client.ContactsAPI.ContactsLocate(ctx).LocateContactsRequest(*criteria).Execute())
	contact := located.Matches[0].Id
	search := api.NewSlotSearchAppointmentRequestWithDefaults()
	search.SetContactId(contact)
	search.SetServiceId(service)
	found := must(client.AppointmentsAPI.AppointmentsSlotSearch(ctx).SlotSearchAppointmentRequest(*search).Execute())
	slot := api.NewAppointmentSlotInput()
	slot.SetDateTime(found.Slots[0].DateTime)
	slot.SetServiceAgentId(found.Slots[0].ServiceAgentId)
	booking := api.NewBookAppointmentRequestWithDefaults()
	booking.SetContactId(contact)
	booking.SetServiceId(service)
	booking.SetSlots([]api.AppointmentSlotInput{*slot})
	booked := must(client.AppointmentsAPI.AppointmentsBook(ctx).BookAppointmentRequest(*booking).Execute())
	upload := api.NewContactUploadInputWithDefaults()
	upload.SetContactId(contact)
	file := api.NewUploadFileWithDefaults()
	file.SetFilename("meter.txt")
	file.SetContentType("text/plain")
	file.SetContent("MTggNDIx")
	form := api.UploadContactRequest{Upload: *upload, Files: []api.UploadFile{*file}}
	stored := must(client.ContactsAPI.ContactsUpload(ctx).UploadContactRequest(form).Execute())
	fmt.Println("booked", booked.Slots[0].DateTime, "uploaded", len(stored.GetUpload().UploadIds))
}
