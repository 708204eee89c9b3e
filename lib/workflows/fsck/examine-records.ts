import { erasedContactEntity, isErased } from '../../entities/erased-contacts.ts';
import { ProposalStatus, statusAt } from '../../entities/proposal-status.ts';
import { nouns } from '../../entities/nouns.ts';
import { InvoiceStatus } from '../../entities/invoices.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import { timeReservations } from '../../domain/appointments/calendar.ts';
import { creditOf } from '../../domain/credits.ts';
import { withBalance } from '../../domain/invoices/record.ts';
import { isEqual, omit } from '../../shared/objects.ts';
import { add } from '../../shared/money.ts';
import { HOUR } from '../../shared/time/time.ts';
import { entryOf, guardKey, parseGuard } from '../../store/contacts/contact-index.ts';
import { appointmentsOf, listCalendarDays, timeReservationChanges } from '../../store/calendars.ts';
import { contactSummaryChanges } from '../../store/contacts/contacts.ts';
import {
  type Derived,
  derivedOf,
  indexAttributes,
  isDerivedAs,
  isIndexedAs,
  isLastingGuard,
  ownerOf,
  unchangedItem,
} from '../../store/derived-items.ts';
import type { Change, Item } from '../../store/dynamodb/changes.ts';
import type { TableReader } from '../../store/dynamodb/table.ts';
import { listRange } from '../../store/dynamodb/records.ts';
import { entityAt } from '../../store/entities.ts';
import { type Key, accountOfKey, indexLayout, layout, padded, toKey, keyText } from '../../store/keys.ts';
import { invoiceChanges } from '../../store/sales/invoices.ts';
import { listInvoicePayments } from '../../store/sales/payments.ts';
import { pendingExpiry } from '../../store/sales/proposals.ts';
import { examineMerged } from './examine-merges.ts';
import type { Problem } from './problem.ts';
import { type StoreReader, accountStore } from '../../store/store.ts';

/** The condition that a record is unchanged since it was read. */
const unchanged = (item: Item): Change => ({ check: toKey(item), if: { equals: { V: item['V'] } } });

const guards = new Set([
  'OrganizationLocation',
  'AccountingClassName',
  'UserEmail',
  'BlogSlug',
  'ServiceName',
  'CallCenter',
  'InvoiceNumber',
  'Transaction',
  'ContactHash',
  'AppointmentHash',
]);
const kindAt = (key: Key) => (guards.has(entityAt(key) ?? '') ? 'guard' : 'entry');

/** How often a record that changes during its examination is read again. */
const MAX_READS = 20;

/** Examines everything derived from a record; returns nothing if the record never stays unchanged long enough. */
export async function examineRecord(table: TableReader, key: Key, now: Date): Promise<Problem[]> {
  for (let reads = 0; reads < MAX_READS; reads++) {
    const item = await table.get(key);
    const problems = item ? await examineItem(table, item, now) : [];
    if (!problems.length || (await table.get(key))?.['V'] === item?.['V']) return problems;
  }
  return [];
}

async function examineItem(table: TableReader, item: Item, now: Date): Promise<Problem[]> {
  const key = toKey(item);
  const account = accountOfKey(key);
  if (!account) return [];
  const store = accountStore(table, account);
  let derived: Derived | undefined;
  try {
    derived = derivedOf(entityAt(key), account, item);
  } catch (error) {
    // Nobody can change such a record either, so a person must decide what it should be.
    return [{ kind: 'record', key, message: `cannot be read (${(error as Error).message})` }];
  }
  if (!derived) return [];
  const found = await Promise.all([
    examineIndexes(item, derived),
    examineItems(store, item, derived),
    examineGuards(table, item, derived),
    examineSummaryEntry(store, item, derived, now),
    entityAt(key) === 'Contact' ? examineContact(store, item) : [],
    entityAt(key) === 'Contact' && !isErased(item) ? examineMerged(store, item, now) : [],
    entityAt(key) === 'Invoice' ? examineInvoice(store, item, now) : [],
    entityAt(key) === 'Proposal' ? examineExpiry(store, item, now) : [],
    entityAt(key) === 'Appointment' ? examineReservations(store, item, now) : [],
  ]);
  return found.flat();
}

function examineIndexes(item: Item, { indexes }: Derived): Problem[] {
  if (!Object.keys(indexes).length || isIndexedAs(indexes, item)) return [];
  const stored = indexAttributes(item);
  const names = [...new Set([...Object.keys(stored), ...Object.keys(indexes)])].filter(
    (name) => !isEqual(stored[name], indexes[name]),
  );
  const repair = {
    message: 'writes the index keys of the record',
    changes: [
      {
        update: toKey(item),
        set: indexes,
        remove: names.filter((name) => !(name in indexes)),
        // Uses the next version, because a change of a record with its former version would not be delivered.
        add: { V: 1 },
        if: { equals: { V: item['V'] } },
      },
    ],
  };
  return [{ kind: 'index', key: toKey(item), message: `${names.sort().join(', ')} differ from the record`, repair }];
}

async function examineItems(store: StoreReader, item: Item, { items }: Derived): Promise<Problem[]> {
  const { table } = store;
  const stored = new Map(
    (items.length ? await table.getMany(items.map(toKey)) : []).map((each) => [keyText(each), each]),
  );
  const problems = await Promise.all(
    items.map(async (expected): Promise<Problem | undefined> => {
      const found = stored.get(keyText(expected));
      const common = { kind: kindAt(expected), key: toKey(expected) } as const;
      if (!found) {
        const changes: Change[] = [{ put: expected, if: 'absent' }, unchanged(item)];
        return {
          ...common,
          message: `is missing for ${item.SK} of ${item.PK}`,
          repair: { message: 'writes it', changes },
        };
      }
      if (isDerivedAs(entityAt(expected), expected, found)) return undefined;
      if (await isOwned(store, found, item)) {
        const [own, other] = [expected['Id'], found['Id']];
        return { ...common, message: `belongs to ${String(other)} and to ${String(own)}, which both claim it` };
      }
      const changes: Change[] = [{ put: expected, if: unchangedItem(found) }, unchanged(item)];
      return { ...common, message: `differs from ${item.PK}`, repair: { message: 'writes it again', changes } };
    }),
  );
  return problems.filter((problem) => problem !== undefined);
}

/** Whether a record other than `item` claims a derived item. */
async function isOwned({ account, table }: StoreReader, derived: Item, item: Item): Promise<boolean> {
  const ownerKey = ownerOf(entityAt(derived), account, derived);
  if (!ownerKey || keyText(ownerKey) === keyText(item)) return false;
  return hasDerived(await table.get(ownerKey), account, derived);
}

function hasDerived(owner: Item | undefined, account: string, derived: Item): boolean {
  if (!owner) return false;
  if (isLastingGuard(entityAt(derived))) return true;
  const items = derivedOf(entityAt(owner), account, owner)?.items ?? [];
  return items.some((each) => keyText(each) === keyText(derived));
}

/** Checks the e-mail and phone of a contact: one entry of its organization must belong to it. */
async function examineGuards(table: TableReader, item: Item, derived: Derived): Promise<Problem[]> {
  if (!derived.guards.length) return [];
  const contact = nouns.Contact.read(item);
  const { OrganizationId: organization } = contact;
  const problems = await Promise.all(
    derived.guards.map(async (range): Promise<Problem[]> => {
      const from = `${padded(organization)}#${range.infix}`;
      const entries = await listRange(table, { partition: range.partition, from, to: `${from}~`, consistent: true });
      if (entries.some(({ Id }) => Id === contact.Id)) return [];
      const ordinals = entries.map(({ SK }) => parseGuard(SK, range).ordinal ?? -1);
      const key = guardKey(range, organization, Math.max(-1, ...ordinals) + 1);
      const changes: Change[] = [{ put: entryOf(key, contact), if: 'absent' }, unchanged(item)];
      return [{ kind: 'guard', key, message: `is missing for ${item.PK}`, repair: { message: 'writes it', changes } }];
    }),
  );
  return problems.flat();
}

/** A derived item whose record does not exist or does not claim it. */
export async function examineOwner(table: TableReader, key: Key): Promise<Problem[]> {
  const item = await table.get(key);
  const account = accountOfKey(key);
  const ownerKey = item && account && ownerOf(entityAt(key), account, item);
  if (!ownerKey) return [];
  const owner = await table.get(ownerKey);
  if (hasDerived(owner, account, item)) return [];
  const changes: Change[] = [
    { remove: toKey(key), if: unchangedItem(item) },
    owner ? unchanged(owner) : { check: ownerKey, if: 'absent' },
  ];
  const message = owner ? `is not of ${ownerKey.PK}` : `is of ${ownerKey.PK}, which does not exist`;
  return [{ kind: kindAt(key), key: toKey(key), message, repair: { message: 'removes it', changes } }];
}

/** The entry of an invoice or proposal in its contact's lists. */
async function examineSummaryEntry(
  store: StoreReader,
  item: Item,
  { summary }: Derived,
  now: Date,
): Promise<Problem[]> {
  const { table, account } = store;
  if (!summary) return [];
  const { contact: id, list, entry } = summary;
  // Between its expiry and the hourly run, it may or may not be in the list.
  const isOverdue = list === 'OpenProposals' && entry && isExpired(item, now);
  const contact = await table.get(layout.contact.key({ account, id }));
  const stored = (contact?.[list] as Readonly<Record<string, unknown>> | undefined)?.[String(item['Id'])];
  if (!contact || isOverdue || isEqual(stored, entry)) return [];
  const documents = { [String(item['Id'])]: entry };
  const change = list === 'OpenInvoices' ? { invoices: documents } : { proposals: documents };
  const repair = {
    message: entry ? 'writes the entry' : 'removes the entry',
    changes: [...contactSummaryChanges(store, id, change, now), unchanged(item)],
  };
  const message = `${list} ${entry ? (stored ? 'differs from' : 'lacks') : 'still has'} ${item.PK}`;
  return [{ kind: 'summary', key: toKey(contact), message, repair }];
}

const isExpired = (item: Item, now: Date): boolean =>
  statusAt(nouns.Proposal.read(item), now.getTime()) === ProposalStatus.Expired;

/** The fields that a contact and the remains of an erased one share. */
const paidPart = nouns.Payment.part('InvoiceId', 'InCredit', 'Amount');

const readSums = (item: Item) => (isErased(item) ? erasedContactEntity.read(item) : nouns.Contact.read(item));

/** Checks a contact for entries of documents that do not exist, and for the sum of its payments. */
async function examineContact(store: StoreReader, item: Item): Promise<Problem[]> {
  const { account, table } = store;
  const contact = readSums(item);
  const lists = [
    { name: 'OpenInvoices', keyPattern: layout.invoice, as: 'invoices' },
    { name: 'OpenProposals', keyPattern: layout.proposal, as: 'proposals' },
  ] as const;
  const problems: Problem[] = [];
  for (const { name, keyPattern, as } of lists) {
    const ids = Object.keys(contact[name]);
    const keys = ids.map((id) => keyPattern.key({ account, id: Number(id) }));
    const found = new Set((keys.length ? await table.getMany(keys, { attributes: ['PK'] }) : []).map(({ PK }) => PK));
    for (const [index, id] of ids.entries()) {
      const key = keys[index];
      if (!key || found.has(key.PK)) continue;
      const now = new Date(contact.Updated);
      const changes = [
        ...contactSummaryChanges(store, contact.Id, { [as]: { [id]: undefined } }, now),
        { check: key, if: 'absent' as const },
      ];
      const message = `${name} has ${key.PK}, which does not exist`;
      problems.push({ kind: 'summary', key: toKey(item), message, repair: { message: 'removes the entry', changes } });
    }
  }
  return [...problems, ...(await examinePaid(store, item))];
}

/** What a contact has paid on its invoices, and its credit: both are sums of its payments. */
async function examinePaid({ account, table }: StoreReader, item: Item): Promise<Problem[]> {
  const contact = readSums(item);
  const partition = indexLayout.GSI4.of({ account, contact: contact.Id, kind: 'Payment' });
  const entries = await listRange(table, { index: 'GSI4', partition, attributes: ['PK', 'SK'] });
  const payments = entries.length ? await table.getMany(entries.map(toKey), { attributes: [...paidPart.names] }) : [];
  const read = payments.map(paidPart.read);
  const sums = {
    LifetimeValue: add(...read.map(({ InvoiceId, Amount }) => (InvoiceId ? Amount : 0))),
    CreditBalance: add(...read.map(creditOf)),
  };
  const wrong = (['LifetimeValue', 'CreditBalance'] as const).filter((name) => (contact[name] ?? 0) !== sums[name]);
  if (!wrong.length) return [];
  const set = Object.fromEntries(wrong.map((name) => [name, sums[name]]));
  const change: Change = { update: toKey(item), set, add: { V: 1 }, if: { equals: { V: contact.V } } };
  const message = wrong.map((name) => `${name} is ${contact[name] ?? 0}; its payments are ${sums[name]}`).join('. ');
  const repair = { message: `sets ${wrong.map((name) => sums[name]).join(' and ')}`, changes: [change] };
  // The index of payments may be a second old.
  return [{ kind: 'summary', key: toKey(item), message, version: contact.V, repair }];
}

/** The amount paid on an invoice, which is the sum of its payments. */
async function examineInvoice(store: StoreReader, item: Item, now: Date): Promise<Problem[]> {
  const before = nouns.Invoice.read(item);
  const payments = await listInvoicePayments(store, before.Id);
  const paid = payments.reduce((sum, { Amount }) => add(sum, Amount), 0);
  if (before.Paid === paid || before.Status === InvoiceStatus.Voided) return [];
  const latest = Math.max(0, ...payments.map(({ Date: at }) => at));
  const after = withBalance(before, paid, latest);
  const { changes, contactSummary } = invoiceChanges(store, { before, after, now });
  // What the contact has paid is compared with the payments separately.
  const summary = { ...contactSummary, customer: false };
  const repair = {
    message: `sets Paid ${paid} and BalanceDue ${after.BalanceDue}`,
    changes: [...changes, ...contactSummaryChanges(store, before.ContactId, summary, now)],
  };
  return [{ kind: 'summary', key: toKey(item), message: `Paid is ${before.Paid}; its payments are ${paid}`, repair }];
}

/** The entry that makes an open proposal expire; one that is late is due now. */
async function examineExpiry(store: StoreReader, item: Item, now: Date): Promise<Problem[]> {
  const { table } = store;
  const expiry = pendingExpiry(store, nouns.Proposal.read(item));
  if (!expiry) return [];
  const { ExpiresAt } = nouns.Proposal.read(item);
  const isLate = (ExpiresAt ?? 0) <= now.getTime();
  // The hourly run is working on it.
  if (isLate && (ExpiresAt ?? 0) > now.getTime() - 2 * HOUR) return [];
  if (!isLate && (await table.get(expiry))) return [];
  const message = isLate ? `${item.PK} has expired, which is not stored` : `is missing for ${item.PK}`;
  const repair = { message: 'writes it', changes: [{ put: { ...expiry } }, unchanged(item)] };
  return [{ kind: 'expiry', key: toKey(expiry), message, repair }];
}

/** The reserved time of an appointment. */
async function examineReservations(store: StoreReader, item: Item, now: Date): Promise<Problem[]> {
  const appointment = nouns.Appointment.read(item);
  const reservations = timeReservations(appointment);
  return compareReservations(store, { appointment, item, spans: reservations, now });
}

/** Checks an agent's day: its jobs must belong to appointments. Holds end by themselves, their places by their TTL. */
export async function examineCalendarDay(table: TableReader, key: Key, now: Date): Promise<Problem[]> {
  const day = await table.get(key);
  const account = accountOfKey(key);
  if (!day || !account) return [];
  const organization = Number(key.PK.split('#')[3]);
  const found = await Promise.all(
    appointmentsOf(day).map(async (id) => {
      const item = await table.get(layout.appointment.key({ account, id }));
      const own = item && nouns.Appointment.read(item);
      const appointment = own?.OrganizationId === organization ? own : undefined;
      const start = Date.parse(`${String(day['Day'])}T00:00:00Z`);
      const spans = [{ agentId: day['Agent'] as number, start, end: start + 24 * HOUR }];
      return compareReservations(accountStore(table, account), { appointment, item, spans, id, organization, now });
    }),
  );
  return found.flat();
}

interface Reserving {
  /** `undefined` if it does not exist in the organization. */
  readonly appointment: AppointmentRecord | undefined;
  readonly item: Item | undefined;
  /** The days to compare in addition to those of its reservations. */
  readonly spans: readonly { readonly agentId: number; readonly start: number; readonly end: number }[];
  readonly id?: number;
  readonly organization?: number;
  readonly now: Date;
}

async function compareReservations(
  store: StoreReader,
  {
    appointment,
    item,
    spans,
    now,
    id = appointment?.Id ?? 0,
    organization = appointment?.OrganizationId ?? 0,
  }: Reserving,
): Promise<Problem[]> {
  const reservations = appointment ? timeReservations(appointment) : [];
  const { account } = store;
  const days = await listCalendarDays(store, organization, [...reservations, ...spans]);
  const times = { before: reservations, after: reservations };
  const changes = timeReservationChanges(store, organization, days, {
    appointmentId: id,
    ...times,
    watched: false,
    now,
  });
  // A version from before buffers moves a visit without them; its next move reserves them.
  const bare = reservations.map((time) => omit(time, 'buffers'));
  const bareTimes = { before: bare, after: bare };
  const bareChanges = timeReservationChanges(store, organization, days, {
    appointmentId: id,
    ...bareTimes,
    watched: false,
    now,
  });
  if (!changes.length || !bareChanges.length) return [];
  const isMoved = item && !appointment;
  const state =
    item && !isMoved ? unchanged(item) : { check: layout.appointment.key({ account, id }), if: absence(item) };
  return changes.flatMap((change) =>
    'put' in change
      ? [
          {
            kind: 'calendar' as const,
            key: toKey(change.put),
            message: `the time of ${layout.appointment.key({ account, id }).PK} differs from its reservations`,
            repair: { message: 'reserves exactly its time', changes: [change, state] },
          },
        ]
      : [],
  );
}

const absence = (item: Item | undefined): Extract<Change, { check: Key }>['if'] =>
  item ? { equals: { V: item['V'] } } : 'absent';
