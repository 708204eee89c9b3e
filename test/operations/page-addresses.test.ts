import type { Contact } from '../../lib/entities/contacts.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { beforeAll, expect, test } from 'vitest';
import { textOfPdf } from '../support/pdf-text.ts';
import { openProposal } from '../support/client-pages.ts';
import { bookingForms } from '../support/booking.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { onStack } from '../support/stack/stack.ts';

const HOME = '12 Main Street, Urb. Las Lomas, Apt 4, Springfield, IL 62701';
const OFFICE = '1 Market Square, Suite 5, Springfield, IL 62701';

let company: Bookable;

beforeAll(async () => {
  const BillingAddress = {
    Address1: '1 Market Square',
    Address2: 'Suite 5',
    City: 'Springfield',
    State: 'IL',
    Zip: '62701',
  };
  company = await bookable({
    organization: { BillingAddress },
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, SelfSelect: true }],
  });
  const Address2 = 'Urb. Las Lomas, Apt 4';
  const home = { Address1: '12 Main Street', Address2, City: 'Springfield', State: 'IL', Zip: '62701' };
  await company.call('contacts/addupdate', { Id: company.contact, ...home });
});

test('the apartment of a client and the suite of the company stand on pages, PDFs and calendar files', async () => {
  const Lines = [{ Description: 'Work', Rate: 100, Qty: 1 }];
  const made = await company.call('invoice/import', { Invoice: { ContactId: company.contact, Lines } });
  const { ClientPayUrl, ClientPdfUrl } = made.body['Invoice'] as Invoice;
  const proposal = onStack((await openProposal(company)).ClientUrl);
  const visit = onStack(slotIn(await company.book('Ann', '2035-03-05T09:00')).TrackingUrl);
  const of = async (link: string) => (await openPage(link)).text;
  for (const [shown, ...addresses] of [
    [await of(onStack(ClientPayUrl)), HOME, OFFICE],
    [await textOfPdf(onStack(ClientPdfUrl)), HOME, OFFICE],
    [await of(proposal), OFFICE],
    [await textOfPdf(`${proposal}/pdf`), OFFICE],
    [await of(visit), HOME, OFFICE],
    [(await of(`${visit}/visit.ics`)).replaceAll('\r\n ', '').replaceAll('\\,', ','), HOME],
  ] as const)
    for (const address of addresses) expect(shown).toContain(address);
  // Maps do not find an apartment.
  expect(await of(visit)).toContain(`query=${encodeURIComponent('12 Main Street, Springfield, IL 62701')}`);
});

test('the booking page asks for the apartment, which a new contact has, and the visit of one that exists', async () => {
  const { link, starts } = await bookingForms(company);
  const chosen = `${link}?service=${company.services['Lawn care']}&zip=62701`;
  const book = async (index: number, fields: object) => {
    const page = await openPage(`${chosen}&slot=${starts[index]}`);
    expect(page.text).toContain('autocomplete="address-line2"');
    const typed = { name: 'Ada Key', phone: '217-555-0171', email: 'ada@example.com', address: '5 Elm St' };
    expect((await sendForm(link, page, 'book', { ...typed, city: 'Springfield', ...fields })).status).toBe(200);
  };
  await book(0, { address2: 'Unit 7' });
  const { body } = await company.call('contacts/locate', { EmailSearch: 'ada@example.com' });
  const [contact] = body['Matches'] as Contact[];
  expect(contact).toMatchObject({ Address1: '5 Elm St', Address2: 'Unit 7' });
  await book(1, { address2: 'Unit 9' });
  const { body: found } = await company.call('appointments/query', { ContactId: contact?.Id ?? 0 });
  const notes = (found['Appointments'] as { InternalNotes: string }[]).map(({ InternalNotes }) => InternalNotes);
  expect(notes.join('\n')).toContain('Address2: Unit 9');
});
