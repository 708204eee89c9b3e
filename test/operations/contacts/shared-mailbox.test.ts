import type { Appointment } from '../../../lib/entities/appointments.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { listLinks } from '../../../lib/workflows/pages/revoke-links.ts';
import { accountCaller } from '../../../lib/store/requests/caller.ts';
import { entryOf, guardKey, guardRanges } from '../../../lib/store/contacts/contact-index.ts';
import { contactItem, someContact } from '../../support/contacts.ts';
import { openPage, sendForm } from '../../support/pages.ts';
import { type Bookable, bookable } from '../../support/scheduling.ts';
import { branches, contactIn, fieldsOf, matchesOf } from '../../support/stack/branches.ts';
import { onStack, testTable } from '../../support/stack/stack.ts';
import { callerContext } from '../../../lib/workflows/context.ts';

const Email = 'office@pm.example';
const ann = { Name: 'Ann Lee', Email, Address1: '12 Main Street', City: 'Springfield', State: 'IL', Zip: '62701' };
const bob = { Name: 'Bob Ray', Email, Address1: '9 Oak Street', City: 'Springfield', State: 'IL', Zip: '62701' };

let company: Bookable;
let id: number;
beforeAll(async () => {
  company = await bookable({ services: [{ Name: 'Lawn care', BasePrice: 50, BaseDuration: 60, SelfSelect: true }] });
  id = contactIn(await add(ann)).Id;
});

const add = (body: object, of: Pick<Bookable, 'call'> = company) => of.call('contacts/addupdate', body);
const inMailbox = async (of: Pick<Bookable, 'call'> = company) =>
  matchesOf(await of.call('contacts/locate', { EmailSearch: Email }));
const addressOf = async (contact: number) =>
  contactIn(await company.call('contacts/locate', { IdSearch: contact })).Address1;
const book = (more: object) =>
  company.call('appointments/quickbook', {
    Service: 'Lawn care',
    FirstAvailable: true,
    ScheduledStart: '2035-03-05T08:00',
    PriPhone: '217-555-0100',
    ...more,
  });

describe('another name with the e-mail of a client', () => {
  test('makes a contact of addupdate, says whose e-mail it is, and both are found by it', async () => {
    const answer = await add(bob);
    const added = contactIn(answer);
    expect(added).toMatchObject(bob);
    expect(answer.body['Message']).toBe(
      `Contact ${added.Id} (Bob Ray) is new: contact ${id} (Ann Lee) has the same e-mail, but another name.`,
    );
    const found = await inMailbox();
    expect(new Set(found.map(({ Name, Address1 }) => `${Name}, ${Address1}`))).toEqual(
      new Set(['Ann Lee, 12 Main Street', 'Bob Ray, 9 Oak Street']),
    );
  });

  test.each([
    ['the whole name, in another case', { ...bob, Name: 'BOB RAY' }],
    ['the first name', { ...bob, Name: 'Bob' }],
    ['the last name', { ...bob, Name: 'Mr. Ray' }],
  ])('finds that contact by %s', async (_, input) => {
    const answer = await add(input);
    expect(answer.body['Message']).toBe('');
    expect(contactIn(answer).Address1).toBe(bob.Address1);
    expect(await addressOf(id)).toBe(ann.Address1);
    await add({ ...input, Name: bob.Name });
  });

  test('is never guessed in an update by Id, Hash or IdSearch', async () => {
    const own = await bookable();
    const { Id, Hash } = contactIn(await add(ann, own));
    const other = contactIn(await add(bob, own));
    for (const named of [{ Id }, { Hash }, { IdSearch: Id }])
      expect(contactIn(await add({ ...named, Name: 'Bob Ray', Email }, own)).Id).toBe(Id);
    // Two have the name now: nobody can say which is meant.
    const unclear = await add(bob, own);
    expect([unclear.status, new Set(matchesOf(unclear).map((contact) => contact.Id))]).toEqual([
      409,
      new Set([Id, other.Id]),
    ]);
  });

  test('without a name is 409 with both, and with one contact finds it', async () => {
    const unclear = await add({ Email, FlashMessage: 'Who?' });
    expect([unclear.status, matchesOf(unclear).length]).toEqual([409, 2]);
    const alone = contactIn(await add({ Name: 'Eve Moss', Email: 'eve@pm.example' }));
    expect(contactIn(await add({ Email: 'eve@pm.example', Nickname: 'E' })).Id).toBe(alone.Id);
    const nameless = contactIn(await add({ Email: 'nobody@pm.example' }));
    expect(contactIn(await add({ Email: 'nobody@pm.example', Name: 'Nora Bell' })).Id).toBe(nameless.Id);
  });

  test('makes a contact of quickbook, and the visit is that one’s', async () => {
    const answer = await book({ ...bob, Name: 'Cid Moe', Address1: '3 Elm Street' });
    expect(answer.status, answer.text).toBe(200);
    const { ContactId, Message } = answer.body;
    expect(Message).toMatch(
      new RegExp(`^Contact ${String(ContactId)} \\(Cid Moe\\) is new: contacts .*${id} \\(Ann Lee\\)`),
    );
    expect([ContactId === id, await addressOf(id)]).toEqual([false, ann.Address1]);
    expect(await addressOf(Number(ContactId))).toBe('3 Elm Street');
    const again = await book({ ...bob, Name: 'Cid Moe', Address1: '3 Elm Street' });
    expect(again.body['ContactId']).toBe(ContactId);
  });

  test('makes a contact of the booking page, which shows nobody, and the office reads whose e-mail it is', async () => {
    const caller = accountCaller(company.accountId, { role: 'Owner' });
    const context = callerContext(testTable(), caller, new Date());
    const { booking = '' } = await listLinks(context, 'organization', company.organizationId);
    const link = onStack(booking);
    const times = `${link}?service=${company.services['Lawn care']}&zip=62701`;
    const slot = /name="slot" value="(\d+)"/.exec((await openPage(times)).text)?.[1];
    const form = await openPage(`${times}&slot=${slot}`);
    const client = {
      name: 'Dan Fox',
      email: Email,
      phone: '217-555-0100',
      address: '1 Ash Street',
      city: 'Springfield',
    };
    const booked = await sendForm(link, form, 'book', client);
    expect([booked.status, booked.text.includes('Ann Lee')]).toEqual([200, false]);
    const [dan] = matchesOf(await company.call('contacts/locate', { NameSearch: 'dan fox' }));
    expect(dan).toMatchObject({ Email, Address1: '1 Ash Street' });
    const { body } = await company.call('appointments/query', { ContactId: dan?.Id, FromDate: '2020-01-01' });
    const [visit] = body['Appointments'] as Appointment[];
    const found = await company.call('appointments/find', { AppointmentId: visit?.AppointmentId });
    expect(found.text).toContain(`(Dan Fox) is new: contacts `);
    expect(await addressOf(id)).toBe(ann.Address1);
  });
});

test('more people than are read may share a mailbox of one organization: each new one gets a contact', async () => {
  const own = await bookable();
  const crowd = Array.from({ length: 125 }, (_, index) =>
    someContact(10_000 + index, { Name: nameOf(Math.floor(index / 25), index % 25), Email }),
  );
  await testTable().putMany(
    crowd.flatMap((contact) => [
      contactItem(own.accountId, contact),
      ...guardRanges({ account: own.accountId }, contact).map((range) =>
        entryOf(guardKey(range, 1, contact.Id), contact),
      ),
    ]),
  );
  const added = await add({ ...ann, Name: 'Zed Young' }, own);
  expect(added.body['Message']).toMatch(/and \d+ more have the same e-mail/);
  expect(contactIn(await add({ ...ann, Name: 'Zed Young', Nickname: 'Z' }, own)).Id).toBe(contactIn(added).Id);
});

/** Names of which none agrees with another one. */
function nameOf(call: number, index: number): string {
  const letters = [call, index].map((number) => String.fromCodePoint(97 + number));
  return `${letters.join('q')}a ${letters.join('x')}o`;
}

describe('contacts of one call', () => {
  test('may share a mailbox with different names, and are both added', async () => {
    const own = await bookable();
    expect(matchesOf(await add({ Matches: [ann, bob] }, own)).map(({ Name }) => Name)).toEqual(['Ann Lee', 'Bob Ray']);
    expect(await inMailbox(own)).toHaveLength(2);
    expect(
      fieldsOf(
        await add(
          {
            Matches: [
              { ...ann, Name: 'Cid Moe' },
              { ...ann, Name: 'Cid' },
            ],
          },
          own,
        ),
      ),
    ).toEqual(['Matches[1].Email']);
  });

  test('in different organizations of an account are different contacts', async () => {
    const brand = await branches();
    const two = contactIn(await add({ ...ann, OrganizationId: 2 }, brand));
    const answer = await add({ ...bob, OrganizationId: 3 }, brand);
    expect([contactIn(answer).Id === two.Id, answer.body['Message']]).toEqual([false, '']);
  });
});
