/**
 * Which messages clients must get, and must not, by docs/guides/messages.md: a model that shares no code with the
 * product. It sees each change, and each e-mail and text.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** After this long without a change, a change of a visit is announced, whatever happened. */
export const SURELY_TOLD = 60 * MINUTE;

/** The stream and the queues count in whole seconds. */
const EARLY = 3_000;

export type ModelChannel = 'Email' | 'Text';
const CHANNELS: readonly ModelChannel[] = ['Email', 'Text'];

export interface ModelContact {
  readonly id: number;
  readonly email: string;
  readonly phone: string;
  readonly zone: string;
  readonly noEmail: boolean;
  readonly noText: boolean;
  readonly unsubscribed: boolean;
  readonly emailProblem: boolean;
  readonly erased: boolean;
  readonly mergedInto: number | undefined;
}

export interface ModelVisit {
  readonly id: number;
  readonly contact: number;
  readonly series: number;
  readonly status: 'Queued' | 'Scheduled' | 'Started' | 'Completed' | 'Canceled' | 'Tentative';
  readonly start: number | null;
  readonly through: number | null;
  readonly arrived: boolean;
  readonly rated: boolean;
  readonly options: readonly string[];
}

export interface ModelProposal {
  readonly id: number;
  readonly contact: number;
  readonly status: 'Internal' | 'Open' | 'Accepted' | 'Declined';
  readonly openedAt: number | null;
  readonly expiresAt: number | null;
  readonly acceptedAt: number | null;
}

export interface ModelInvoice {
  readonly id: number;
  readonly contact: number;
  readonly status: 'Unapproved' | 'Open' | 'Paid' | 'Voided';
  readonly balance: number;
  /** Midnight (UTC) of the day on which it is due. */
  readonly dueDay: number;
  /** Whether its date is before messages were turned on. */
  readonly isOld: boolean;
}

export interface ModelSettings {
  readonly on: boolean;
  readonly delay: number;
  readonly reminderHours: readonly number[];
  /** Of kinds that do not have both. */
  readonly channels: Readonly<Record<string, readonly ModelChannel[]>>;
}

/** Who makes a change. */
export type ModelActor = 'office' | 'page' | 'import' | 'worker';

/** Kinds that who has unsubscribed does not get. */
const ADVERTISING = new Set(['HowWasIt', 'ProposalExpiring']);
const ONLY_TEXT = new Set(['OnTheWay']);

/** Something that must be announced to somebody, if nothing comes in between. */
interface Expected {
  readonly kind: string;
  readonly channel: ModelChannel;
  readonly about: string;
  readonly from: number;
  /** All that is announced together. */
  readonly group: number;
  /** Whether it may stay unsaid, because something came in between. */
  isOptional: boolean;
  sentAs: string | undefined;
}

/** An e-mail or a text, as the model sees it. */
export interface ModelMessage {
  readonly at: number;
  readonly channel: ModelChannel;
  readonly to: string;
  readonly kind: string;
  /** `visit 3`. */
  readonly about: readonly string[];
  /** The message; the same when it is sent again. */
  readonly name: string;
  readonly isUncertain: boolean;
}

const isBooked = (status: string) => status === 'Scheduled' || status === 'Tentative';

/** What the client sees of a visit. */
const seenOf = (visit: ModelVisit | undefined): string =>
  visit ? `${visit.status} ${visit.start} ${visit.through}` : 'nothing';
const shownStart = (visit: ModelVisit): number => visit.start ?? 0;

export class MessageModel {
  readonly violations: string[] = [];
  settings: ModelSettings;
  readonly #office: string;
  readonly #mayRepeat: boolean;
  readonly #contacts = new Map<number, ModelContact>();
  readonly #visits = new Map<number, ModelVisit>();
  readonly #startedAt = new Map<number, number>();
  readonly #proposals = new Map<number, ModelProposal>();
  readonly #invoices = new Map<number, ModelInvoice>();
  readonly #expected: Expected[] = [];
  /** Visits before each change that is not announced yet. */
  readonly #before = new Map<number, (ModelVisit | undefined)[]>();
  /** Visits after the last change that is not an import's. */
  readonly #ownAfter = new Map<number, ModelVisit>();
  readonly #changedAt = new Map<number, number>();
  #settingsAt = 0;
  #groups = 0;

  /** `mayRepeat`: whether accidents happen after which nobody knows whether an e-mail was sent. */
  constructor(settings: ModelSettings, office: string, mayRepeat: boolean) {
    this.settings = settings;
    this.#mayRepeat = mayRepeat;
    this.#office = office;
  }

  visit = (id: number): ModelVisit | undefined => this.#visits.get(id);
  contact = (id: number): ModelContact | undefined => this.#contacts.get(id);
  invoice = (id: number): ModelInvoice | undefined => this.#invoices.get(id);
  proposal = (id: number): ModelProposal | undefined => this.#proposals.get(id);

  contactChanged(contact: ModelContact): void {
    this.#contacts.set(contact.id, contact);
    // Whoever may be written to now could not be a moment ago, or the other way round.
    for (const expected of this.#expected)
      if (!expected.sentAs && this.#meant(this.#contactOf(expected.about))?.id === this.#meant(contact.id)?.id)
        expected.isOptional = true;
  }

  settingsChanged(settings: ModelSettings, at: number): void {
    this.settings = settings;
    this.#settingsAt = at;
    for (const expected of this.#expected) if (!expected.sentAs) expected.isOptional = true;
  }

  visitChanged(visit: ModelVisit, at: number, actor: ModelActor, isByStranger = false): void {
    const before = this.#visits.get(visit.id);
    this.#visits.set(visit.id, visit);
    const about = `visit ${visit.id}`;
    this.#excuse(about);
    const isSeen = seenOf(before) !== seenOf(visit);
    if (isSeen)
      for (const hours of this.settings.reminderHours) {
        const from = shownStart(visit) - hours * HOUR;
        if (visit.status === 'Scheduled' && from > at) this.#expect('Reminder', about, from, shownStart(visit));
      }
    // An import writes to nobody, and what it left of a change before it is announced to nobody.
    if (actor === 'import') return;
    if (isSeen) this.#before.set(visit.id, [...(this.#before.get(visit.id) ?? []), before]);
    if (isSeen) this.#ownAfter.set(visit.id, visit);
    if (isSeen) this.#changedAt.set(visit.id, at);
    if (visit.status === 'Started' && before?.status !== 'Started') {
      this.#startedAt.set(visit.id, at);
      this.#expect('OnTheWay', about, at, at + 30 * MINUTE, visit.arrived);
    }
    if (visit.status === 'Completed' && before?.status !== 'Completed' && !visit.rated)
      this.#expect('HowWasIt', about, at + 2 * HOUR, Infinity, false, true);
    if (isByStranger && !before) this.#expectOffice(about, at);
  }

  /** The changes of visits come to an end: what they come to is announced after the delay. */
  settle(at: number): void {
    const groups = new Map<string, number>();
    for (const [id, [before, ...between]] of this.#before) {
      const visit = this.#visits.get(id) as ModelVisit;
      const groupOf = (kind: string): number => {
        // Visits with other words are announced apart.
        const name = `${kind} ${visit.series || `v${id}`} ${visit.options.join(' ')}`;
        groups.set(name, groups.get(name) ?? ++this.#groups);
        return groups.get(name) ?? 0;
      };
      const recent = this.#settled.get(id);
      // Whether an earlier change was announced before this one, only the accidents know.
      const isAgain = recent !== undefined && at - recent.at < SURELY_TOLD;
      const isSet = at - this.#settingsAt < SURELY_TOLD;
      // A client who could not get the messages before does not know the visit.
      const isUnknown = this.#settledOnce.has(id) && !this.#toldOf.has(id);
      // Moved by an import and back by the office, it is as the client knows it.
      const isUnsure = isAgain || isSet || isUnknown || this.#toldOf.get(id) === seenOf(visit);
      const isImported = seenOf(this.#ownAfter.get(id)) !== seenOf(visit);
      const kinds = [
        before,
        ...(isAgain ? recent.befores : []),
        // What changed while messages were off is not announced.
        ...(isSet ? between : []),
        ...(isUnknown ? [undefined] : []),
      ].map((each) => this.#kindOf(each, visit, at));
      for (const kind of isImported ? [] : new Set(kinds)) {
        if (!kind) continue;
        const start = visit.start ?? Infinity;
        const from = (this.#changedAt.get(id) ?? at) + this.settings.delay - EARLY;
        this.#expect(kind, `visit ${id}`, from, isUnsure ? 0 : start, false, false, groupOf(kind));
      }
      this.#settled.set(id, { at, befores: [...(isAgain ? recent.befores : []), before] });
      this.#settledOnce.add(id);
    }
    this.#before.clear();
  }
  readonly #settledOnce = new Set<number>();
  /** What the last message shows of a visit. */
  readonly #toldOf = new Map<number, string>();
  readonly #settled = new Map<number, { readonly at: number; readonly befores: readonly (ModelVisit | undefined)[] }>();

  #kindOf(before: ModelVisit | undefined, now: ModelVisit, at: number): string | undefined {
    if (seenOf(before) === seenOf(now)) return undefined;
    const known = before && isBooked(before.status) && before.start !== null ? before : undefined;
    if (isBooked(now.status) && now.start !== null) {
      if (now.start <= at) return undefined;
      const isMoved = known && (known.start !== now.start || known.through !== now.through);
      if (isMoved && known.status === now.status) return 'VisitMoved';
      return now.status === 'Tentative' ? 'VisitConfirm' : 'VisitBooked';
    }
    const isOff = now.status === 'Canceled' || now.status === 'Queued';
    return isOff && known && shownStart(known) > at ? 'VisitCanceled' : undefined;
  }

  proposalChanged(proposal: ModelProposal, at: number, actor: ModelActor): void {
    const before = this.#proposals.get(proposal.id);
    this.#proposals.set(proposal.id, proposal);
    const about = `proposal ${proposal.id}`;
    const { status, openedAt, expiresAt } = proposal;
    if (before?.status === status && before.openedAt === openedAt && before.expiresAt === expiresAt) return;
    this.#excuse(about);
    if (actor === 'import') return;
    if (status === 'Open' && before?.openedAt !== openedAt) {
      // Opened again meanwhile, it is announced when the first opening is due.
      const pending = this.#expected.filter(
        (each) => each.kind === 'Proposal' && each.about === about && !each.sentAs && each.from > at - SURELY_TOLD,
      );
      const from = Math.min(at + this.settings.delay, ...pending.map((each) => each.from));
      this.#expect('Proposal', about, from, expiresAt ?? Infinity);
    }
    if (status === 'Open' && expiresAt !== null && expiresAt - 3 * DAY > at)
      this.#expect('ProposalExpiring', about, expiresAt - 3 * DAY, expiresAt, false, true);
    if (status === 'Accepted' && before && before.acceptedAt === null) this.#expect('ProposalSigned', about, at);
    if (status === 'Declined' && before?.status !== 'Declined' && actor === 'page') this.#expectOffice(about, at);
  }

  invoiceChanged(invoice: ModelInvoice, at: number, actor: ModelActor): void {
    const before = this.#invoices.get(invoice.id);
    this.#invoices.set(invoice.id, invoice);
    const about = `invoice ${invoice.id}`;
    const asks = (each: ModelInvoice | undefined) => each?.status === 'Open' && each.balance > 0;
    if (asks(before) && asks(invoice) && before?.dueDay === invoice.dueDay) return;
    this.#excuse(about);
    if (actor === 'import' || invoice.isOld || !asks(invoice)) return;
    if (!before || before.status === 'Unapproved')
      this.#expect('Invoice', about, at + this.settings.delay, Infinity, false, true);
    const due = (kind: string, days: number) => {
      const from = morningOf(invoice.dueDay + days * DAY);
      if (from > at) this.#expect(kind, about, from, Infinity, false, true);
    };
    due('InvoiceDue', -3);
    for (const days of [1, 8, 15]) due('InvoiceOverdue', days);
  }

  paymentMade(id: number, contact: number, amount: number, at: number, actor: ModelActor): void {
    this.#payments.set(id, contact);
    if (actor !== 'import') this.#expect(amount > 0 ? 'Receipt' : 'Refund', `payment ${id}`, at);
  }
  readonly #payments = new Map<number, number>();

  taskMade(id: number, at: number, actor: ModelActor): void {
    if (actor === 'page') this.#expectOffice(`task ${id}`, at);
  }

  /** Checks that a message may be sent, is about a state that holds, and is the first of its kind. */
  sent(message: ModelMessage): void {
    const wrong = (why: string) =>
      this.violations.push(
        `${new Date(message.at).toISOString()} ${message.kind} (${message.channel}) to ${message.to} ` +
          `about ${message.about.join(', ')}: ${why}`,
      );
    const { kind, channel, at } = message;
    if (!this.settings.on) wrong('messages are off');
    if (kind === 'Office') {
      if (message.to !== this.#office) wrong('not to the office');
    } else this.#checkConsent(message, wrong);
    for (const about of message.about) {
      const id = Number(about.split(' ')[1]);
      if (kind.startsWith('Visit')) this.#toldOf.set(id, seenOf(this.#visits.get(id)));
      const gone = this.#goneOf(kind, about, at);
      if (gone) wrong(gone);
      this.#match(message, about, wrong);
    }
    const due = this.#expected.filter((each) => each.sentAs && each.channel === channel && !each.isOptional);
    const groups = new Set(due.filter(({ sentAs }) => sentAs === message.name).map(({ group }) => group));
    if (due.some(({ group, sentAs }) => groups.has(group) && sentAs !== message.name))
      wrong('a series is announced in parts');
  }

  #checkConsent({ kind, channel, to, about, at }: ModelMessage, wrong: (why: string) => void): void {
    const contact = this.#meant(this.#contactOf(about[0] ?? ''));
    if (!contact || contact.erased) return wrong('the contact is gone');
    if (channel === 'Email' && contact.noEmail) wrong('the contact has DoNotEmail');
    if (channel === 'Text' && contact.noText) wrong('the contact has DoNotText');
    if (channel === 'Email' && contact.emailProblem) wrong('the address has a problem');
    if (contact.unsubscribed && ADVERTISING.has(kind)) wrong('the contact has unsubscribed');
    if (to !== (channel === 'Email' ? contact.email : contact.phone)) wrong('not to the address of the contact');
    if (!about.every((each) => this.#channelsOf(kind, each).includes(channel)))
      wrong('the company or the visit does not want it');
    const hour = hourAt(at, contact.zone);
    if (channel === 'Text' && (hour < 8 || hour >= 21)) wrong(`a text at ${hour} o'clock`);
  }

  #goneOf(kind: string, about: string, at: number): string | undefined {
    const [noun, id] = about.split(' ');
    if (noun === 'visit') return this.#goneVisit(kind, this.#visits.get(Number(id)) as ModelVisit, at);
    if (noun === 'proposal') {
      const { status, expiresAt } = this.#proposals.get(Number(id)) as ModelProposal;
      const isOpen = status === 'Open' && (expiresAt ?? Infinity) > at;
      if (kind === 'Proposal' && !isOpen) return `the proposal is ${status}`;
      if (kind === 'ProposalExpiring' && (!isOpen || expiresAt === null || expiresAt - 3 * DAY > at))
        return 'the proposal does not expire soon';
    }
    if (noun === 'invoice') {
      const { status, balance, dueDay } = this.#invoices.get(Number(id)) as ModelInvoice;
      if (status !== 'Open' || balance <= 0) return `the invoice is ${status}, ${balance} is due`;
      if (kind === 'InvoiceDue' && at < morningOf(dueDay - 3 * DAY)) return 'the invoice is not due soon';
      if (kind === 'InvoiceOverdue' && at < morningOf(dueDay + DAY)) return 'the invoice is not overdue';
    }
    return undefined;
  }

  #goneVisit(kind: string, visit: ModelVisit, at: number): string | undefined {
    const { status, start } = visit;
    const is = (...statuses: string[]) => (statuses.includes(status) ? undefined : `the visit is ${status}`);
    switch (kind) {
      case 'VisitBooked':
      case 'VisitMoved':
      case 'VisitConfirm':
      case 'Reminder': {
        if (start !== null && start <= at) return 'the visit has begun';
        const isLate = this.settings.reminderHours.every((hours) => (start ?? 0) - hours * HOUR > at + MINUTE);
        if (kind === 'Reminder' && isLate) return 'the visit is not soon';
        if (kind === 'VisitMoved') return isBooked(status) ? undefined : is('Scheduled');
        return is(kind === 'VisitConfirm' ? 'Tentative' : 'Scheduled');
      }
      case 'VisitCanceled':
        if (start !== null && start <= at) return 'the visit has begun';
        return is('Canceled', 'Queued');
      case 'OnTheWay':
        if (visit.arrived) return 'the agent has arrived';
        if (at > (this.#startedAt.get(visit.id) ?? 0) + 31 * MINUTE) return 'the agent started long ago';
        return is('Started');
      case 'HowWasIt':
        return visit.rated ? 'the client has said how it was' : is('Completed');
      default:
        return undefined;
    }
  }

  #match(message: ModelMessage, about: string, wrong: (why: string) => void): void {
    const { kind, channel, at, name, isUncertain } = message;
    const same = this.#expected.filter(
      (each) => each.kind === kind && each.channel === channel && each.about === about && each.from <= at + EARLY,
    );
    const repeated = same.find(({ sentAs }) => sentAs === name);
    if (repeated) {
      if (channel === 'Text' || !isUncertain || !this.#mayRepeat) wrong('it is sent twice');
      return;
    }
    const unsent = same.filter(({ sentAs }) => !sentAs);
    const expected = unsent.find(({ isOptional }) => !isOptional) ?? unsent[0];
    if (expected) expected.sentAs = name;
    else wrong('nobody expects it, or it is announced already');
  }

  /** What was due for a message by a moment, and got none. */
  lost(at: number): { readonly kind: string; readonly channel: ModelChannel; readonly about: string; from: number }[] {
    return this.#expected.filter(({ isOptional, sentAs, from }) => !isOptional && !sentAs && from < at);
  }

  #excuse(about: string): void {
    for (const expected of this.#expected) if (expected.about === about && !expected.sentAs) expected.isOptional = true;
  }

  #expectOffice(about: string, from: number): void {
    const isOptional = !this.settings.on;
    this.#add({ kind: 'Office', channel: 'Email', about, from, group: ++this.#groups, isOptional });
  }

  /** Expects a message by each channel; `until` is the moment at which it is void. */
  #expect(
    kind: string,
    about: string,
    from: number,
    until = Infinity,
    isVoid = false,
    isOnce = false,
    group = ++this.#groups,
  ): void {
    const contact = this.#meant(this.#contactOf(about));
    if (!contact || isVoid) return;
    for (const channel of CHANNELS) {
      if (ONLY_TEXT.has(kind) && channel === 'Email') continue;
      const others = this.#expected.filter(
        (each) => each.kind === kind && each.channel === channel && each.about === about,
      );
      const mayNotify = (each: Expected) => each.sentAs !== undefined && (each.from === from || kind === 'Invoice');
      if ((isOnce || kind === 'Reminder') && others.some(mayNotify)) continue;
      // What is announced when an invoice is first open, or a visit first completed, is announced at no later time.
      const isPast = (kind === 'Invoice' || kind === 'HowWasIt') && others.length > 0;
      const address = channel === 'Email' ? contact.email : contact.phone;
      // Off now, messages may be on when it is decided.
      const mayBe =
        this.settings.on &&
        address !== '' &&
        !contact.erased &&
        !(channel === 'Email' ? contact.noEmail || contact.emailProblem : contact.noText) &&
        !(contact.unsubscribed && ADVERTISING.has(kind)) &&
        this.#channelsOf(kind, about).includes(channel);
      // A little later, a text may have to wait for the morning.
      const moment = channel === 'Text' ? allowedAt(from + HOUR, contact.zone) : from;
      // Near the moment at which it is void, an accident may make it too late.
      this.#add({ kind, channel, about, from, group, isOptional: !mayBe || isPast || moment + 2 * HOUR > until });
    }
  }

  #add(expected: Omit<Expected, 'sentAs'>): void {
    this.#expected.push({ ...expected, sentAs: undefined });
  }

  #contactOf(about: string): number {
    const [noun, text] = about.split(' ');
    const id = Number(text);
    if (noun === 'visit') return this.#visits.get(id)?.contact ?? 0;
    if (noun === 'proposal') return this.#proposals.get(id)?.contact ?? 0;
    if (noun === 'invoice') return this.#invoices.get(id)?.contact ?? 0;
    return this.#payments.get(id) ?? 0;
  }

  #meant(id: number): ModelContact | undefined {
    const contact = this.#contacts.get(id);
    return contact?.mergedInto === undefined ? contact : this.#meant(contact.mergedInto);
  }

  /** By the company's setting, unless the words of the visit decide. */
  #channelsOf(kind: string, about: string): readonly ModelChannel[] {
    const possible = ONLY_TEXT.has(kind) ? (['Text'] as const) : CHANNELS;
    const ofCompany = (this.settings.channels[kind] ?? possible).filter((each) => possible.some((one) => one === each));
    const [noun, id] = about.split(' ');
    const words = noun === 'visit' ? (this.#visits.get(Number(id))?.options ?? []) : [];
    if (words.includes('None')) return [];
    const channels = words.filter((word) => word === 'Email' || word === 'Text');
    const kinds = words.filter((word) => word !== 'Email' && word !== 'Text');
    if (kinds.length && !kinds.includes(kind)) return [];
    if (!ofCompany.length && !kinds.includes(kind)) return [];
    if (channels.length) return possible.filter((each) => channels.includes(each));
    return ofCompany.length ? ofCompany : possible;
  }
}

const COMPANY_ZONE = 'America/New_York';

const clocks = new Map<string, Intl.DateTimeFormat>();

function hourAt(at: number, timeZone: string): number {
  const clock =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' });
  clocks.set(timeZone, clock);
  return Number(clock.format(at));
}

/** The first moment from `at` on at which a text may be sent, to the minute. */
function allowedAt(at: number, zone: string): number {
  let moment = at;
  for (let hour = hourAt(moment, zone); hour < 8 || hour >= 21; hour = hourAt(moment, zone)) moment += 15 * MINUTE;
  return moment;
}

/** Nine in the morning of a day at the company. */
function morningOf(day: number): number {
  for (let hours = 12; hours < 16; hours++)
    if (hourAt(day + hours * HOUR, COMPANY_ZONE) === 9) return day + hours * HOUR;
  throw new Error('a day without a morning');
}
