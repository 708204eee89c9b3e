import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { layout } from '../../lib/store/keys.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { checkTable } from '../../lib/workflows/fsck/check-table.ts';
import { goOnWithMerge } from '../../lib/workflows/contacts/move-merged-records.ts';
import { carefully } from '../support/faults/carefully.ts';
import { dying, toolTable } from '../support/erasures.ts';
import { bookable } from '../support/scheduling.ts';
import { contactIn } from '../support/stack/branches.ts';
import { drainEvents, testStack } from '../support/stack/stack.ts';
import { accountStore } from '../../lib/store/store.ts';

const CALLS = Number(process.env['MERGE_CALLS'] ?? 50);

/** What one contact has, counted by hand from the items of the table. */
interface Tally {
  readonly counts: Record<string, number>;
  readonly paid: number;
  readonly openInvoices: string[];
  readonly openProposals: string[];
}

test('calls on both contacts while they are merged leave every record with the one that stays, and sums that agree', async () => {
  const company = await bookable();
  const { accountId: account } = company;
  const ServiceId = company.services['Lawn care'];
  const call = (operation: string, body: object) => carefully((headers) => company.call(operation, body, { headers }));
  const done = async (operation: string, body: object) => {
    const answer = await call(operation, body);
    expect(answer.status, `${operation} ${answer.text}`).toBe(200);
    return answer.body;
  };
  const add = async (Name: string) =>
    contactIn(await company.call('contacts/addupdate', { Name, Email: `${randomUUID()}@example.com` })).Id;
  const [kept, merged] = [await add('Ann Lee'), await add('Ann Double')];
  const Lines = [{ Description: 'Mowing', Rate: 100, Qty: 1 }];
  const invoiceOf = async (ContactId: number) =>
    ((await done('invoice/import', { Invoice: { ContactId, Lines, Status: 'Open' } }))['Invoice'] as { Id: number }).Id;
  const appointmentOf = async (ContactId: number) =>
    Number((await done('appointments/queue', { ContactId, ServiceId }))['AppointmentId']);
  const both = [kept, merged];
  const invoices = [await invoiceOf(kept), await invoiceOf(merged)];
  const appointments = [await appointmentOf(kept), await appointmentOf(merged)];

  /** Calls of every kind that make or change a record of one of the two. */
  const kinds = [
    (of: number) => ['invoice/import', { Invoice: { ContactId: both[of], Lines, Status: 'Open' } }],
    (of: number) => ['payment/import', { Payment: { InvoiceId: invoices[of], Amount: 1, Method: 'Cash' } }],
    (of: number) => ['payment/import', { Payment: { ContactId: both[of], Amount: 2, Method: 'Cash' } }],
    (of: number) => ['proposal/create', { ContactId: both[of], ServiceId, Title: 'Lawn', Status: 'Open' }],
    (of: number) => ['task/create', { ContactId: both[of], Description: 'Call back' }],
    (of: number) => ['appointments/queue', { ContactId: both[of], ServiceId }],
    (of: number) => ['appointments/update', { AppointmentId: appointments[of], UpdateNote: 'Again' }],
    (of: number) => ['contacts/addnote', { ContactId: both[of], Note: { Body: 'A note' } }],
    (of: number) => ['contacts/logcall', { Chars: JSON.stringify({ ContactId: both[of], Note: 'A call' }) }],
    (of: number) => [
      'contacts/upload',
      { upload: { ContactId: both[of] }, files: [{ Filename: 'a.txt', Content: 'MTIz' }] },
    ],
  ] as const;
  const made: Record<string, number> = {};
  const rush = Promise.all(
    Array.from({ length: CALLS }, async (_, index) => {
      const kind = kinds[index % kinds.length] as (typeof kinds)[number];
      const [operation, body] = kind(Math.sign(index % 3)) as [string, object];
      const answer = await call(operation, body);
      expect([200, 409], `${operation} ${answer.text}`).toContain(answer.status);
      if (answer.status === 200) made[operation] = (made[operation] ?? 0) + 1;
    }),
  );
  await done('contacts/merge', { ContactId: kept, MergeId: merged });
  const goOn = (writes: number) =>
    goOnWithMerge(
      accountStore(dying(toolTable(), writes), account),
      layout.contactMerge.key({ account, id: kept, merged }),
      {
        now: new Date(),
        deadline: Date.now() + 60_000,
        // The calls of this test are waited for.
        settleMilliseconds: 600_000,
      },
    ).catch(() => undefined);
  for (let runs = 0; runs < 5; runs++) await goOn(runs * 3);
  await rush;
  await drainEvents();
  await expect
    .poll(
      async () =>
        (
          await goOnWithMerge(
            accountStore(toolTable(), account),
            layout.contactMerge.key({ account, id: kept, merged }),
            { now: new Date(), deadline: Date.now() + 60_000, settleMilliseconds: 0 },
          )
        ).kind,
    )
    .toBe('done');

  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  const scan = openScan({ tableName, endpoint });
  const tally = new Map<number, Tally>(
    both.map((id) => [id, { counts: {}, paid: 0, openInvoices: [], openProposals: [] }]),
  );
  const contacts = new Map<number, Record<string, unknown>>();
  for await (const items of scan({ accounts: [account], isWhole: true }))
    for (const item of items) {
      const [, , kind = '', id = ''] = item.PK.split('#');
      if (item.SK === 'CONTACT') contacts.set(Number(id), item);
      const own = tally.get(Number(item['ContactId']));
      if (!own || item.SK !== kind) continue;
      own.counts[kind] = (own.counts[kind] ?? 0) + 1;
      Object.assign(own, { paid: own.paid + Number(kind === 'PAYMENT' ? item['Amount'] : 0) });
      if (kind === 'INVOICE') own.openInvoices.push(String(Number(id)));
      if (kind === 'PROPOSAL') own.openProposals.push(String(Number(id)));
    }
  expect(tally.get(merged)?.counts).toEqual({});
  const expected = {
    INVOICE: 2 + (made['invoice/import'] ?? 0),
    PAYMENT: made['payment/import'] ?? 0,
    PROPOSAL: made['proposal/create'] ?? 0,
    TASK: made['task/create'] ?? 0,
    APPOINTMENT: 2 + (made['appointments/queue'] ?? 0),
    CALL: made['contacts/logcall'] ?? 0,
    UPLOAD: made['contacts/upload'] ?? 0,
  };
  expect(tally.get(kept)?.counts).toEqual(expected);
  const contact = contacts.get(kept) as Record<string, object>;
  // Payments without an invoice are no income of the contact until they are applied.
  expect(Object.keys(contact['OpenInvoices'] ?? {}).sort()).toEqual(tally.get(kept)?.openInvoices.sort());
  expect(Object.keys(contact['OpenProposals'] ?? {}).sort()).toEqual(tally.get(kept)?.openProposals.sort());
  expect((contact['Notes'] as { Body: string }[]).filter(({ Body }) => Body === 'A note')).toHaveLength(
    made['contacts/addnote'] ?? 0,
  );
  expect([...(contact['ContactDocuments'] as object[])]).toHaveLength(made['contacts/upload'] ?? 0);
  const found: string[] = [];
  await checkTable(toolTable(), scan, {
    accounts: [account],
    repair: false,
    now: () => new Date(),
    settleMilliseconds: 200,
    onFinding: ({ kind, key, message }) => void found.push(`${kind} ${key.PK} ${key.SK}: ${message}`),
  });
  expect(found).toEqual([]);
});
