import { beforeAll, describe, expect, test } from 'vitest';
import { newOrganizationChanges } from '../../lib/store/organizations/organizations.ts';
import { type Bookable, bookable, weekdays } from '../support/scheduling.ts';
import { expectFailure } from '../support/failed.ts';
import { type TestAnswer, testTable } from '../support/stack/stack.ts';

/** Web forms send text in every field. */

let company: Bookable;

beforeAll(async () => {
  company = await bookable({
    agents: [{ Name: 'Ann Lee', Email: 'ann@example.com', TimeSlots: weekdays() }],
    services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 }],
    customFields: [
      { Name: 'Square feet', Shortcode: 'sqft', Type: 1, TableType: 0 },
      { Name: 'Has dogs', Type: 3, TableType: 0 },
      { Name: 'Gate code', Type: 0, TableType: 0 },
    ],
  });
});

const contactIn = ({ body }: TestAnswer) =>
  (body['Matches'] as { Id: number; CustomFields: { Name: string; Value: unknown }[] }[])[0];
const valuesOf = (answer: TestAnswer) => contactIn(answer)?.CustomFields.map(({ Name, Value }) => [Name, Value]);

describe('a lead of a form', () => {
  test('has its consents and custom fields as their types', async () => {
    const answer = await company.call('contacts/addupdate', {
      Name: 'Bo Diaz',
      Email: 'bo@example.com',
      DoNotText: 'true',
      DoNotEmail: '',
      OrganizationId: String(company.organizationId),
      ReturnPmtOnFile: 'no',
      CustomFields: [
        { Name: 'Square feet', Value: '275' },
        { Name: 'Has dogs', Value: 'True' },
        { Name: 'Gate code', Value: 4711 },
      ],
    });
    expect(answer.status, answer.text).toBe(200);
    expect(contactIn(answer)).toMatchObject({ DoNotText: true, DoNotEmail: false });
    expect(valuesOf(answer)).toEqual([
      ['Square feet', 275],
      ['Has dogs', true],
      ['Gate code', '4711'],
    ]);
  });

  test('is stored without a custom field that cannot be read, and Message names field and value', async () => {
    const answer = await company.call('contacts/addupdate', {
      Matches: [
        { Name: 'Cy Roe', Email: 'cy@example.com', CustomFields: [{ Shortcode: 'sqft', Value: 'about 200' }] },
        { Name: 'Di Poe', Email: 'di@example.com', CustomFields: [{ Name: 'Has dogs', Value: 'two' }] },
      ],
    });
    const ids = (answer.body['Matches'] as { Id: number }[]).map(({ Id }) => Id);
    expect(answer.body).toMatchObject({
      ResultCode: 0,
      Message:
        `Contact ${ids[0]}: The value "about 200" of custom field "Square feet" is not stored: it must be a number. ` +
        `Contact ${ids[1]}: The value "two" of custom field "Has dogs" is not stored: it must be true or false.`,
    });
    const { body } = await company.call('contacts/locate', { EmailSearch: 'cy@example.com' });
    expect(body).toMatchObject({ Matches: [{ Name: 'Cy Roe', CustomFields: [] }] });
  });

  test('books with such a custom field', async () => {
    const answer = await company.call('appointments/quickbook', {
      ContactId: String(company.contact),
      Service: 'Lawn care',
      ScheduledStart: '2035-03-05T09:00',
      Duration: '90',
      Quantity: '1.0',
      Confirmed: 'true',
      CustomFields: [{ Name: 'Square feet', Value: 'big' }],
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body['Message']).toContain('The value "big" of custom field "Square feet" is not stored');
    const { body } = await company.call('appointments/find', { AppointmentId: answer.body['AppointmentId'] });
    expect(body).toMatchObject({ Slots: [{ Duration: 90, Status: 1 }] });
  });
});

test.each([['240'], [240], ['4:00']])('slotsearch takes a duration of %j', async (Duration) => {
  const search = { ContactId: String(company.contact), ServiceName: 'Lawn care', TargetDate: '2035-03-05', Duration };
  const { status, body, text } = await company.call('appointments/slotsearch', search);
  expect(status, text).toBe(200);
  const slots = body['Slots'] as { Duration: number }[];
  expect(new Set(slots.map((slot) => slot.Duration))).toEqual(new Set([240]));
});

describe('a number with one comma', () => {
  const invoice = (ContactId: number, Rate: string, key = company.key) =>
    company.call(
      'invoice/import',
      { Invoice: { ContactId, Lines: [{ Description: 'Mowing', Qty: '1', Rate }] } },
      { key },
    );

  test('has thousands where people write a decimal point', async () => {
    expect((await invoice(company.contact, '1,234')).body).toMatchObject({ ResultCode: 0, Invoice: { Total: 1234 } });
    expectFailure(await invoice(company.contact, '1,5'), 400);
  });

  test('has decimals where people write a decimal comma, and is refused where it may have either', async () => {
    const berlin = { Id: 7, PublicName: 'Berlin', Timezone: 'Europe/Berlin', Country: 'DE' };
    await testTable().commit(newOrganizationChanges({ account: company.accountId }, berlin));
    const key = await company.newKey({ organizationId: berlin.Id });
    const { body } = await company.call('contacts/addupdate', { Name: 'Uwe Kahl', Email: 'uwe@example.com' }, { key });
    const [{ Id }] = body['Matches'] as [{ Id: number }];
    const refused = await invoice(Id, '1,234', key);
    expectFailure(refused, 400);
    expect(refused.body['Errors']).toEqual([
      { Field: 'Invoice.Lines[0].Rate', Code: 'type', Message: 'must be a number; send 1234 or 1.234 without quotes' },
    ]);
    expect((await invoice(Id, '1,5', key)).body).toMatchObject({ ResultCode: 0, Invoice: { Total: 1.5 } });
  });
});

test('an organization in a text is no way around the organization of a key', async () => {
  const key = await company.newKey({ organizationId: company.organizationId });
  const foreign = { Name: 'Fay Orr', Email: 'fay@example.com', OrganizationId: String(company.organizationId + 1) };
  expectFailure(await company.call('contacts/addupdate', foreign, { key }), 403);
});
