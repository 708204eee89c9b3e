import { type PaymentRecord, invoicePaymentEntity } from '../../entities/payments.ts';
import { idOf, listRange, randomHandle } from '../dynamodb/records.ts';
import { type InvoiceRecord, invoiceEntity, InvoiceStatus, isOpenInvoice } from '../../entities/invoices.ts';
import { type InvoiceNumbersRecord, invoiceNumbersEntity } from '../../entities/organizations.ts';
import { isEqual } from '../../shared/objects.ts';
import { toLocalDate } from '../../shared/time/time.ts';
import { findBusinessKey } from '../erased-keys.ts';
import { toKeyText } from '../../shared/text/text.ts';
import { finderOf, isReachable } from '../visibility.ts';
import type { StoreAccount, StorePager, StoreReader } from '../store.ts';
import type { ContactSummary } from '../contacts/contacts.ts';
import type { Change } from '../dynamodb/changes.ts';
import { type Query, type Transition, listRecords, listedChange } from '../indexes.ts';
import { type Key, layout } from '../keys.ts';

/** Invoices, and the numbers that an organization assigns to them. */

export const findInvoice = finderOf(invoiceEntity, layout.invoice);

/** The guard of a number. */
export const invoiceNumberKey = ({ account }: StoreAccount, organization: number, number: string): Key =>
  layout.invoiceNumber.key({ account, organization, number: toKeyText(number) });

export const findInvoiceIdByNumber = async (
  store: StoreReader,
  { organization, number }: { readonly organization: number; readonly number: string },
): Promise<number | undefined> => {
  const guard = await findBusinessKey(store, invoiceNumberKey(store, organization, number));
  return guard && idOf(guard);
};

/** Maximum number of characters of its first line in the contact's list of open invoices. */
const MAX_SERVICE_LENGTH = 80;

/** The entry in the contact's list of open invoices. */
const openEntry = (invoice: InvoiceRecord | undefined) =>
  invoice?.Status === InvoiceStatus.Open
    ? {
        Date: toLocalDate(invoice.Date, invoice.Zone),
        Service: (invoice.Lines[0]?.Description ?? '').slice(0, MAX_SERVICE_LENGTH),
        ...(invoice.LinksRevoked ? { LinksRevoked: invoice.LinksRevoked } : {}),
      }
    : undefined;

/**
 * The changes that store an invoice with the guard of its number; the invoice with its new version; and the changes of
 * its contact.
 */
export function invoiceChanges(
  store: StoreAccount,
  { before, after, now }: Transition<InvoiceRecord>,
): { record: InvoiceRecord; changes: Change[]; contactSummary: ContactSummary } {
  const { record, change } = listedChange(store, invoiceEntity, layout.invoice, { before, after, now });
  const { Id, OrganizationId, Number } = record;
  const guard = invoiceNumberKey(store, OrganizationId, Number);
  const oldGuard = before && invoiceNumberKey(store, before.OrganizationId, before.Number);
  const isNew = guard.PK !== oldGuard?.PK;
  const [oldEntry, newEntry] = [openEntry(before), openEntry(record)];
  return {
    record,
    changes: [
      change,
      ...(isNew ? [{ put: { ...guard, Id }, if: 'absent' as const }] : []),
      ...(oldGuard && isNew ? [{ remove: oldGuard }] : []),
    ],
    contactSummary: { ...(isEqual(oldEntry, newEntry) ? {} : { invoices: { [Id]: newEntry } }), customer: !before },
  };
}

/** The changes that remove an invoice as it was read, and free its number. */
export const removedInvoiceChanges = (
  store: StoreAccount,
  { Id: id, V, OrganizationId, Number }: InvoiceRecord,
): Change[] => [
  { remove: layout.invoice.key({ account: store.account, id }), if: { equals: { V } } },
  { remove: invoiceNumberKey(store, OrganizationId, Number), if: { equals: { Id: id } } },
];

/** Invoices must meet every criterion. */
export interface InvoiceQuery extends Query {
  readonly status?: number | undefined;
  readonly type?: number | undefined;
}

/** A page of invoices by date, then id, and the number of all matches. */
export async function queryInvoices(
  store: StorePager,
  { status, type, ...query }: InvoiceQuery,
  now: Date,
): Promise<{ count: number; invoices: InvoiceRecord[] }> {
  const where = { status, type };
  const { key } = layout.invoice;
  const { count, records } = await listRecords(
    store,
    invoiceEntity,
    { ...query, open: isOpenInvoice(status), where, key },
    now,
  );
  return { count, invoices: records };
}

/** The invoice and its payments by date, then id, read at the same time. One request for some 2,000 payments. */
export async function findInvoicePayments(
  store: StoreReader,
  id: number,
): Promise<{ invoice: InvoiceRecord; payments: PaymentRecord[] } | undefined> {
  const { table } = store;
  const { PK: partition, SK } = layout.invoice.key({ account: store.account, id });
  const items = await listRange(table, { partition, consistent: true });
  const item = items.find((candidate) => candidate.SK === SK);
  if (!item || !(await isReachable(store, item))) return undefined;
  const payments = items.flatMap((other) => (other === item ? [] : [invoicePaymentEntity.read(other).Payment]));
  return { invoice: invoiceEntity.read(item), payments: payments.sort((a, b) => a.Date - b.Date || a.Id - b.Id) };
}

/** The invoice numbers that an organization assigns. V is 0 if nothing is stored. */
export async function findInvoiceNumbers(
  { table, account }: StoreReader,
  organization: number,
): Promise<InvoiceNumbersRecord> {
  const item = await table.get(layout.invoiceNumbers.key({ account, organization }));
  return item ? invoiceNumbersEntity.read(item) : invoiceNumbersEntity.blank({ OrganizationId: organization });
}

/** Stores the numbers of an organization if nobody has taken one, or changed them, since `before` was read. */
export const invoiceNumbersChange = (
  { account }: StoreAccount,
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

/** Number of candidate invoice numbers that are looked up at once. */
const TRIES = 20;

/**
 * The number of an invoice that is made without one, and the change that takes it. An organization with its own
 * numbering assigns the next number: the transaction that stores the invoice uses it up, so that a refused call leaves
 * no gap and no two calls get the same number. Otherwise it is the id, or the first free of `<id>-2`, `<id>-3` …; a
 * random one if 20 are taken by imported invoices. One round, two with own numbering, and one more if an imported
 * invoice has the number.
 */
export async function takeInvoiceNumber(
  store: StoreReader,
  { organization, id }: { readonly organization: number; readonly id: number },
): Promise<{ readonly number: string; readonly changes: readonly Change[] }> {
  const { table } = store;
  const keyAt = (number: string) => invoiceNumberKey(store, organization, number);
  const firstFree = async (candidates: readonly string[]): Promise<number> => {
    const taken = new Set((await table.getMany(candidates.map(keyAt))).map(({ PK }) => PK));
    return candidates.findIndex((candidate) => !taken.has(keyAt(candidate).PK));
  };
  const [own, sameAsId] = await Promise.all([findInvoiceNumbers(store, organization), table.get(keyAt(String(id)))]);
  const { Prefix, Next } = own;
  if (Next !== null) {
    const candidates = Array.from({ length: TRIES }, (_, index) => `${Prefix}${Next + index}`);
    // Only an imported invoice can have the next number.
    const isTaken = (await table.get(keyAt(`${Prefix}${Next}`))) !== undefined;
    const free = isTaken ? await firstFree(candidates) : 0;
    const at = Next + (free < 0 ? TRIES : free);
    return { number: `${Prefix}${at}`, changes: [invoiceNumbersChange(store, own, { Prefix, Next: at + 1 })] };
  }
  if (!sameAsId) return { number: String(id), changes: [] };
  const candidates = Array.from({ length: TRIES }, (_, index) => `${id}-${index + 2}`);
  return { number: candidates[await firstFree(candidates)] ?? `${id}-${randomHandle(8)}`, changes: [] };
}
