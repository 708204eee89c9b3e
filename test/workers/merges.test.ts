import type { Contact } from '../../lib/entities/contacts.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { layout } from '../../lib/store/keys.ts';
import { eraseNow } from '../support/erasures.ts';
import { mergesOf, problemsOf, scan } from '../support/merges.ts';
import { openPage } from '../support/pages.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { eventsOf } from '../support/stack/branches.ts';
import { testTable } from '../support/stack/stack.ts';

const ann = {
  Name: 'Ann Lee',
  Email: 'ann.lee@example.com',
  Phone: '217-555-0143',
  Address1: '12 Main Street',
  City: 'Springfield',
  State: 'IL',
  Zip: '62701',
  Tags: ['VIP'],
};
const double = {
  Name: 'Ann B. Lee',
  Email: 'ann@other.example',
  Phone: '(217) 555-0177',
  AltPhone: '217 555 0178',
  Address1: '9 Oak Street',
  City: 'Springfield',
  State: 'IL',
  Zip: '62702',
  Company: 'Lee & Co',
  DoNotText: true,
  Tags: ['VIP', 'Gold'],
  Notes: [{ Title: 'Gate', Body: 'The code is 4711.' }],
};

let company: Bookable;
let merges: ReturnType<typeof mergesOf>;
beforeAll(async () => {
  company = await bookable();
  merges = mergesOf(company);
});

const send = (operation: string, body: object) => merges.send(operation, body);
const add = (body: object) => merges.add(body);
const locate = (id: number) => merges.locate(id);

interface Owned {
  readonly task: number;
  readonly appointment: number;
  readonly proposal: number;
  readonly invoice: number;
  readonly paid: number;
  readonly friend: number;
}

/** A contact with a record of every kind. */
async function ownedBy(ContactId: number, Hash: string): Promise<Owned> {
  const ServiceId = company.services['Lawn care'];
  const { TaskId } = await send('task/create', { ContactId, Description: 'Call back' });
  const { AppointmentId } = await send('appointments/queue', { ContactId, ServiceId });
  const { Id } = await send('proposal/create', { ContactId, ServiceId, Title: 'Lawn', Status: 'Open' });
  const imported = async () => {
    const Lines = [{ Description: 'Mowing', Rate: 100, Qty: 1 }];
    return (
      (await send('invoice/import', { Invoice: { ContactId, Lines, Status: 'Open' } }))['Invoice'] as { Id: number }
    ).Id;
  };
  const [invoice, paid] = [await imported(), await imported()];
  await send('payment/import', { Payment: { InvoiceId: paid, Amount: 40, Method: 'Cash' } });
  await send('contacts/logcall', { Chars: JSON.stringify({ ContactId, Note: 'Asked for a slot' }) });
  const Content = Buffer.from('10418').toString('base64');
  await send('contacts/upload', { upload: { ContactId }, files: [{ Filename: 'meter.txt', Content }] });
  const friend = await add({ Name: `Friend of ${ContactId}`, ReferredByContactId: ContactId, ReferredByHash: Hash });
  return {
    task: Number(TaskId),
    appointment: Number(AppointmentId),
    proposal: Number(Id),
    invoice,
    paid,
    friend: friend.Id,
  };
}

/** Of which contact each record is. */
async function ownersOf(of: Owned): Promise<unknown> {
  const at = async (pattern: 'task' | 'appointment' | 'proposal' | 'invoice', id: number) =>
    (await testTable().get(layout[pattern].key({ account: company.accountId, id })))?.['ContactId'];
  return {
    task: await at('task', of.task),
    appointment: await at('appointment', of.appointment),
    proposal: await at('proposal', of.proposal),
    invoice: await at('invoice', of.invoice),
    paid: await at('invoice', of.paid),
    friend: (await locate(of.friend)).ReferredByContactId,
  };
}

const invoiceOwner = async (id: number) =>
  (await testTable().get(layout.invoice.key({ account: company.accountId, id })))?.['ContactId'];

const allOf = (contact: number) => ({
  task: contact,
  appointment: contact,
  proposal: contact,
  invoice: contact,
  paid: contact,
  friend: contact,
});

const sums = async (id: number) => {
  const { LifetimeValue, OpenInvoices, OpenProposals } = (await testTable().get(
    layout.contact.key({ account: company.accountId, id }),
  )) as Record<string, unknown>;
  return {
    LifetimeValue,
    OpenInvoices: Object.keys(OpenInvoices as object),
    OpenProposals: Object.keys(OpenProposals as object),
  };
};

describe('a contact that is merged', () => {
  let kept: Contact;
  let merged: Contact;
  let owned: Owned;
  beforeAll(async () => {
    [kept, merged] = [await add(ann), await add(double)];
    owned = await ownedBy(merged.Id, merged.Hash);
  });

  test('gives what the other one lacks, and the rest to a note', async () => {
    const { Contact: answer, MergedId } = await send('contacts/merge', { ContactId: kept.Id, MergeId: merged.Id });
    expect(MergedId).toBe(merged.Id);
    const after = answer as Contact;
    expect(after).toMatchObject({
      ...ann,
      Tags: ['VIP', 'Gold'],
      AltPhone: double.Phone,
      Company: 'Lee & Co',
      DoNotText: true,
    });
    const note = after.Notes.find(({ Title }) => Title === `Merged from contact ${merged.Id}`);
    expect(note?.Body.split('\n')).toEqual([
      'Name: Ann B. Lee',
      'E-mail: ann@other.example',
      'Address: 9 Oak Street, Springfield, IL, 62702',
      'Phone: 217 555 0178',
    ]);
    expect(after.Notes.map(({ Body }) => Body)).toContain('The code is 4711.');
    expect(after.ContactDocuments.map(({ Filename }) => Filename)).toEqual(['meter.txt']);
  });

  test('brings its records, one after the other, however often the worker is killed', async () => {
    await merges.finish(kept.Id, merged.Id);
    expect(await ownersOf(owned)).toEqual(allOf(kept.Id));
    expect(await sums(kept.Id)).toEqual({
      LifetimeValue: 40,
      OpenInvoices: [String(owned.invoice), String(owned.paid)],
      OpenProposals: [String(owned.proposal)],
    });
    expect(await sums(merged.Id)).toEqual({ LifetimeValue: 0, OpenInvoices: [], OpenProposals: [] });
  });

  test('is the other one by its Id, Hash and links from then on, and in every call', async () => {
    expect((await locate(merged.Id)).Id).toBe(kept.Id);
    const whole = { ...(await locate(kept.Id)), Id: merged.Id, Hash: merged.Hash, Nickname: 'Annie', Notes: undefined };
    expect(await add(whole)).toMatchObject({ Id: kept.Id, Hash: kept.Hash, Nickname: 'Annie' });
    expect(await add({ Hash: merged.Hash, Nickname: 'Ann' })).toMatchObject({ Id: kept.Id, Nickname: 'Ann' });
    const referred = await add({ Name: 'Somebody else', ReferredByContactId: merged.Id, ReferredByHash: merged.Hash });
    expect(referred).toMatchObject({ ReferredByContactId: kept.Id, ReferredByHash: kept.Hash });
    const { TaskId } = await send('task/create', { ContactId: merged.Id, Description: 'By the old Id' });
    const { Tasks } = await send('task/query', { ContactId: merged.Id });
    expect((Tasks as { Id: number }[]).map(({ Id }) => Id)).toEqual([owned.task, TaskId]);
    const Payment = { ContactId: merged.Id, InvoiceId: owned.paid, Amount: 10, Method: 'Cash' };
    expect((await send('payment/import', { Payment }))['Payment']).toMatchObject({ ContactId: kept.Id });
    const Invoice = { Id: owned.invoice, ContactId: merged.Id, CustomerNotes: 'By the old Id' };
    expect((await send('invoice/import', { Invoice }))['Invoice']).toMatchObject({ ContactId: kept.Id });
    await send('proposal/update', { Id: owned.proposal, ContactId: merged.Id, Title: 'By the old Id' });
    await send('appointments/update', { AppointmentId: owned.appointment, ContactId: merged.Id, UpdateNote: 'Again' });
    await send('contacts/addnote', { ContactId: merged.Id, Note: { Body: 'By the old Id' } });
    expect((await locate(kept.Id)).Notes.map(({ Body }) => Body)).toContain('By the old Id');
    const page = await openPage(merged.ClientUrl);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Invoice 1');
    expect((await openPage(merged.BookingUrl)).status).toBe(200);
  });

  test('is found as the other one, by its e-mail too, and leaves a table without a fault', async () => {
    const { body } = await company.call('contacts/locate', { NameSearch: 'ann lee' });
    expect((body['Matches'] as Contact[]).map(({ Id }) => Id)).toEqual([kept.Id]);
    const { body: byEmail } = await company.call('contacts/locate', { EmailSearch: double.Email });
    expect((byEmail['Matches'] as Contact[]).map(({ Id }) => Id)).toEqual([kept.Id]);
    expect(await problemsOf(company.accountId)).toEqual([]);
  });

  test('is an event with both Ids, and none after it', async () => {
    const own = (await eventsOf(company)).filter(({ Kind, Id }) => Kind.startsWith('contact.') && Id === merged.Id);
    expect(own.at(-1)).toMatchObject({ Kind: 'contact.merged', Id: merged.Id, ContactId: kept.Id, Data: null });
  });

  test.each([
    [409, () => [kept.Id, merged.Id], /^Contact \d+ is merged into contact \d+ already\.$/],
    [409, () => [merged.Id, owned.friend], /^Contact \d+ is merged into contact \d+\. Send that one as ContactId\.$/],
    [400, () => [kept.Id, kept.Id], /^MergeId must be another contact\.$/],
    [404, () => [kept.Id, 2_000_000_000], /^There is no contact 2000000000\.$/],
  ] as const)('is refused with %i where that means nothing', async (status, ids, sentence) => {
    const [ContactId, MergeId] = ids();
    const answer = await company.call('contacts/merge', { ContactId, MergeId });
    expect(answer.status).toBe(status);
    expect(answer.body['Message']).toMatch(sentence);
  });

  test('is itself again after an undo, with what came with it and is still there', async () => {
    const Lines = [{ Description: 'Later', Rate: 5, Qty: 1 }];
    const later = (await send('invoice/import', { Invoice: { ContactId: kept.Id, Lines } }))['Invoice'] as {
      Id: number;
    };
    const back = (await send('contacts/unmerge', { MergeId: merged.Id }))['Contact'] as Contact;
    await merges.finish(kept.Id, merged.Id);
    expect(back).toMatchObject({ ...double, Notes: [{ ...double.Notes[0] }, {}] });
    expect(await locate(merged.Id)).toMatchObject({ Id: merged.Id, Hash: merged.Hash, Email: double.Email });
    expect(await locate(kept.Id)).toMatchObject({ ...ann, AltPhone: '', Company: '', DoNotText: true });
    expect(await ownersOf(owned)).toEqual(allOf(merged.Id));
    expect(await invoiceOwner(later.Id)).toBe(kept.Id);
    expect(await sums(merged.Id)).toMatchObject({ LifetimeValue: 50 });
    expect((await company.call('contacts/locate', { EmailSearch: double.Email })).body['Matches']).toHaveLength(1);
    expect((await eventsOf(company)).filter(({ Kind }) => Kind === 'contact.unmerged')).toMatchObject([
      { Id: merged.Id, ContactId: merged.Id },
    ]);
    expect(await problemsOf(company.accountId)).toEqual([]);
  });

  test('goes with the other one when that one is erased', async () => {
    await send('contacts/merge', { ContactId: kept.Id, MergeId: merged.Id });
    await expect(eraseNow(company.accountId, kept.Id)).rejects.toThrow('is not done');
    await merges.goOn(kept.Id, merged.Id);
    await expect(eraseNow(company.accountId, merged.Id)).rejects.toThrow('Erase that one');
    expect((await eraseNow(company.accountId, kept.Id)).unfinished).toEqual([]);
    for (const IdSearch of [kept.Id, merged.Id])
      expect((await company.call('contacts/locate', { IdSearch })).body['Matches']).toEqual([]);
    const left: string[] = [];
    for await (const page of scan()({ accounts: [company.accountId], isWhole: true }))
      for (const item of page)
        if (/ann@other\.example|Oak Street|code is 4711/i.test(JSON.stringify(item)))
          left.push(`${item.PK} ${item.SK}`);
    expect(left).toEqual([]);
  });
});
