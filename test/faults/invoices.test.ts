import { type InvoiceRecord, InvoiceStatus } from '../../lib/entities/invoices.ts';
import type { ContactRecord } from '../../lib/entities/contacts.ts';
import { expect, test } from 'vitest';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { findInvoiceIdByNumber } from '../../lib/store/sales/invoices.ts';
import { layout } from '../../lib/store/keys.ts';
import { mapWithConcurrency } from '../../lib/shared/promises.ts';
import { failingLines, faultyTableForTests } from '../support/faults/failing-lines.ts';
import { atRandom, missedErrors } from '../support/faults/faulty-engine.ts';
import { invoke } from '../support/stack/invoke.ts';
import { accountStore } from '../../lib/store/store.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/**
 * Every invoice of an account with one contact, after holding it to what must be true whatever has happened: each
 * number is one invoice's, and guarded as that; and the contact lists the open ones.
 */
async function sound(table: TableWriter, account: string): Promise<InvoiceRecord[]> {
  const last = ((await table.get(layout.lease.key({ account, kind: 'Invoice' })))?.['Last'] ?? 0) as number;
  const all = (await table.getMany(
    range(last).map((index) => layout.invoice.key({ account, id: index + 1 })),
  )) as unknown as InvoiceRecord[];
  expect(new Set(all.map(({ Number }) => Number)).size).toBe(all.length);
  const guarded = await Promise.all(
    all.map(({ Number: number }) => findInvoiceIdByNumber(accountStore(table, account), { organization: 1, number })),
  );
  expect(guarded).toEqual(all.map(({ Id }) => Id));
  const { OpenInvoices } = (await table.get(layout.contact.key({ account, id: 1 }))) as unknown as ContactRecord;
  const open = all.filter(({ Status }) => Status === InvoiceStatus.Open).map(({ Id }) => String(Id));
  expect(Object.keys(OpenInvoices).sort()).toEqual(open.sort());
  return all;
}

const { table: faultyTable } = faultyTableForTests();

const AT_ONCE = 8;
const MAX_REPEATS = 20;
const SEED = Number(process.env['FAULT_SEED'] ?? 31);

test.each(failingLines(1).map((line, index) => ({ ...line, seed: SEED + index })))(
  'with $name no invoice is lost, doubled or falsely refused (seed $seed)',
  async ({ shares, seed }) => {
    const faulty = faultyTable();
    const { accountId, key } = await faulty.newAccount();
    const call = (operation: string, body: object, headers: Record<string, string> = {}) =>
      invoke(operation, body, { key, headers });
    expect((await call('contacts/addupdate', { Name: 'Ana', Email: 'ana@example.com' })).status).toBe(200);

    /**
     * Like a careful client: repeats a 503 with its Number or Idempotency-Key until it gets another response, then
     * voids every fourth.
     */
    const bill = async (index: number) => {
      const references = ['Number', 'Idempotency-Key', 'neither'][index % 3];
      const Invoice = {
        ContactId: 1,
        TaxRate: 0,
        Terms: `invoice ${index}`,
        Lines: [{ Rate: 10 }],
        ...(references === 'Number' ? { Number: `N-${index}` } : {}),
      };
      const retryWhileBusy = async (body: object, isSafe: boolean, headers = {}) => {
        for (let repeat = 0; ; repeat++) {
          const answer = await call('invoice/import', body, headers);
          if (answer.status !== 503 || !isSafe || repeat === MAX_REPEATS) return answer;
        }
      };
      const { status, body } = await retryWhileBusy(
        { Invoice },
        references !== 'neither',
        references === 'Idempotency-Key' ? { 'idempotency-key': `k${index}` } : {},
      );
      if (status !== 200 || index % 4) return { index, named: references, status, voided: 0 };
      return {
        index,
        named: references,
        status,
        voided: (await retryWhileBusy({ InvoiceId: body['InvoiceId'], Invoice: { Status: 'Voided' } }, true)).status,
      };
    };
    faulty.line.fail(atRandom(seed, shares));
    const outcomes = await mapWithConcurrency(range(27), AT_ONCE, bill);
    faulty.line.fail(undefined);
    expect(missedErrors(faulty.line, shares)).toEqual([]);

    const all = await sound(faulty.sound, accountId);
    const wrong = outcomes.filter(({ index, named: references, status, voided }) => {
      const made = all.filter(({ Terms }) => Terms === `invoice ${index}`);
      if (status !== 200) return status !== 503 || references !== 'neither' || made.length > 1;
      const is = voided === 200 ? InvoiceStatus.Voided : InvoiceStatus.Open;
      return made.length !== 1 || made[0]?.Status !== is || ![0, 200].includes(voided);
    });
    expect(wrong).toEqual([]);
  },
);
