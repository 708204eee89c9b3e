import type { AppointmentRecord } from '../../entities/appointments.ts';
import { callbackTargets } from '../../domain/callbacks/targets.ts';
import { NO_PAYMENTS } from '../../domain/client-pages.ts';
import { type PlannedMessage, mayNotify, planMessages } from '../../domain/messages/plan.ts';
import type { MessageSettings } from '../../domain/messages/settings.ts';
import { hasMessages } from '../../delivery/has-messages.ts';
import type { Webhook } from '../../entities/webhooks.ts';
import { type Change, type StreamRecord, entityKindOf, isSilent, parseChange } from '../../events/change.ts';
import { type EventRelations, noRelations } from '../../events/entity-kind.ts';
import { eventText } from '../../events/event-text.ts';
import { eventContactId, toEvent } from '../../events/event.ts';
import { entityKinds } from '../../events/kinds.ts';
import { type BatchOptions, type BatchOutcome, type FailedRecord, convertRecords } from '../../shared/batch.ts';
import { SECOND } from '../../shared/time/time.ts';
import { findFeedContacts } from '../../store/contacts/contacts.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import { isOverloaded, isRefused } from '../../store/dynamodb/errors.ts';
import { findBacklog, writeBacklog } from '../../store/events/event-backlog.ts';
import { type NewEvent, appendEvents, splitTransactions } from '../../store/events/events.ts';
import { findMessageSettings } from '../../store/message-settings.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import { listBookEntries } from '../../store/pricebook/price-book.ts';
import { findAccountLinks } from '../../store/links.ts';
import { findTakesPayments } from '../../store/payment-providers.ts';
import { settingsOf } from '../../store/settings.ts';
import { listWebhooks } from '../../store/events/webhooks.ts';
import { parkRecord } from '../parked-records.ts';
import { type PatientStore, type StoreReader, accountStore } from '../../store/store.ts';

interface IndexedChange {
  readonly index: number;
  readonly record: StreamRecord;
  readonly change: Change;
}

interface IndexedEvent extends NewEvent {
  readonly index: number;
}

/** After this time the changes of an account over its ceiling are put aside; the others wait at most 5 s for it. */
const PATIENCE = 4 * SECOND;

/**
 * Queues the events of a batch's changes, each change once and those of a record in order. Accounts do not wait for
 * each other: if one takes no more, its changes are put aside after 5 seconds, and later ones after them. A record that
 * cannot become an event is parked, and the batch continues. Writes at once: a redelivered change is recognized by its
 * name.
 */
export async function queueEvents(
  table: PatientTable,
  records: readonly StreamRecord[],
  options: BatchOptions,
): Promise<BatchOutcome> {
  const { converted: changes, poison } = convertRecords(records, toChange);
  const byAccount = Map.groupBy(changes, ({ change }) => change.account);
  const outcomes = await Promise.all([
    parkRecords(records, poison, options),
    ...[...byAccount].map(([account, accountChanges]) =>
      queueAccount(accountStore(table, account), accountChanges, options),
    ),
  ]);
  return {
    queued: outcomes.reduce((sum, { queued }) => sum + queued, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
    parked: outcomes.flatMap(({ parked }) => parked),
    putAside: outcomes.reduce((sum, { putAside }) => sum + putAside, 0),
  };
}

function toChange(record: StreamRecord, index: number): IndexedChange | undefined {
  const entity = entityKindOf(record);
  if (entity === undefined || !entityKinds.has(entity) || isSilent(record)) return undefined;
  return { index, record, change: parseChange(record, entity) };
}

const nothingDone: BatchOutcome = { queued: 0, failures: [], parked: [], putAside: 0 };

async function parkRecords(
  records: readonly StreamRecord[],
  poison: readonly FailedRecord[],
  { now }: BatchOptions,
): Promise<BatchOutcome> {
  const parked: FailedRecord[] = [];
  for (const { index, error } of poison) {
    try {
      await parkRecord('event-queue', records[index] as StreamRecord, error, now);
      parked.push({ index, error });
    } catch (failure) {
      return { ...nothingDone, parked, failures: [{ index, error: failure }] };
    }
  }
  return { ...nothingDone, parked };
}

/** The store, which waits for the table no longer than a deadline. */
const patientUntil = (store: PatientStore, deadline: number): PatientStore => ({
  ...store,
  table: store.table.until(deadline),
});

async function queueAccount(
  store: PatientStore,
  changes: readonly IndexedChange[],
  options: BatchOptions,
): Promise<BatchOutcome> {
  const work = new AccountWork(store, changes, options.now);
  const { deadline } = options;
  for (const patience of [PATIENCE, Infinity]) {
    const until = () => Math.min(deadline, Date.now() + patience);
    try {
      if (await findBacklog(patientUntil(store, until()))) await work.putAside(until());
      else await work.queue(deadline, patience);
      return work.outcome;
    } catch (error) {
      if (isOverloaded(error) && (await work.tryPutAside(until()))) return work.outcome;
      if (patience === Infinity) return { ...work.outcome, failures: [{ index: work.nextIndex, error }] };
    }
  }
  return work.outcome;
}

/** Queues the changes of a drained backlog entry, in order; throws if the store refuses, and may be repeated. */
export async function queueWaitingChanges(
  store: PatientStore,
  records: readonly StreamRecord[],
  { now, deadline }: BatchOptions,
): Promise<BatchOutcome> {
  const work = new AccountWork(store, convertRecords(records, toChange).converted, now);
  await work.queue(deadline);
  return work.outcome;
}

/** Progress through the changes of one account in a batch. */
class AccountWork {
  readonly #store: PatientStore;
  readonly #now: Date;
  #remaining: readonly IndexedChange[];
  #queued = 0;
  #putAside = 0;
  readonly #parked: FailedRecord[] = [];

  constructor(store: PatientStore, changes: readonly IndexedChange[], now: Date) {
    this.#store = store;
    this.#remaining = changes;
    this.#now = now;
  }

  get outcome(): BatchOutcome {
    return { queued: this.#queued, failures: [], parked: this.#parked, putAside: this.#putAside };
  }

  /** The index of the first unhandled record. */
  get nextIndex(): number {
    return this.#remaining[0]?.index ?? 0;
  }

  /** Queues as many remaining changes as possible; each wait for the table lasts at most `patience`. */
  async queue(deadline: number, patience = Infinity): Promise<void> {
    const patient = patientUntil(this.#store, Math.min(deadline, Date.now() + patience));
    const [relations, webhooks, settings] = await Promise.all([
      loadRelations(patient, this.#remaining, this.#now),
      listWebhooks(patient, { consistent: false }),
      loadMessageSettings(patient, this.#remaining),
    ]);
    const { converted: events, poison } = convertRecords(this.#remaining, (change) =>
      toNewEvent(change, { relations, webhooks, settings }),
    );
    const changes = this.#remaining;
    await this.#park(poison.map(({ index, error }) => ({ index: changes[index]?.index ?? 0, error })));
    for (const part of splitTransactions(events)) {
      await this.#append(part, (events) => appendEvents(this.#store, events, this.#now, deadline, patience));
      this.#skipThrough(part.at(-1)?.index ?? 0);
    }
    this.#remaining = [];
  }

  /** An event whose content the table refuses is parked, as is a record that cannot become an event. */
  async #append(
    events: readonly IndexedEvent[],
    append: (events: readonly IndexedEvent[]) => Promise<number>,
  ): Promise<void> {
    try {
      this.#queued += await append(events);
    } catch (error) {
      if (!isRefused(error)) throw error;
      const [only, another] = events;
      if (only && !another) return this.#park([{ index: only.index, error }]);
      for (const event of events) await this.#append([event], append);
    }
  }

  async #park(failed: readonly FailedRecord[]): Promise<void> {
    for (const { index, error } of failed) {
      const parked = this.#remaining.find((change) => change.index === index);
      if (!parked || this.#parked.some((other) => other.index === index)) continue;
      await parkRecord('event-queue', parked.record, error, this.#now);
      this.#parked.push({ index, error });
    }
  }

  #skipThrough(index: number): void {
    this.#remaining = this.#remaining.filter((change) => change.index > index);
  }

  /** Appends the remaining changes to the account's backlog, in order. */
  async putAside(deadline: number): Promise<void> {
    const patient = patientUntil(this.#store, deadline);
    for (const part of splitEntries(this.#remaining)) {
      const order = part[0]?.record.dynamodb?.SequenceNumber ?? '';
      const text = JSON.stringify(part.map(({ record }) => record));
      await writeBacklog(patient, { order, text }, this.#now);
      this.#putAside += part.length;
      this.#skipThrough(part.at(-1)?.index ?? 0);
    }
  }

  async tryPutAside(deadline: number): Promise<boolean> {
    try {
      await this.putAside(deadline);
      return true;
    } catch {
      // The refusal of the changes themselves is reported.
      return false;
    }
  }
}

/** A transaction takes 4 MB; records are at most 0.8 MB, more as JSON, and are compressed. */
const MAX_ENTRY_LENGTH = 1_000_000;

/** Splits changes, in order, into entries of the backlog. */
function splitEntries(changes: readonly IndexedChange[]): IndexedChange[][] {
  const parts: IndexedChange[][] = [];
  let length = 0;
  for (const change of changes) {
    const size = JSON.stringify(change.record).length;
    const part = parts.at(-1);
    length += size;
    if (part && length <= MAX_ENTRY_LENGTH) part.push(change);
    else {
      parts.push([change]);
      length = size;
    }
  }
  return parts;
}

/** Identifies a change in its account, the same at every delivery. */
export const changeName = ({ entity, id, version }: Pick<Change, 'entity' | 'id' | 'version'>): string =>
  `${entity}.${id}.${version}`;

/** The settings of messages, by organization; of none in a deployment without messages. */
type SettingsOf = ReadonlyMap<number, MessageSettings>;

async function loadMessageSettings(store: StoreReader, changes: readonly IndexedChange[]): Promise<SettingsOf> {
  if (!hasMessages()) return new Map();
  const relevant = changes.filter(({ change }) => mayNotify(change.entity));
  const organizations = new Set(relevant.map(({ change }) => organizationOf(change)));
  return new Map(
    await Promise.all([...organizations].map(async (id) => [id, await findMessageSettings(store, id)] as const)),
  );
}

const organizationOf = ({ after, before }: Change): number => Number((after ?? before)?.['OrganizationId'] ?? 0);

function planned(change: Change, settings: SettingsOf): readonly PlannedMessage[] {
  const { entity, before, after, at, actor } = change;
  const own = mayNotify(entity) ? settings.get(organizationOf(change)) : undefined;
  if (!own) return [];
  const by = { key: actor?.Key ?? '', name: actor?.Name ?? '' };
  return planMessages({ entity, before, after, at: at.getTime(), actor: by }, own);
}

interface EventSources {
  readonly relations: EventRelations;
  readonly webhooks: readonly Webhook[];
  readonly settings: SettingsOf;
}

function toNewEvent(
  { index, change }: IndexedChange,
  { relations, webhooks, settings }: EventSources,
): IndexedEvent | undefined {
  const event = toEvent(change, relations);
  if (!event) return undefined;
  const { entity, at, after, before } = change;
  const targets = callbackTargets({ entity, kind: event.Kind, record: after ?? before ?? {} }, webhooks);
  return {
    index,
    change: changeName(change),
    committedAt: at.getTime(),
    payload: eventText(event),
    ...(targets.length ? { calls: { kind: event.Kind, targets } } : {}),
    messages: planned(change, settings),
  };
}

/** The data of their account that the events of these changes need. */
export async function loadRelations(
  store: StoreReader,
  changes: readonly Pick<IndexedChange, 'change'>[],
  now: Date,
): Promise<EventRelations> {
  const contactIds = new Set(changes.map(({ change }) => eventContactId(change)).filter((id) => id !== null));
  const [customFields, taxRates, contacts, agents, revenueCategories, link, takesPayments] = await Promise.all([
    settingsOf<EventRelations['lists']['customFields'][number]>(store, 'CustomField'),
    settingsOf<EventRelations['lists']['taxRates'][number]>(store, 'NamedTaxRate'),
    findFeedContacts(store, [...contactIds]),
    loadAdditionalAgents(store, changes),
    changes.some(({ change }) => change.entity === 'Service')
      ? listBookEntries(store, 'revenueCategories', { consistent: false })
      : noRelations.revenueCategories,
    findAccountLinks(store, now),
    changes.some(({ change }) => change.entity === 'Invoice' || change.entity === 'Contact')
      ? findTakesPayments(store)
      : NO_PAYMENTS,
  ]);
  return { lists: { customFields, taxRates }, contacts, agents, revenueCategories, link, takesPayments };
}

/** The agents of organizations with appointments that have additional agents, by id. */
async function loadAdditionalAgents(
  store: StoreReader,
  changes: readonly Pick<IndexedChange, 'change'>[],
): Promise<EventRelations['agents']> {
  const appointments = changes
    .filter(({ change }) => change.entity === 'Appointment')
    .flatMap(({ change }) => [change.before, change.after] as (AppointmentRecord | undefined)[]);
  const organizations = new Set(
    appointments.flatMap((record) => (record?.AdditionalAgents.length ? record.OrganizationId : [])),
  );
  const agents = await Promise.all([...organizations].map((organizationId) => agentsOf(store, organizationId)));
  return new Map(agents.flatMap((ofOrganization) => [...ofOrganization]));
}
