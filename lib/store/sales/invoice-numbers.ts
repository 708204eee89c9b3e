import { type InvoiceNumbersRecord, invoiceNumbersEntity } from '../../entities/organizations.ts';
import type { Change } from '../dynamodb/changes.ts';
import { randomHandle } from '../dynamodb/records.ts';
import type { TableReader } from '../dynamodb/table.ts';
import { layout } from '../keys.ts';
import { invoiceNumberKey } from './invoices.ts';

/** The numbers that an organization gives its invoices. V is 0 where nothing is stored. */
export async function findInvoiceNumbers(
  table: TableReader,
  account: string,
  organization: number,
): Promise<InvoiceNumbersRecord> {
  const item = await table.get(layout.invoiceNumbers.key({ account, organization }));
  return item ? invoiceNumbersEntity.read(item) : invoiceNumbersEntity.blank({ OrganizationId: organization });
}

/** Stores the numbers of an organization if nobody took one, or changed them, since `before` was read. */
export const invoiceNumbersChange = (
  account: string,
  before: InvoiceNumbersRecord,
  changed: Pick<InvoiceNumbersRecord, 'Prefix' | 'Next'>,
): Change => ({
  put: {
    ...layout.invoiceNumbers.key({ account, organization: before.OrganizationId }),
    ...before,
    ...changed,
    V: before.V + 1,
  },
  if: before.V ? { equals: { V: before.V } } : 'absent',
});

/** Numbers of other invoices that are looked up at once. */
const TRIES = 20;

/**
 * The number of an invoice that is made without one, and the change that takes it. An organization with numbers of its
 * own gives the next: it is used up in the transaction that stores the invoice, so that a refused call leaves no gap and
 * no two calls get the same. Otherwise it is the id, or the first free of `<id>-2`, `<id>-3` …; a random one where 20
 * are taken by imported invoices. Two rounds, one without own numbers.
 */
export async function takeInvoiceNumber(
  table: TableReader,
  account: string,
  { organization, id }: { readonly organization: number; readonly id: number },
): Promise<{ readonly number: string; readonly changes: readonly Change[] }> {
  const keyAt = (number: string) => invoiceNumberKey(account, organization, number);
  const firstFree = async (candidates: readonly string[]): Promise<number> => {
    const taken = new Set((await table.getMany(candidates.map(keyAt))).map(({ PK }) => PK));
    return candidates.findIndex((candidate) => !taken.has(keyAt(candidate).PK));
  };
  const [own, sameAsId] = await Promise.all([
    findInvoiceNumbers(table, account, organization),
    table.get(keyAt(String(id))),
  ]);
  const { Prefix, Next } = own;
  if (Next !== null) {
    const candidates = Array.from({ length: TRIES }, (_, index) => `${Prefix}${Next + index}`);
    const free = await firstFree(candidates);
    const at = Next + (free < 0 ? TRIES : free);
    return { number: `${Prefix}${at}`, changes: [invoiceNumbersChange(account, own, { Prefix, Next: at + 1 })] };
  }
  if (!sameAsId) return { number: String(id), changes: [] };
  const candidates = Array.from({ length: TRIES }, (_, index) => `${id}-${index + 2}`);
  return { number: candidates[await firstFree(candidates)] ?? `${id}-${randomHandle(8)}`, changes: [] };
}
