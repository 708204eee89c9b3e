import type { Appointment } from '../../lib/entities/appointments.ts';
import type { Contact } from '../../lib/entities/contacts.ts';
import { beforeAll, expect, test } from 'vitest';
import { findOrganization, organizationChanges } from '../../lib/store/organizations/organizations.ts';
import { revokeLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { bookingLink, dayIn, linkContext, offered, visitLinkIn } from '../support/booking.ts';
import { someone, startsIn } from '../support/booking-forms.ts';
import { type OpenedPage, hiddenFields, openPage, sendForm, sendFrom } from '../support/pages.ts';
import { type Bookable, bookable, weekdays } from '../support/scheduling.ts';
import { testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

let company: Bookable;
let link: string;

beforeAll(async () => {
  const spring = { ...offered, Name: 'Spring cleaning', SeasonStart: dayIn(70), SeasonExpiration: dayIn(100) };
  const services = [offered, spring, { Name: 'Tree removal', BasePrice: 900, BaseDuration: 60 }];
  company = await bookable({ services });
  link = await bookingLink(company);
});

const timesPage = (of = link, service = company.services['Lawn care'], more = ''): Promise<OpenedPage> =>
  openPage(`${of}?service=${service}&zip=62701${more}`);

const detailsPage = (slot: number | undefined, more = ''): Promise<OpenedPage> =>
  timesPage(link, company.services['Lawn care'], `&slot=${slot}${more}`);

const visitsOf = async (ContactId: number): Promise<Appointment[]> =>
  (await company.call('appointments/query', { ContactId, FromDate: '2020-01-01' })).body[
    'Appointments'
  ] as Appointment[];

const contactOf = async (email: string): Promise<Contact[]> =>
  (await company.call('contacts/locate', { EmailSearch: email })).body['Matches'] as Contact[];

test('a client books a free time of an offered service, and follows the visit', async () => {
  const first = await openPage(link);
  expect(first.status).toBe(200);
  expect(first.text).toContain('Lawn care');
  expect(first.text).not.toContain('Tree removal');
  const source = '&utm_source=news&utm_campaign=spring';
  const times = startsIn(await timesPage(link, company.services['Lawn care'], source));
  const { body } = await company.call('appointments/slotsearch', {
    ContactId: company.contact,
    ServiceId: company.services['Lawn care'],
  });
  const found = (body['Slots'] as { DateTime: string }[]).map(({ DateTime }) => Date.parse(DateTime));
  expect(times.length).toBeGreaterThan(0);
  expect(times).toEqual([...new Set(found)].slice(0, times.length));

  const details = await detailsPage(times[0], source);
  const booked = await sendForm(link, details, 'book', someone({ email: 'ana@example.com', note: 'The gate sticks' }));
  expect(booked.status).toBe(200);
  expect(booked.text).toContain('We hold this time for you');
  const [contact] = await contactOf('ana@example.com');
  expect(contact).toMatchObject({ UtmSource: 'news', UtmCampaign: 'spring', Zip: '62701', Address1: '5 Elm St' });
  const [visit] = await visitsOf(contact?.Id ?? 0);
  expect(visit).toMatchObject({ Notes: 'The gate sticks', Status: 5, ServiceName: 'Lawn care' });
  const followed = await openPage(visitLinkIn(booked));
  expect(followed.status).toBe(200);
  const [, calendar = ''] = /href="([^"]+visit\.ics[^"]*)"/.exec(booked.text) ?? [];
  expect((await openPage(calendar)).text).toContain('METHOD:PUBLISH');
  expect(followed.text).not.toContain('5 Elm St');
});

test('a new client gets messages in the language of the page on which it books', async () => {
  const [slot] = startsIn(await timesPage());
  await sendForm(`${link}?lang=es`, await detailsPage(slot), 'book', someone({ email: 'sofia@example.com' }));
  expect(await contactOf('sofia@example.com')).toMatchObject([{ Language: 'es' }]);
});

test('50 clients who want one time make one booking, and the others are offered the nearest free ones', async () => {
  const one = await bookable({ services: [offered], agents: [{ Name: 'Ann', TimeSlots: weekdays() }] });
  const address = await bookingLink(one);
  const service = one.services['Lawn care'];
  const [slot = 0] = startsIn(await timesPage(address, service)).slice(3);
  const details = await timesPage(address, service, `&slot=${slot}`);
  const fields = hiddenFields(details.text, 'book');
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const form = `mark${String(index).padStart(18, '0')}`;
      return sendFrom(`127.0.${index % 10}.1`, address, { ...fields, ...someone(), form });
    }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(49);
  for (const answer of refused) {
    const free = startsIn(answer);
    expect(free).toHaveLength(8);
    expect(free).not.toContain(slot);
    expect(Math.abs((free[0] ?? 0) - slot)).toBeLessThanOrEqual(24 * 60 * 60 * 1000);
  }
  const { body } = await one.call('appointments/query', { FromDate: '2020-01-01' });
  expect(body['Appointments']).toHaveLength(1);
  const again = await sendFrom('127.0.20.1', address, {
    ...hiddenFields(refused[0]?.text ?? '', 'book'),
    ...someone(),
    slot: String(startsIn(refused[0] as OpenedPage)[0]),
  });
  expect(again.text).toContain('We hold this time for you');
});

test('a service whose season is ahead is offered and booked from the first day of its season on', async () => {
  const service = company.services['Spring cleaning'];
  const [first = 0] = startsIn(await timesPage(link, service));
  expect(first).toBeGreaterThanOrEqual(Date.parse(dayIn(70)));
  expect(first).toBeLessThan(Date.parse(dayIn(78)));
  const details = await timesPage(link, service, `&slot=${first}`);
  const booked = await sendForm(link, details, 'book', someone());
  expect(booked.text).toContain('We hold this time for you');
});

test('a form that is sent twice books once', async () => {
  const [slot] = startsIn(await timesPage());
  const details = await detailsPage(slot);
  const client = someone();
  const answers = await Promise.all([1, 2, 3].map(() => sendForm(link, details, 'book', client)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(visitLinkIn)).size).toBe(1);
  const [contact] = await contactOf(client['email'] ?? '');
  expect(await visitsOf(contact?.Id ?? 0)).toHaveLength(1);
});

test('a booking for a contact that exists changes and shows nothing of it', async () => {
  const { body } = await company.call('contacts/addupdate', {
    Name: 'Known Person',
    Email: 'known@example.com',
    Address1: '99 Secret Road',
    City: 'Hidden',
    Zip: '62701',
  });
  const [known] = body['Matches'] as Contact[];
  const [slot] = startsIn(await timesPage());
  const fields = someone({ name: 'K. Person', email: 'KNOWN@example.com', address: '1 Other St' });
  const booked = await sendForm(link, await detailsPage(slot), 'book', fields);
  expect(booked.status).toBe(200);
  const visitPage = await openPage(visitLinkIn(booked));
  expect(visitPage.status).toBe(200);
  for (const page of [booked, visitPage])
    for (const text of ['Secret', 'Hidden', 'Known Person', '/c/preferences/']) expect(page.text).not.toContain(text);
  const [after] = await contactOf('known@example.com');
  expect(after).toMatchObject({ Id: known?.Id, Name: 'Known Person', Address1: '99 Secret Road' });
  const [visit] = await visitsOf(known?.Id ?? 0);
  expect(visit?.InternalNotes).toContain('Address1: 1 Other St');
});

test('what is missing or wrong is said beside its field, and what was typed stays', async () => {
  const [slot] = startsIn(await timesPage());
  const details = await detailsPage(slot);
  const missing = await sendForm(link, details, 'book', someone({ name: ' ', city: 'Galena' }));
  expect(missing.status).toBe(400);
  expect(missing.text).toContain('id="name-error"');
  expect(missing.text).toContain('value="Galena"');
  const wrong = await sendForm(link, details, 'book', someone({ email: 'nobody' }));
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('id="email-error"');
});

test('too many bookings from one network are refused with a sentence', async () => {
  const [slot] = startsIn(await timesPage());
  const fields = hiddenFields((await detailsPage(slot)).text, 'book');
  const attempt = () => sendFrom('127.0.30.1', link, { ...fields, ...someone({ email: 'nobody' }) });
  const answers = await Promise.all(Array.from({ length: 24 }, attempt));
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(20);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(4);
  expect(refused[0]?.text).toContain('Too many attempts');
});

test('a form that is sent again from a network that books no more shows the visit that it made', async () => {
  const [slot] = startsIn(await timesPage());
  const fields = hiddenFields((await detailsPage(slot)).text, 'book');
  const send = (more: object) => sendFrom('127.0.31.1', link, { ...fields, ...more });
  const client = someone();
  const booked = await send(client);
  const attempts = await Promise.all(Array.from({ length: 20 }, () => send(someone({ email: 'nobody', form: '' }))));
  expect(attempts.some(({ status }) => status === 429)).toBe(true);
  const again = await send(client);
  expect([again.status, visitLinkIn(again)]).toEqual([200, visitLinkIn(booked)]);
});

test('the booking page stands in a frame of the sites that the organization lists, and of no other', async () => {
  const policy = async (address: string) => (await openPage(address)).headers.get('content-security-policy');
  expect(await policy(link)).toContain("frame-ancestors 'none'");
  const before = await findOrganization(accountStore(testTable(), company.accountId), company.organizationId);
  if (!before) throw new Error('no organization');
  const after = { ...before, BookingOrigins: ['https://www.evergreen.example', 'https://evergreen.example'] };
  await testTable().commit(organizationChanges({ account: company.accountId }, before, after).changes);
  expect(await policy(link)).toContain('frame-ancestors https://www.evergreen.example https://evergreen.example');
  const [slot] = startsIn(await timesPage());
  const booked = await sendForm(link, await detailsPage(slot), 'book', someone());
  expect(booked.headers.get('content-security-policy')).toContain('https://evergreen.example');
  expect(await policy(visitLinkIn(booked))).toContain("frame-ancestors 'none'");
});

test('a revoked booking link is dead at once, and one of another organization opens nothing', async () => {
  const other = await bookable({ services: [offered] });
  const address = await bookingLink(other);
  expect((await openPage(address)).status).toBe(200);
  expect((await openPage(address.replace('-1-0-', '-2-0-'))).status).toBe(404);
  await testTable().commit(await revokeLinks(linkContext(other), 'organization', other.organizationId));
  expect((await openPage(address)).status).toBe(404);
  expect((await openPage(await bookingLink(other))).status).toBe(200);
});
