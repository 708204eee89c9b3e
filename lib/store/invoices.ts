import { alike } from '../domain/alike.ts';
import { InvoiceStatus, type InvoiceRecord } from '../domain/invoices/record.ts';
import { keyText } from '../domain/key-text.ts';
import { toLocalDate } from '../domain/moments-out.ts';
import type { Change } from './changes.ts';
import type { TablePager, TableReader } from './client.ts';
import type { Standing } from './contact-standing.ts';
import { thingOf } from './entities.ts';
import { storeIndexed } from './indexed.ts';
import { layout, type Key } from './layout.ts';
import { listThings, type Query } from './listing.ts';
import { findSeen, type Viewer } from './viewer.ts';

const KIND = 'Invoice';

/** The invoice, where it exists for a caller who sees one organization, or all (`null`). */
export async function findInvoice(table: TableReader, viewer: Viewer, id: number): Promise<InvoiceRecord | undefined> {
  const item = await findSeen(table, viewer, layout.invoice.key({ account: viewer.accountId, id }));
  return item && thingOf<InvoiceRecord>(item);
}

/** Where a number of an organization is guarded; its case does not count. */
export const numberKey = (account: string, organization: number, number: string): Key =>
  layout.invoiceNumber.key({ account, organization, number: keyText(number) });

/** The id of the invoice that has a number in an organization. */
export const findInvoiceNumber = async (
  table: TableReader,
  account: string,
  organization: number,
  number: string,
): Promise<number | undefined> =>
  (await table.get(numberKey(account, organization, number)))?.['Id'] as number | undefined;

/** Characters of what it is for that the contact's list of open invoices has. */
const MOST_TEXT = 80;

/** How the contact lists it while it is open. */
const listed = (invoice: InvoiceRecord | undefined) =>
  invoice?.Status === InvoiceStatus.Open
    ? {
        Date: toLocalDate(invoice.Date, invoice.Zone),
        Service: (invoice.Lines[0]?.Description ?? '').slice(0, MOST_TEXT),
        HashKey: invoice.HashKey,
      }
    : undefined;

/**
 * The changes that store an invoice as it is now, with the guard of its number; the invoice with its new version; and
 * what that changes of its contact (contact-standing.ts).
 */
export function storeInvoice(
  account: string,
  { before, after, now }: { before: InvoiceRecord | undefined; after: InvoiceRecord; now: Date },
): { thing: InvoiceRecord; changes: Change[]; standing: Standing } {
  const invoice = { ...after, Updated: now.getTime() };
  const { Id, OrganizationId, Date: date, Status, InvoiceType, Number } = invoice;
  const facts = { S: Status, T: InvoiceType };
  const at = { kind: KIND, of: invoice, key: layout.invoice.key({ account, id: Id }), date, facts };
  const { thing, change } = storeIndexed(account, at, { before, after: invoice });
  const guard = numberKey(account, OrganizationId, Number);
  const held = before && numberKey(account, before.OrganizationId, before.Number);
  const isNew = guard.PK !== held?.PK;
  const [was, is] = [listed(before), listed(invoice)];
  return {
    thing,
    changes: [
      change,
      ...(isNew ? [{ put: { ...guard, Id }, if: 'absent' as const }] : []),
      ...(held && isNew ? [{ remove: held }] : []),
    ],
    standing: {
      ...(alike(was, is) ? {} : { invoices: { [Id]: is } }),
      customer: !before,
    },
  };
}

/** What invoices are asked for; every criterion given must hold. */
export interface InvoiceQuery extends Query {
  readonly status?: number | undefined;
  readonly type?: number | undefined;
}

/** A page of invoices by date, then id; and how many there are in all. */
export async function queryInvoices(
  table: TablePager,
  viewer: Viewer,
  { status, type, ...asked }: InvoiceQuery,
  now: Date,
): Promise<{ count: number; invoices: InvoiceRecord[] }> {
  const where = { S: status, T: type };
  const { key } = layout.invoice;
  const { count, things } = await listThings<InvoiceRecord>(table, viewer, { ...asked, kind: KIND, where, key }, now);
  return { count, invoices: things };
}
