import { type Meanings, suggest } from '../shared/text/suggestions.ts';

/**
 * Words of other APIs, in lower case and without separators; after the colon the fields that mean the same here. The
 * first one that the object has is suggested.
 */
const WORDS = `
accountid branchid: OrganizationId
address: Address1 AddressSearch StartAddress
addressline1 street1: Address1
addressline2 street2: Address2
addons: AddOnParts
agentid technicianid: ServiceAgentId
amount: UnitPrice Rate Total
appointmentid jobid: AppointmentId
body comment message text: Note Notes Description
businessname companyname: Company Name
cell cellphone mobile mobilephone: Phone PriPhone MobilePhone
clientid contactid customerid: ContactId IdSearch
clientname contactname customername familyname firstname fullname givenname lastname surname: Name NameSearch
code: Shortcode Number
comments: Notes Note CustomerNotes Description
cost: UnitCost UnitPrice
count: Take Limit EventCount Quantity
createdafter: CreatedFrom
createdbefore: CreatedThrough
date: DateTime ScheduledStart TargetDate SearchDate QueueDate Due Date FromDate
dateend: ThroughDate DateThrough
datethrough: ThroughDate DueThrough CreatedThrough
datefrom: FromDate DateFrom DueFrom CreatedFrom
datestart: FromDate DateFrom
dateto to: ThroughDate DateThrough CreatedThrough
description: Description LineDescription Notes Note
displayname: Name
duedate: Due DueDate DueThrough
baseduration durationminutes minutes: Duration DurationMinutes
email emailaddress: Email EmailSearch
employeeid: ServiceAgentId UserId
end: ThroughDate ActualFinish Duration
enddate: ThroughDate DateThrough EndDate
endtime: ActualFinish Duration
estimateid quoteid: ProposalId
externalid: CallCenterTransactionId TransactionId DigitalTrackingId Number
filter: Scope NameSearch
from: FromDate DateFrom CreatedFrom TargetDate
hours: Duration DurationMinutes TimeSlots
id: AppointmentId ProposalId InvoiceId TaskId PaymentId ContactId OrganizationId IdSearch
items lineitems: ProposalLines Lines AddOnParts
label: Name Title
limit top: Take EventCount
lines: ProposalLines AddOnParts
locationid: OrganizationId LocationId LocationID
name: Name NameSearch PublicName Title ServiceName
note: Note Notes UpdateNote CustomerNotes Description
notes: Notes Note CustomerNotes UpdateNote
offset page: Skip
ownerid: OwnerUserId
pagesize perpage size: Take Limit EventCount
partid: PartId Part Id
proposalid: ProposalId
paymentmethod paymenttype: Method
phone phonenumber: Phone PriPhone PhoneSearch PrimaryPhone MobilePhone
postalcode postcode: Zip PostalCode PostalCodes AddressSearch
price: UnitPrice Rate Price Total Amount
product: Part PartId Service ServiceName
productid: PartId ServiceId Part
province region: State
qty: Quantity
quantity: Qty
query: NameSearch PhoneSearch
rating: Score
reason reasonid: CancelReasonId
reference: TransactionId CallCenterTransactionId Number
scheduledat: ScheduledStart DateTime
scheduleddate: ScheduledStart DateTime TargetDate
search: NameSearch PhoneSearch PublicName
service: ServiceName ServiceId Service
signature: SignatureData
slot: Slots
source: LeadSource Channel
start: DateTime ScheduledStart Slots TargetDate FromDate
startdate: FromDate DateFrom ScheduledStart TargetDate StartDate
starttime: DateTime ScheduledStart Slots StartMinute ActualStart
street streetaddress: Address1 AddressSearch
subject: Title Description
tags: Tags TagList TagSearch
take: Limit EventCount
taxrate: NamedTaxRate TaxRate
telephone: Phone PriPhone PhoneSearch PrimaryPhone
timezone: Timezone
title: Title Name Description
transactionid: TransactionId CallCenterTransactionId
type: TaskType InvoiceType Category Kind Type
unitprice: Rate Price
updatedafter updatedsince: UpdatedFrom
updatedbefore: UpdatedThrough
userid: OwnerUserId UserId UserIds
webhook webhookurl callbackurl: NotificationUri DeliveryUri
workorderid: AppointmentId
zipcode: Zip PostalCode PostalCodes
`;

const MEANINGS: Meanings = Object.fromEntries(
  WORDS.trim()
    .split('\n')
    .flatMap((row) => {
      const [words = '', fields = ''] = row.split(': ');
      return words.split(' ').map((word) => [word, fields.split(' ')] as const);
    }),
);

const isId = (name: string): boolean => /[a-z]Ids?$/.test(name);

const isIdWord = (word: string): boolean => word.endsWith('id');

/** The field that an unknown name probably means. A misspelt id is an id: `InvoiceId` is not `InvoiceType`. */
export function suggestField(name: string, fields: readonly string[]): string | undefined {
  const words = Object.keys(MEANINGS).filter((word) => isIdWord(word) === isId(name));
  return suggest(name, fields, MEANINGS, isId(name) ? { similar: fields.filter(isId), words } : { words });
}
