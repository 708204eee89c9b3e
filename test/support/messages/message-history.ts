import type { AppointmentRecord } from '../../../lib/entities/appointments.ts';
import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import { InvoiceStatus, type InvoiceRecord } from '../../../lib/entities/invoices.ts';
import type { MessageSettingsRecord } from '../../../lib/entities/messages.ts';
import { ProposalStatus } from '../../../lib/entities/proposal-status.ts';
import type { ProposalRecord } from '../../../lib/entities/proposals.ts';
import { blankAppointment, Status } from '../../../lib/domain/appointments/record.ts';
import { mergedContactsOf } from '../../../lib/domain/contacts/merged-states.ts';
import { blankInvoice } from '../../../lib/domain/invoices/record.ts';
import { blankPayment } from '../../../lib/domain/payments.ts';
import { blankProposal } from '../../../lib/domain/proposals/record.ts';
import { blankTask } from '../../../lib/domain/tasks.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/shared/time/time.ts';
import { writeAccount } from '../../../lib/store/accounts/accounts.ts';
import { appointmentChanges, findAppointment } from '../../../lib/store/appointments.ts';
import { updateContactChanges } from '../../../lib/store/contacts/contacts.ts';
import type { Item } from '../../../lib/store/dynamodb/changes.ts';
import { layout } from '../../../lib/store/keys.ts';
import { messageSettingsChange } from '../../../lib/store/message-settings.ts';
import { findInvoice, invoiceChanges } from '../../../lib/store/sales/invoices.ts';
import { paymentChanges } from '../../../lib/store/sales/payments.ts';
import { findProposal, proposalChanges } from '../../../lib/store/sales/proposals.ts';
import { accountStore } from '../../../lib/store/store.ts';
import { taskChanges } from '../../../lib/store/tasks.ts';
import { contactItem, someContact } from '../contacts.ts';
import {
  type ModelActor,
  type ModelChannel,
  type ModelContact,
  type ModelInvoice,
  type ModelProposal,
  type ModelSettings,
  type ModelVisit,
  MessageModel,
  SURELY_TOLD,
} from './message-model.ts';
import { type FaultShares, NO_FAULTS, SimulatedServices } from './simulated-services.ts';

/** A random history of a company, on the simulated services, and on the model beside them. */

const ZONE = 'America/New_York';
/** Places of contacts, by their postal codes; without one it is the company's. */
const PLACES = [
  ['', ZONE],
  ['10001', 'America/New_York'],
  ['90210', 'America/Los_Angeles'],
  ['96813', 'Pacific/Honolulu'],
] as const;
const OFFICE = 'office@example.com';
const ACTORS: Readonly<Record<ModelActor, readonly [name: string, key: string]>> = {
  office: ['Office', 'abcdefghijkl'],
  page: ['Client page', ''],
  import: ['fs import', ''],
  worker: ['merges', ''],
};
const NOUNS: Readonly<Record<string, string>> = {
  Appointment: 'visit',
  Proposal: 'proposal',
  Invoice: 'invoice',
  Payment: 'payment',
  Task: 'task',
};
const FAULTS: FaultShares = { killed: 0.15, away: 0.05, busy: 0.15, unknown: 0.1, again: 0.15, twice: 0.2 };
/** One history has none, all, those after which it is known what was sent, or a service that hardly takes anything. */
const KINDS_OF_FAULTS: readonly FaultShares[] = [
  NO_FAULTS,
  FAULTS,
  FAULTS,
  { ...FAULTS, killed: 0, unknown: 0, twice: 0.5 },
  { ...NO_FAULTS, busy: 0.85 },
];
/** The delay of the company, and room for the changes of a burst. */
const DELAY = 60 * SECOND;

/** What became of a history: empty if all is as it must be. */
export interface HistoryReport {
  readonly problems: readonly string[];
  readonly sent: number;
  readonly befallen: number;
  readonly log: readonly string[];
}

class History {
  readonly log: string[] = [];
  readonly #account: string;
  readonly #random: () => number;
  readonly #faults: FaultShares;
  readonly #services: SimulatedServices;
  readonly #model: MessageModel;
  readonly #since: number;
  #seen = 0;
  #ids = 0;
  readonly #contacts: number[] = [];
  readonly #visits: number[] = [];
  readonly #proposals: number[] = [];
  readonly #invoices: number[] = [];

  constructor(account: string, random: () => number, setClock: (now: number) => void) {
    this.#account = account;
    this.#random = random;
    this.#faults = this.#pick(KINDS_OF_FAULTS);
    // Any day of a year, so that clocks change within some histories; and often the evening, when texts begin to wait.
    const minute = this.#chance(0.5) ? 25 * 60 + this.#below(180) : this.#below(24 * 60);
    this.#since = Date.UTC(2027, 0, 1) + this.#below(365) * DAY + minute * MINUTE;
    this.#services = new SimulatedServices({ random, now: this.#since, setClock });
    const settings: ModelSettings = {
      on: true,
      delay: DELAY,
      reminderHours: this.#pick([[24], [48, 2], [24, 3]]),
      channels: this.#channels(),
    };
    this.#model = new MessageModel(settings, OFFICE, this.#faults.killed + this.#faults.unknown > 0);
  }

  async run(): Promise<HistoryReport> {
    const office = this.#services.tableOf('fs');
    await writeAccount(office, { account: this.#account, name: 'Springfield Lawns', timeZone: ZONE, now: this.#today });
    await this.#storeSettings();
    for (let count = 1 + this.#below(3); count > 0; count--) await this.#addContact();
    this.#services.faults = this.#faults;
    for (let bursts = 2 + this.#below(5); bursts > 0; bursts--) {
      await this.#burst();
      const isSoon = this.#chance(0.3);
      if (isSoon) await this.#wait(this.#below(180) * SECOND);
      else {
        await this.#wait(this.#below(20) * MINUTE);
        this.#services.faults = NO_FAULTS;
        await this.#wait(SURELY_TOLD);
        this.#services.faults = this.#faults;
        await this.#wait(this.#below(this.#pick([2, 20, 200])) * HOUR);
      }
    }
    await this.#wait(89 * DAY);
    this.#services.faults = NO_FAULTS;
    await this.#wait(DAY);
    return { ...this.#result(), log: this.log };
  }

  get #now(): number {
    return this.#services.now;
  }

  get #today(): Date {
    return new Date(this.#now);
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#below(values.length)] as Value;
  }

  /** Often the newest, of which something may still wait. */
  #oneOf(ids: readonly number[]): number {
    return (this.#chance(0.5) ? ids.at(-1) : undefined) ?? this.#pick(ids);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #note(text: string): void {
    this.log.push(`${this.#today.toISOString()} ${text}`);
  }

  /** A few changes within the delay: they are announced together. */
  async #burst(): Promise<void> {
    for (let changes = 1 + this.#below(5); changes > 0; changes--) {
      await this.#change();
      await this.#wait(this.#below(5) * SECOND);
    }
    this.#model.settle(this.#now);
  }

  /** Lets time pass, and shows the model what was sent. */
  async #wait(milliseconds: number): Promise<void> {
    await this.#services.advance(this.#now + milliseconds);
    for (const { at, channel, to, stored } of this.#services.sent.slice(this.#seen)) {
      const { Kind: kind, Noun: noun, RecordId, Visits = [], Uncertain = false } = stored as Item & StoredMessage;
      const ids = Visits.length ? Visits.map(({ Id }) => Id) : [RecordId];
      const about = ids.map((id) => `${NOUNS[noun]} ${id}`);
      this.log.push(`${new Date(at).toISOString()} -> ${kind} (${channel}) ${about.join(', ')} to ${to.join()}`);
      const name = `${stored.PK} ${stored.SK}`;
      this.#model.sent({ at, channel, to: to.join(', '), kind, about, name, isUncertain: Uncertain });
    }
    this.#seen = this.#services.sent.length;
  }

  #result(): Omit<HistoryReport, 'log'> {
    const stored = this.#services.items().filter(({ E }) => E === 'Message') as (Item & StoredMessage)[];
    const isKnown = ({ kind, channel, about }: { kind: string; channel: ModelChannel; about: string }) =>
      stored.some(
        ({ Kind, Channel, State, Noun, RecordId, Visits = [] }) =>
          Kind === kind &&
          Channel === channel &&
          State === 'Failed' &&
          [RecordId, ...Visits.map(({ Id }) => Id)].some((id) => about === `${NOUNS[Noun]} ${id}`),
      );
    const { befallen } = this.#services;
    const lost = this.#model
      .lost(this.#now - DAY)
      // A text that may have been sent is not sent again, and says so.
      .filter((each) => !(befallen && (isKnown(each) || each.kind === 'OnTheWay')))
      .map(
        ({ kind, channel, about, from }) =>
          `lost: ${kind} (${channel}) about ${about}, due ${new Date(from).toISOString()}`,
      );
    const waiting = stored.flatMap(({ State, SK }) => (State === 'Waiting' ? [`waits for ever: ${SK}`] : []));
    const notices = this.#services
      .items()
      .flatMap(({ PK, SK }) => (PK.includes('#NOTICE#') ? [`a notice is left: ${PK} ${SK}`] : []));
    return {
      problems: [...this.#model.violations, ...lost, ...waiting, ...notices],
      sent: this.#services.sent.length,
      befallen,
    };
  }

  async #change(): Promise<void> {
    const changes: [weight: number, change: () => Promise<void>][] = [
      [this.#visits.length ? 4 : 12, () => this.#book()],
      [this.#visits.length ? 12 : 0, () => this.#changeVisit(this.#oneOf(this.#visits))],
      [3, () => this.#addProposal()],
      [this.#proposals.length ? 4 : 0, () => this.#changeProposal(this.#oneOf(this.#proposals))],
      [3, () => this.#addInvoice()],
      [this.#invoices.length ? 5 : 0, () => this.#changeInvoice(this.#oneOf(this.#invoices))],
      [4, () => this.#changeContact(this.#pick(this.#contacts))],
      [1, () => this.#addTask()],
      [1, () => this.#changeSettings()],
      [1.5, () => this.#merge()],
      [0.5, () => this.#erase(this.#pick(this.#contacts))],
    ];
    let left = this.#random() * changes.reduce((sum, [weight]) => sum + weight, 0);
    const chosen = changes.find(([weight]) => (left -= weight) < 0);
    await chosen?.[1]();
  }

  #store(actor: ModelActor) {
    const [name, key] = ACTORS[actor];
    return accountStore(this.#services.tableOf(name, key), this.#account);
  }

  #actor(): ModelActor {
    return this.#pick(['office', 'office', 'office', 'page', 'import']);
  }

  #channels(): ModelSettings['channels'] {
    const kinds = ['Reminder', 'VisitBooked', 'VisitMoved', 'Invoice', 'Receipt', 'HowWasIt', 'InvoiceOverdue'];
    const some: readonly (readonly ModelChannel[])[] = [['Email'], ['Text'], [], ['Email', 'Text']];
    return Object.fromEntries(kinds.flatMap((kind) => (this.#chance(0.3) ? [[kind, this.#pick(some)]] : [])));
  }

  async #storeSettings(): Promise<void> {
    const { on, delay, reminderHours, channels } = this.#model.settings;
    const kinds = new Set(['Reminder', ...Object.keys(channels)]);
    const record = {
      OrganizationId: 0,
      On: on,
      Since: this.#since,
      Notify: [OFFICE],
      DelaySeconds: delay / SECOND,
      Kinds: [...kinds].map((Kind) => ({
        Kind,
        ...(channels[Kind] ? { Channels: channels[Kind] } : {}),
        ...(Kind === 'Reminder' ? { Hours: reminderHours } : {}),
      })),
    } as unknown as MessageSettingsRecord;
    await this.#store('office').table.commit([messageSettingsChange({ account: this.#account }, record)]);
  }

  async #changeSettings(): Promise<void> {
    const { settings } = this.#model;
    const isSwitch = !settings.on || this.#chance(0.5);
    this.#model.settingsChanged(
      isSwitch ? { ...settings, on: !settings.on } : { ...settings, channels: this.#channels() },
      this.#now,
    );
    this.#note(`settings ${JSON.stringify(this.#model.settings)}`);
    await this.#storeSettings();
  }

  async #addContact(): Promise<void> {
    const id = this.#contacts.length + 1;
    const [Zip, zone] = this.#pick(PLACES);
    const email = this.#chance(0.85) ? `c${id}@example.com` : '';
    const phone = this.#chance(0.8) ? `+1212555010${id}` : '';
    const flags = { noEmail: this.#chance(0.1), noText: this.#chance(0.1), unsubscribed: this.#chance(0.15) };
    const contact = someContact(id, { Zip, Email: email, Phone: phone, PhoneKey: phone, ...storedFlags(flags) });
    await this.#store('office').table.commit([{ put: contactItem(this.#account, contact) }]);
    this.#contacts.push(id);
    const common = { emailProblem: false, erased: false, mergedInto: undefined };
    this.#model.contactChanged({ id, email, phone, zone, ...flags, ...common });
    this.#note(`contact ${JSON.stringify(this.#model.contact(id))}`);
  }

  async #contactRecord(id: number): Promise<ContactRecord> {
    const key = layout.contact.key({ account: this.#account, id });
    return (await this.#store('office').table.get(key)) as unknown as ContactRecord;
  }

  async #storeContact(
    after: ModelContact,
    fields: Partial<ContactRecord>,
    actor: ModelActor = 'office',
  ): Promise<void> {
    const { PK: _, SK: __, E: ___, ...before } = (await this.#contactRecord(after.id)) as ContactRecord & Item;
    const store = this.#store(actor);
    await store.table.commit(
      updateContactChanges(store, { before, after: { ...before, ...fields }, now: this.#today }),
    );
    this.#model.contactChanged(after);
    this.#note(`contact ${JSON.stringify(after)}`);
  }

  async #changeContact(id: number): Promise<void> {
    const before = this.#model.contact(id) as ModelContact;
    if (before.erased || before.mergedInto !== undefined) return;
    switch (this.#below(5)) {
      case 0: {
        const email = before.email === `c${id}@example.com` ? `new${id}@example.com` : `c${id}@example.com`;
        return this.#storeContact({ ...before, email, emailProblem: false }, { Email: email, EmailProblem: '' });
      }
      case 1: {
        const emailProblem = before.email !== '' && !before.emailProblem;
        const EmailProblem = emailProblem ? `${before.email} bounced on 2027-01-01: the mailbox does not exist` : '';
        return this.#storeContact({ ...before, emailProblem }, { EmailProblem });
      }
      default: {
        const flag = this.#pick(['noEmail', 'noText', 'unsubscribed'] as const);
        const after = { ...before, [flag]: !before[flag] };
        return this.#storeContact(after, storedFlags(after));
      }
    }
  }

  /** As a merge does it: first the contact, then each of its records, which writes to nobody. */
  async #merge(): Promise<void> {
    const [from, to] = [this.#pick(this.#contacts), this.#pick(this.#contacts)].map((id) => this.#model.contact(id));
    if (!from || !to || from.id === to.id || [from, to].some((each) => each.erased || each.mergedInto)) return;
    await this.#storeContact({ ...from, mergedInto: to.id }, { MergedInto: to.id }, 'worker');
    const own = (await this.#contactRecord(to.id)).MergedContacts;
    const MergedContacts = [...own, ...mergedContactsOf(await this.#contactRecord(from.id))];
    await this.#storeContact(to, { MergedContacts }, 'worker');
    const store = this.#store('worker');
    const moved = { ContactId: to.id };
    for (const id of this.#visits) {
      const before = await findAppointment(store, id);
      if (before?.ContactId !== from.id) continue;
      const change = { before, after: { ...before, ...moved }, now: this.#today };
      await store.table.commit(appointmentChanges(store, change).changes);
    }
    for (const id of this.#invoices) {
      const before = await findInvoice(store, id);
      if (before?.ContactId !== from.id) continue;
      const change = { before, after: { ...before, ...moved }, now: this.#today };
      await store.table.commit(invoiceChanges(store, change).changes);
    }
    for (const id of this.#proposals) {
      const before = await findProposal(store, id);
      if (before?.ContactId !== from.id) continue;
      const change = { before, after: { ...before, ...moved }, now: this.#today };
      await store.table.commit([proposalChanges(store, change).change]);
    }
  }

  /** As an erasure leaves it. */
  async #erase(id: number): Promise<void> {
    const contact = this.#model.contact(id) as ModelContact;
    if (contact.erased || contact.mergedInto !== undefined) return;
    const { OrganizationId, V } = await this.#contactRecord(id);
    const { table } = this.#store('office');
    const left = { Id: id, OrganizationId, ErasedAt: this.#now, OpenInvoices: {}, OpenProposals: {}, V: V + 1 };
    const messages = this.#services.items().filter(({ PK }) => PK === `A#${this.#account}#MESSAGES#${id}`);
    await table.commit([
      { put: { ...layout.contact.key({ account: this.#account, id }), E: 'Contact', ...left, Updated: this.#now } },
      ...messages.map(({ PK, SK }) => ({ remove: { PK, SK } })),
    ]);
    this.#model.contactChanged({ ...contact, erased: true });
    this.#note(`contact ${id} is erased`);
  }

  #options(): string[] {
    return this.#pick([
      [],
      [],
      [],
      ['None'],
      ['Email'],
      ['Text'],
      ['Reminder'],
      ['Email', 'Reminder', 'VisitBooked', 'VisitCanceled'],
    ]);
  }

  /** A time that is announced: most are some days ahead. */
  #time(): { readonly start: number; readonly through: number | null; readonly fields: Partial<AppointmentRecord> } {
    const hours = this.#pick([1, 3, 26, 60, 100, 200]) + this.#below(24);
    const start = Math.floor(this.#now / HOUR) * HOUR + hours * HOUR;
    if (this.#chance(0.7))
      return { start, through: null, fields: { Start: start, ArrivalFrom: null, ArrivalThrough: null } };
    const through = start + 2 * HOUR;
    return { start, through, fields: { Start: start + HOUR, ArrivalFrom: start, ArrivalThrough: through } };
  }

  async #book(): Promise<void> {
    const contact = this.#pick(this.#contacts);
    const count = this.#chance(0.2) ? 2 + this.#below(3) : 1;
    const actor = this.#actor();
    const options = this.#options();
    const series = count > 1 ? this.#ids + 1 : 0;
    const status = this.#pick(['Scheduled', 'Scheduled', 'Scheduled', 'Tentative', 'Queued'] as const);
    const isByStranger = actor === 'page' && count === 1 && this.#chance(0.5);
    for (let index = 0; index < count; index++) {
      const id = ++this.#ids;
      const time =
        status === 'Queued' ? { start: null, through: null, fields: { QueueDate: '2027-06-01' } } : this.#time();
      const after = blankAppointment({
        Id: id,
        OrganizationId: 1,
        ContactId: contact,
        HashKey: `hash-${id}`,
        Zone: ZONE,
        Created: this.#now,
        Duration: 60,
        ServiceName: 'Lawn care',
        SeriesId: series,
        NotificationOptions: options,
        Network: isByStranger ? 'network' : '',
        ...time.fields,
        Status: Status[status],
      });
      const { start, through } = time;
      this.#visits.push(id);
      await this.#storeVisit(
        undefined,
        after,
        actor,
        { id, contact, series, status, start, through, arrived: false, rated: false, options },
        isByStranger,
      );
    }
  }

  async #storeVisit(
    before: AppointmentRecord | undefined,
    after: AppointmentRecord,
    actor: ModelActor,
    visit: ModelVisit,
    isByStranger = false,
  ): Promise<void> {
    const store = this.#store(actor);
    await store.table.commit(appointmentChanges(store, { before, after, now: this.#today }).changes);
    this.#model.visitChanged(visit, this.#now, actor, isByStranger);
    this.#note(`${actor}: visit ${JSON.stringify(visit)}`);
  }

  async #changeVisit(id: number): Promise<void> {
    const visit = this.#model.visit(id) as ModelVisit;
    const before = (await findAppointment(this.#store('office'), id)) as AppointmentRecord;
    const found = this.#pick(this.#visitChanges(visit, before));
    const actor = this.#actor();
    const contact = before.ContactId;
    await this.#storeVisit(before, { ...before, ...found.fields }, actor, { ...visit, contact, ...found.visit });
    // Moved once more, or back.
    if (found.isMove && this.#chance(0.5)) {
      await this.#wait(this.#below(5) * SECOND);
      const moved = (await findAppointment(this.#store('office'), id)) as AppointmentRecord;
      const time = this.#chance(0.5) ? this.#time() : { ...visit, fields: timeOf(before) };
      const { start, through } = time;
      const now = { ...(this.#model.visit(id) as ModelVisit), start, through };
      await this.#storeVisit(moved, { ...moved, ...time.fields }, this.#actor(), now);
    }
  }

  #visitChanges(visit: ModelVisit, record: AppointmentRecord) {
    type Found = { fields: Partial<AppointmentRecord>; visit: Partial<ModelVisit>; isMove?: boolean };
    const become = (status: ModelVisit['status']): Found => ({ fields: { Status: Status[status] }, visit: { status } });
    const timed = (status: ModelVisit['status'], isMove = false): Found => {
      const { start, through, fields } = this.#time();
      return { fields: { ...fields, Status: Status[status] }, visit: { status, start, through }, isMove };
    };
    const options = this.#options();
    const others: Found[] = [
      { fields: { Notes: `${record.Notes}.` }, visit: {} },
      { fields: { NotificationOptions: options }, visit: { options } },
    ];
    switch (visit.status) {
      case 'Queued':
        return [timed('Scheduled'), timed('Tentative'), become('Canceled'), ...others];
      case 'Scheduled':
      case 'Tentative': {
        const queued: Found = {
          fields: {
            Start: null,
            ArrivalFrom: null,
            ArrivalThrough: null,
            QueueDate: '2027-06-01',
            Status: Status.Queued,
          },
          visit: { status: 'Queued', start: null, through: null },
        };
        const moves = [timed(visit.status, true), timed(visit.status, true), timed(visit.status, true)];
        if (visit.status === 'Tentative') return [...moves, become('Scheduled'), become('Canceled'), queued, ...others];
        return [...moves, become('Started'), become('Completed'), become('Canceled'), queued, ...others];
      }
      case 'Started': {
        const arrived: Found = { fields: { ActualStart: this.#now }, visit: { arrived: true } };
        return [arrived, become('Completed'), become('Completed'), become('Canceled'), ...others];
      }
      case 'Completed': {
        const Feedback = { Score: 9, Positive: null, Negative: null, Note: '', ContactMe: false, At: this.#now };
        return [{ fields: { Feedback }, visit: { rated: true } }, become('Started'), ...others];
      }
      case 'Canceled':
        return [timed('Scheduled'), ...others];
    }
  }

  async #addProposal(): Promise<void> {
    const id = ++this.#ids;
    const contact = this.#pick(this.#contacts);
    const isOpen = this.#chance(0.7);
    const after = blankProposal({
      Id: id,
      OrganizationId: 1,
      ContactId: contact,
      Zone: ZONE,
      Date: this.#today.toISOString().slice(0, 10),
      Created: this.#now,
      Title: 'New lawn',
      Status: isOpen ? ProposalStatus.Open : ProposalStatus.Internal,
      OpenedAt: isOpen ? this.#now : null,
      ExpiresAt: isOpen && this.#chance(0.8) ? this.#now + (2 + this.#below(20)) * DAY : null,
    });
    this.#proposals.push(id);
    await this.#storeProposal(undefined, after);
  }

  async #storeProposal(before: ProposalRecord | undefined, after: ProposalRecord): Promise<void> {
    const actor = this.#actor();
    const store = this.#store(actor);
    const { change } = proposalChanges(store, { before, after, now: this.#today });
    await store.table.commit([change]);
    const status =
      (['Open', 'Accepted', 'Declined'] as const).find((each) => ProposalStatus[each] === after.Status) ?? 'Internal';
    const { Id: id, ContactId: contact, OpenedAt: openedAt, ExpiresAt: expiresAt, AcceptedAt: acceptedAt } = after;
    const proposal: ModelProposal = { id, contact, status, openedAt, expiresAt, acceptedAt };
    this.#model.proposalChanged(proposal, this.#now, actor);
    this.#note(`${actor}: proposal ${JSON.stringify(proposal)}`);
  }

  async #changeProposal(id: number): Promise<void> {
    const before = (await findProposal(this.#store('office'), id)) as ProposalRecord;
    const expiring = { ExpiresAt: this.#now + (2 + this.#below(20)) * DAY };
    const open = { Status: ProposalStatus.Open, OpenedAt: this.#now, AcceptedAt: null, ...expiring };
    const fields: Partial<ProposalRecord> =
      before.Status === ProposalStatus.Open
        ? this.#pick<Partial<ProposalRecord>>([
            { Status: ProposalStatus.Accepted, AcceptedAt: this.#now },
            { Status: ProposalStatus.Declined },
            expiring,
            { Title: `${before.Title}.` },
          ])
        : before.Status === ProposalStatus.Accepted
          ? { Title: `${before.Title}.` }
          : open;
    await this.#storeProposal(before, { ...before, ...fields });
  }

  async #addInvoice(): Promise<void> {
    const id = ++this.#ids;
    const contact = this.#pick(this.#contacts);
    const isOld = this.#chance(0.15);
    const date = isOld ? this.#since - 20 * DAY : this.#now;
    const after = blankInvoice({
      Id: id,
      OrganizationId: 1,
      ContactId: contact,
      Number: `N-${id}`,
      Zone: ZONE,
      Created: this.#now,
      Date: date,
      Day: new Date(date).toISOString().slice(0, 10),
      Terms: `Net ${this.#pick([0, 2, 10, 30])}`,
      Status: this.#chance(0.8) ? InvoiceStatus.Open : InvoiceStatus.Unapproved,
      Total: 100,
      BalanceDue: 100,
    });
    this.#invoices.push(id);
    await this.#storeInvoice(undefined, after);
  }

  async #storeInvoice(
    before: InvoiceRecord | undefined,
    after: InvoiceRecord,
    amount = 0,
    actor = this.#actor(),
  ): Promise<void> {
    const store = this.#store(actor);
    const { changes } = invoiceChanges(store, { before, after, now: this.#today });
    const payment = amount ? { ...blankPayment(after, this.#today), Id: ++this.#ids, Amount: amount } : undefined;
    const paid = payment ? paymentChanges(store, { before: undefined, after: payment, now: this.#today }).changes : [];
    await store.table.commit([...changes, ...paid]);
    const status =
      (['Unapproved', 'Open', 'Paid'] as const).find((each) => InvoiceStatus[each] === after.Status) ?? 'Voided';
    const { Id: id, ContactId: contact, BalanceDue: balance, Terms, Day } = after;
    const invoice: ModelInvoice = {
      id,
      contact,
      status,
      balance,
      dueDay: Date.parse(`${Day}T00:00:00Z`) + Number(Terms.slice(4)) * DAY,
      isOld: after.Date < this.#since - DAY,
    };
    this.#model.invoiceChanged(invoice, this.#now, actor);
    if (payment) this.#model.paymentMade(payment.Id, contact, amount, this.#now, actor);
    this.#note(`${actor}: invoice ${JSON.stringify(invoice)}${payment ? `, payment ${payment.Id} of ${amount}` : ''}`);
  }

  async #changeInvoice(id: number): Promise<void> {
    const before = (await findInvoice(this.#store('office'), id)) as InvoiceRecord;
    const pay = (amount: number): [Partial<InvoiceRecord>, number] => {
      const BalanceDue = before.BalanceDue - amount;
      const Paid = before.Paid + amount;
      return [{ Paid, BalanceDue, Status: BalanceDue > 0 ? InvoiceStatus.Open : InvoiceStatus.Paid }, amount];
    };
    const terms: [Partial<InvoiceRecord>, number] = [{ Terms: `Net ${this.#pick([0, 2, 10, 30])}` }, 0];
    const ways: Readonly<Record<number, readonly [Partial<InvoiceRecord>, number][]>> = {
      [InvoiceStatus.Unapproved]: [[{ Status: InvoiceStatus.Open }, 0], terms],
      [InvoiceStatus.Open]: [
        pay(before.BalanceDue),
        pay(before.BalanceDue),
        pay(before.BalanceDue / 2),
        [{ Status: InvoiceStatus.Voided, BalanceDue: 0 }, 0],
        [{ Status: InvoiceStatus.Unapproved }, 0],
        terms,
        terms,
      ],
      [InvoiceStatus.Paid]: [pay(-before.Paid / 2), [{ CustomerNotes: `${before.CustomerNotes}.` }, 0]],
      [InvoiceStatus.Voided]: [[{ CustomerNotes: `${before.CustomerNotes}.` }, 0]],
    };
    const [fields, amount] = this.#pick(ways[before.Status] ?? [[{}, 0]]);
    await this.#storeInvoice(before, { ...before, ...fields }, amount);
  }

  async #addTask(): Promise<void> {
    const actor = this.#actor();
    const store = this.#store(actor);
    const id = ++this.#ids;
    const task = blankTask({ Id: id, OrganizationId: 1, ContactId: this.#pick(this.#contacts), Created: this.#now });
    const after = { ...task, Description: 'Call back', Category: 'Question' };
    await store.table.commit([taskChanges(store, { before: undefined, after, now: this.#today }).change]);
    this.#model.taskMade(id, this.#now, actor);
    this.#note(`${actor}: task ${id}`);
  }
}

interface StoredMessage {
  readonly Kind: string;
  readonly Channel: string;
  readonly State: string;
  readonly Noun: string;
  readonly RecordId: number;
  readonly Visits?: readonly { readonly Id: number }[];
  readonly Uncertain?: boolean;
}

const timeOf = ({ Start, ArrivalFrom, ArrivalThrough }: AppointmentRecord) => ({ Start, ArrivalFrom, ArrivalThrough });

const storedFlags = (contact: Pick<ModelContact, 'noEmail' | 'noText' | 'unsubscribed'>) => ({
  DoNotEmail: contact.noEmail,
  DoNotText: contact.noText,
  Unsubscribed: contact.unsubscribed,
});

/** Runs a history of its own account. The clock of the process is what the history sets. */
export const runHistory = (
  account: string,
  random: () => number,
  setClock: (now: number) => void,
): Promise<HistoryReport> => new History(account, random, setClock).run();
