import type { Contact } from '../../lib/entities/contacts.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importContacts } from '../../infra/cli/contacts-csv/import.ts';
import { importSystem } from '../../infra/cli/other-systems/import.ts';
import { readSystem } from '../../infra/cli/other-systems/mapping-file.ts';
import { listOrganizations } from '../../lib/store/organizations/organizations.ts';
import { exportContact } from '../../lib/workflows/contacts/export-contact.ts';
import { bookingForms, offered } from '../support/booking.ts';
import { eraseNow } from '../support/erasures.ts';
import { mergesOf, problemsOf, scan } from '../support/merges.ts';
import { csv } from '../support/other-systems.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { testTable } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'merged-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
function fileOf(text: string): string {
  const file = join(folder, `${files++}.csv`);
  writeFileSync(file, text);
  return file;
}

let company: Bookable;
let merges: ReturnType<typeof mergesOf>;
beforeAll(async () => {
  company = await bookable({ services: [offered] });
  merges = mergesOf(company);
});

const locate = async (search: object): Promise<Contact[]> =>
  (await company.call('contacts/locate', search)).body['Matches'] as Contact[];
const idsOf = (contacts: readonly Contact[]): number[] => contacts.map(({ Id }) => Id);

/** Merges two contacts, with all that follows. */
async function merge(kept: Contact, merged: Contact): Promise<void> {
  await merges.send('contacts/merge', { ContactId: kept.Id, MergeId: merged.Id });
  await merges.finish(kept.Id, merged.Id, 0);
}

describe('what identified a merged contact means the contact that stays', () => {
  const ann = { Name: 'Ann Lee', Email: 'ann@home.example', Phone: '217-555-0101', DigitalTrackingId: 'visitor-1' };
  const double = {
    Name: 'Ann B. Lee',
    Email: 'ann@work.example',
    Phone: '217-555-0102',
    AltPhone: '217-555-0103',
    DigitalTrackingId: 'visitor-2',
    Address1: '9 Oak Street',
    City: 'Springfield',
    State: 'IL',
    Zip: '62701',
  };
  let kept: Contact;
  let merged: Contact;
  beforeAll(async () => {
    const own = await merges.add({ ...ann, AltPhone: '217-555-0109', Address1: '1 Elm St', Zip: '62701' });
    [kept, merged] = [own, await merges.add(double)];
    await merge(kept, merged);
  });

  test.each<[string, object]>([
    ['Id', {}],
    ['e-mail', { EmailSearch: 'ANN@work.example' }],
    ['phone', { PhoneSearch: '(217) 555-0102' }],
    ['second phone', { PhoneSearch: '2175550103' }],
    ['tracking id', { DigitalTrackingIdSearch: 'visitor-2' }],
    ['e-mail with a name of the other one', { EmailSearch: 'ann@work.example', NameSearch: 'ann lee' }],
  ])('contacts/locate by %s', async (_, search) => {
    const criteria = Object.keys(search).length ? search : { IdSearch: merged.Id };
    expect(idsOf(await locate(criteria))).toEqual([kept.Id]);
  });

  test.each<[string, object]>([
    ['e-mail and its name', { Email: double.Email, Name: 'Ann B. Lee' }],
    ['e-mail and the name of the other one', { Email: double.Email, Name: 'Ann Lee' }],
    ['e-mail alone', { Email: double.Email }],
    ['phone and its name', { Phone: double.Phone, Name: 'Ann B. Lee' }],
    ['phone and the name of the other one', { Phone: double.Phone, Name: 'Ann Lee' }],
    ['second phone and its name', { Phone: double.AltPhone, Name: 'Ann B. Lee' }],
  ])('contacts/addupdate by %s, and changes nothing that the merge has decided', async (_, input) => {
    const answer = await merges.add({ ...input, Nickname: 'Annie' });
    expect(answer).toMatchObject({ Id: kept.Id, Nickname: 'Annie', Name: ann.Name, Email: ann.Email });
    expect(answer).toMatchObject({ Phone: ann.Phone, AltPhone: '217-555-0109', Address1: '1 Elm St' });
  });

  test('another person with the e-mail is another contact', async () => {
    expect((await merges.add({ Email: double.Email, Name: 'Bob Ray' })).Id).not.toBe(kept.Id);
  });

  test('appointments/quickbook', async () => {
    const lead = { Name: 'Ann B. Lee', Email: double.Email, Zip: '62701', Address1: '9 Oak Street' };
    const time = { Service: 'Lawn care', ScheduledStart: '2035-03-05T09:00' };
    const answer = await merges.send('appointments/quickbook', { ...lead, ...time });
    expect(answer).toMatchObject({ ContactId: kept.Id });
  });

  test('the booking page', async () => {
    const { starts, send } = await bookingForms(company);
    const form = { slot: String(starts[0]), name: 'Ann B. Lee', email: double.Email, phone: double.Phone };
    expect((await send(3, form)).status).toBe(200);
    const { body } = await company.call('appointments/query', { ContactId: kept.Id, FromDate: '2020-01-01' });
    expect((body['Appointments'] as { ContactId: number }[]).at(-1)).toMatchObject({ ContactId: kept.Id });
    expect(idsOf(await locate({ EmailSearch: double.Email }))).toContain(kept.Id);
  });

  test('a logged call', async () => {
    const Chars = JSON.stringify({ Phone: double.AltPhone, Note: 'Asked for a slot' });
    await merges.send('contacts/logcall', { Chars });
    expect((await merges.locate(kept.Id)).Notes.at(-1)?.Body).toContain('Asked for a slot');
  });

  test('an export has both, and an erasure by the one that stays leaves nothing that finds one of them', async () => {
    const found: Record<string, unknown> = {};
    const options = { account: company.accountId, contactId: kept.Id, files: undefined, now: new Date() };
    for await (const { path, content } of exportContact(accountStore(testTable(), options.account), options))
      found[path] = content;
    expect(found['merged-contacts.json']).toMatchObject([{ Id: merged.Id, ...double }]);
    expect(await problemsOf(company.accountId)).toEqual([]);
    expect((await eraseNow(company.accountId, kept.Id)).unfinished).toEqual([]);
    const left: string[] = [];
    for await (const page of scan()({ accounts: [company.accountId], isWhole: true }))
      for (const item of page) if (/visitor-2|Oak Street|2175550103/.test(JSON.stringify(item))) left.push(item.PK);
    expect(left).toEqual([]);
  });
});

describe('a file that is imported again after a merge', () => {
  test('changes nothing, and does not create a merged contact again', async () => {
    const text = csv(
      ['Name', 'Email', 'Phone', 'Address1', 'City', 'Zip', 'Tags'],
      [
        { Name: 'Cy Poe', Email: 'cy@home.example', Phone: '217-555-0201', Address1: '1 Elm St', City: 'Springfield' },
        { Name: 'Cyrus Poe', Email: 'cy@work.example', Phone: '217-555-0202', Address1: '2 Oak St', City: 'Chicago' },
        { Name: 'Di Fox', Email: 'di@example.com', Phone: '217-555-0203', Address1: '3 Elm St', City: 'Springfield' },
      ],
    );
    const run = () =>
      importContacts({
        store: accountStore(testTable(), company.accountId),
        file: fileOf(text),
        organizations: [],
        customFields: [],
        again: true,
      });
    expect(await run()).toMatchObject({ Created: 3, Errors: [] });
    const [[kept], [merged]] = [
      await locate({ EmailSearch: 'cy@home.example' }),
      await locate({ EmailSearch: 'cy@work.example' }),
    ];
    if (!kept || !merged) throw new Error('not imported');
    await merge(kept, merged);
    const before = await merges.locate(kept.Id);
    expect(await run()).toMatchObject({ Created: 0, Updated: 0, Unchanged: 3, Errors: [] });
    expect(await merges.locate(kept.Id)).toEqual(before);
    expect(idsOf(await locate({ NameSearch: 'poe' }))).toEqual([kept.Id]);
  });

  test('and one of another system finds the one that stays, by either id of that system', async () => {
    const headers = ['J-ID', 'Display Name', 'First Name', 'Last Name', 'Main Phone #s', 'E-mails'];
    const client = (id: number, name: string, phone: string) => ({
      'J-ID': `${id}_${id + 5_000}`,
      'Display Name': name,
      'First Name': name.split(' ')[0] ?? '',
      'Last Name': name.split(' ')[1] ?? '',
      'Main Phone #s': phone,
      'E-mails': `${id}@example.com`,
    });
    const clients = [client(1, 'Eva Ott', '217-555-0301'), client(2, 'Eve Ott', '217-555-0302')];
    const run = async (rows: readonly ReturnType<typeof client>[]) =>
      importSystem({
        store: accountStore(testTable(), company.accountId),
        system: readSystem('jobber'),
        files: [fileOf(csv(headers, rows))],
        organizations: await listOrganizations(accountStore(testTable(), company.accountId)),
        customFields: [],
      });
    expect(await run(clients)).toMatchObject([{ Created: 2, Errors: [] }]);
    const [[kept], [merged]] = [
      await locate({ EmailSearch: '1@example.com' }),
      await locate({ EmailSearch: '2@example.com' }),
    ];
    if (!kept || !merged) throw new Error('not imported');
    await merge(kept, merged);
    const [before] = await locate({ IdSearch: kept.Id });
    const later = [...clients, client(3, 'Gus Fox', '217-555-0303')];
    expect(await run(later)).toMatchObject([{ Created: 1, Updated: 0, Errors: [] }]);
    expect(idsOf(await locate({ NameSearch: 'ott' }))).toEqual([kept.Id]);
    expect((await locate({ IdSearch: kept.Id }))[0]).toEqual(before);
  });
});

test('an undo has each contact found by its own e-mail, phones and tracking id alone', async () => {
  const one = await merges.add({ Name: 'Flo Ray', Email: 'flo@home.example', Phone: '217-555-0401' });
  const other = await merges.add({ Name: 'Flo Ray', Email: 'flo@work.example', DigitalTrackingId: 'visitor-9' });
  const third = await merges.add({ Name: 'Flo Ray', Email: 'flo@old.example' });
  await merge(other, third);
  await merge(one, other);
  for (const Email of ['flo@work.example', 'flo@old.example'])
    expect(idsOf(await locate({ EmailSearch: Email }))).toEqual([one.Id]);
  await merges.send('contacts/unmerge', { MergeId: other.Id });
  await merges.finish(one.Id, other.Id, 0);
  expect(idsOf(await locate({ EmailSearch: 'flo@work.example' }))).toEqual([other.Id]);
  expect(idsOf(await locate({ EmailSearch: 'flo@old.example' }))).toEqual([other.Id]);
  expect(idsOf(await locate({ DigitalTrackingIdSearch: 'visitor-9' }))).toEqual([other.Id]);
  expect(idsOf(await locate({ EmailSearch: 'flo@home.example' }))).toEqual([one.Id]);
});
