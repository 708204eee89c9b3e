import type { MonthRecords, MonthSpan } from '../domain/figures.ts';
import { appointmentEntity } from '../entities/appointments.ts';
import { contactEntity } from '../entities/contacts.ts';
import { isGone } from '../entities/erased-contacts.ts';
import {
  type FiguresProgress,
  type MonthFiguresRecord,
  figuresProgressEntity,
  monthFiguresEntity,
} from '../entities/figures.ts';
import { invoiceEntity } from '../entities/invoices.ts';
import { proposalEntity } from '../entities/proposals.ts';
import { toLocalDay } from '../shared/time/time.ts';
import { widest } from './date-filter.ts';
import type { Item } from './dynamodb/changes.ts';
import type { Facts } from './dynamodb/filters.ts';
import { type RecordKind, idOf, listRange } from './dynamodb/records.ts';
import { type TableReader, type TableWriter, chunks } from './dynamodb/table.ts';
import { idInOrderKey, momentIn, orderKeyIn, shorten } from './indexes.ts';
import { type Key, attributes, factNames, indexLayout, layout, momentKey, sortable } from './keys.ts';
import type { StoreReader, StoreWriter } from './store.ts';

/** The figures of organizations by month, and the records that they are counted from. */

/** The figures of months from one to another, by month. */
export async function listFigures(
  { table, account }: StoreReader,
  { organization, first, last }: { readonly organization: number; readonly first: string; readonly last: string },
): Promise<MonthFiguresRecord[]> {
  const partition = layout.monthFigures.of({ account, organization });
  return (await listRange(table, { partition, from: first, to: last })).map(monthFiguresEntity.readDeclared);
}

/** Stores figures in place of those that were counted before. Safe to repeat; keeps what a later version stored. */
export async function writeFigures({ table, account }: StoreWriter, figures: MonthFiguresRecord): Promise<void> {
  const { OrganizationId: organization, Month: month } = figures;
  const update = layout.monthFigures.key({ account, organization, month });
  await table.update({ update, set: { ...monthFiguresEntity.write(figures) } });
}

/** Where the count of the last night stands. */
export const findFiguresProgress = async (table: TableReader): Promise<FiguresProgress> =>
  figuresProgressEntity.read((await table.get(layout.figuresProgress.key({}))) ?? {});

/** Stores where the count of a night stands. Safe to repeat. */
export const writeFiguresProgress = async (
  table: TableWriter,
  { Night, Account, OrganizationId }: FiguresProgress,
): Promise<void> => {
  await table.update({ update: layout.figuresProgress.key({}), set: { Night, Account, OrganizationId } });
};

/** A month of an organization whose days are those of its zone. */
export interface OrganizationMonth {
  readonly organization: number;
  readonly zone: string;
  readonly span: MonthSpan;
}

interface Entry {
  readonly id: number;
  readonly facts: Facts;
}

const DAY_FACT = factNames['all']?.['day'] ?? '';

/** The entries of a kind that are dated in a month: by their calendar date, otherwise by their moment in the zone. */
async function listEntries(
  { table, account }: StoreReader,
  kind: string,
  { organization, zone, span }: OrganizationMonth,
): Promise<Entry[]> {
  const { from = 0, through = 0 } = widest(span);
  const items = await listRange(table, {
    index: 'GSI2',
    partition: indexLayout.GSI2.of({ account, organization, kind }),
    from: momentKey(from),
    to: `${momentKey(through)}~`,
    attributes: ['GSI2SK', attributes.facts],
  });
  return items.flatMap((item) => {
    const orderKey = orderKeyIn(String(item['GSI2SK']));
    const facts = (item[attributes.facts] ?? {}) as Facts;
    const day = (facts[DAY_FACT] as number | undefined) ?? toLocalDay(momentIn(orderKey), zone);
    return day >= span.firstDay && day <= span.lastDay ? [{ id: idInOrderKey(orderKey), facts }] : [];
  });
}

/** The statuses of the records of a kind, which their entries have. */
async function listStatuses(
  store: StoreReader,
  kind: Pick<RecordKind<never>, 'name' | 'listed'>,
  month: OrganizationMonth,
): Promise<number[]> {
  const [status = ''] = Object.keys(shorten(kind, { status: true }));
  return (await listEntries(store, kind.name, month)).map(({ facts }) => Number(facts[status]));
}

const ITEMS_AT_ONCE = 2_000;

/** Attributes of many items, some at a time. */
async function readParts(table: TableReader, keys: readonly Key[], names: readonly string[]): Promise<Item[]> {
  const items: Item[] = [];
  for (const some of chunks(keys, ITEMS_AT_ONCE))
    items.push(...(await table.getMany(some, { consistent: false, attributes: names })));
  return items;
}

const invoicePart = invoiceEntity.part('Status', 'Subtotal');

async function listInvoices(store: StoreReader, month: OrganizationMonth): Promise<MonthRecords['invoices']> {
  const { account, table } = store;
  const entries = await listEntries(store, invoiceEntity.name, month);
  const keys = entries.map(({ id }) => layout.invoice.key({ account, id }));
  return (await readParts(table, keys, invoicePart.names)).map(invoicePart.read);
}

const contactPart = contactEntity.part('Channel', 'Created', 'OrganizationId');

/** The channels of the contacts that were added in a month, without merged and erased ones. */
async function listChannels(store: StoreReader, { organization, span }: OrganizationMonth): Promise<string[]> {
  const { account, table } = store;
  const entries = await listRange(table, {
    partition: layout.contactCreated.of({ account, scope: organization, shard: 0 }),
    from: sortable(span.from),
    to: `${sortable(span.through)}~`,
    attributes: ['Id'],
    consistent: false,
  });
  const keys = [...new Set(entries.map(idOf))].map((id) => layout.contact.key({ account, id }));
  const items = await readParts(table, keys, ['ErasedAt', 'MergedInto', ...contactPart.names]);
  const isIn = ({ Created, OrganizationId }: ReturnType<typeof contactPart.read>): boolean =>
    OrganizationId === organization && Created >= span.from && Created <= span.through;
  return items
    .filter((item) => !isGone(item))
    .map(contactPart.read)
    .filter(isIn)
    .map(({ Channel }) => Channel);
}

/**
 * The records of a month of an organization. 1 RRU for 110 entries, which are enough for visits and proposals, and 0.5
 * for each invoice and new contact of 4 KB.
 */
export async function listMonthRecords(store: StoreReader, month: OrganizationMonth): Promise<MonthRecords> {
  const [invoices, visits, proposals, channels] = await Promise.all([
    listInvoices(store, month),
    listStatuses(store, appointmentEntity, month),
    listStatuses(store, proposalEntity, month),
    listChannels(store, month),
  ]);
  return { invoices, visits, proposals, channels };
}
