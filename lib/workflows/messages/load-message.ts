import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { MessageRecord } from '../../entities/messages.ts';
import type { TaskRecord } from '../../entities/tasks.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { declarationOf } from '../../entities/message-kinds.ts';
import { type ClientLink, NO_PAYMENTS } from '../../domain/client-pages.ts';
import { dueDate } from '../../domain/invoices/due-date.ts';
import { acceptsPayment } from '../../domain/invoices/record.ts';
import { addressOf as reachedAt } from '../../domain/messages/consent.ts';
import { type MessageRecordOf, contactIdOf, isTooLate, stampOf } from '../../domain/messages/decide.ts';
import type { MessageSettings } from '../../domain/messages/settings.ts';
import { toldVisitOf } from '../../domain/messages/told.ts';
import { Status } from '../../domain/appointments/record.ts';
import type { MessageView, ToldVisitView } from '../../messages/view.ts';
import { visitUid } from '../../pages/visit-calendar.ts';
import { listAppointments } from '../../store/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import { findAccountLinks } from '../../store/links.ts';
import { findMessageSettings } from '../../store/message-settings.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import { findTakesPayments } from '../../store/payment-providers.ts';
import type { StoreReader } from '../../store/store.ts';
import { add } from '../../shared/money.ts';
import { addressOf, toClientCompany } from '../pages/load-company.ts';
import { findSigner } from '../pages/proposal.ts';
import { findAbout } from './about.ts';
import { STAMP_END, wantedChannels } from './decide-messages.ts';

/** A message with everything that decides whether it is sent, and what it says. */
export interface LoadedMessage {
  readonly about: MessageRecordOf;
  readonly organization: OrganizationRecord;
  readonly settings: MessageSettings;
  /** `undefined` for a message to the office. */
  readonly contact: ContactRecord | undefined;
  readonly view: MessageView;
  /** The visits of which it tells, without those that have changed since, and what it says of them. */
  readonly said: Pick<MessageRecord, 'Visits' | 'Stamp'>;
  /** Why it is out of date; `undefined` if it still says what is so. */
  readonly outdated: string | undefined;
}

/** What a message is about and to whom, as it is now. */
async function findParts(store: StoreReader, message: MessageRecord, now: Date) {
  const { OrganizationId, ContactId, Kind, Noun, RecordId, Visits } = message;
  const ids = Visits.map(({ Id }) => Id);
  const [about, found, organization, settings, contact, link] = await Promise.all([
    findAbout(store, Noun, RecordId),
    listAppointments(store, ids),
    findOrganization(store, OrganizationId),
    findMessageSettings(store, OrganizationId),
    ContactId === null ? undefined : findContact(store, ContactId),
    findAccountLinks(store, now),
  ]);
  const visits = ids.length ? inOrder(found, ids) : about?.noun === 'Appointment' ? [about.record] : [];
  const clientId = Kind === 'Office' && about ? contactIdOf(about) : null;
  const [agents, takesPayments, signer, client] = await Promise.all([
    visits.length ? agentsOf(store, OrganizationId) : undefined,
    about?.noun === 'Invoice' ? findTakesPayments(store) : NO_PAYMENTS,
    about?.noun === 'Proposal' && Kind === 'ProposalSigned' ? findSigner({ store }, about.record) : undefined,
    clientId === null ? contact : findContact(store, clientId),
  ]);
  const signedBy = signer?.name ?? '';
  return { about, visits, organization, settings, contact, client, link, agents, takesPayments, signedBy };
}

/** The message as it would be sent now; a refusal if what it is about is gone. */
export async function loadMessage(
  store: StoreReader,
  message: MessageRecord,
  now: Date,
): Promise<LoadedMessage | { readonly refusal: string }> {
  const { ContactId } = message;
  const parts = await findParts(store, message, now);
  const { about, organization, visits: all, settings, contact } = parts;
  if (!about || !organization) return { refusal: 'The record is gone.' };
  if (ContactId !== null && !contact) return { refusal: 'The contact is gone.' };
  const each = all.length ? all.map((record) => ({ noun: 'Appointment', record }) as const) : [about];
  const problems = each.map((of) => problemOf(of, message, settings, now.getTime()));
  const current = all.filter((_, index) => problems[index] === undefined);
  const outdated = problems.includes(undefined) ? undefined : problems[0];
  const visits = current.length ? current : all;
  const view = toView(message, { ...parts, account: store.account, about, organization, visits }, now);
  return { about, organization, settings, contact, view, said: saidOf(message, current), outdated };
}

/** What was said of each visit of a message when it was decided. */
const stampsOf = ({ Visits, Stamp }: MessageRecord): ReadonlyMap<number, string> => {
  const stamps = Stamp.split(STAMP_END);
  return new Map(Visits.map(({ Id }, index) => [Id, stamps[index] ?? '']));
};

/** What is left of a message when it tells only these visits. */
function saidOf(message: MessageRecord, visits: readonly AppointmentRecord[]): LoadedMessage['said'] {
  const stamps = stampsOf(message);
  const Visits = message.Visits.filter(({ Id }) => visits.some((visit) => visit.Id === Id));
  if (Visits.length === message.Visits.length) return message;
  return { Visits, Stamp: Visits.map(({ Id }) => stamps.get(Id) ?? '').join(STAMP_END) };
}

/** Why a message about a record is not sent any more; `undefined` if it is. */
function problemOf(of: MessageRecordOf, message: MessageRecord, settings: MessageSettings, now: number) {
  const { Kind: kind, Channel: channel, Stamp, Visits, Due: due, IsRequested } = message;
  const stamp = Visits.length ? stampsOf(message).get(of.record.Id) : Stamp;
  if (stamp && stampOf(of, kind, now) !== stamp) return 'The record has changed since.';
  if (of.noun === 'Appointment' && isTooLate(of.record, kind, { now, due }))
    return kind === 'OnTheWay' ? 'The agent is not on the way any more.' : 'The visit has begun.';
  const isWanted = IsRequested || kind === 'Office' || wantedChannels(of, kind, settings).includes(channel);
  return isWanted ? undefined : 'The company, or the visit, does not want it any more.';
}

type FoundParts = Awaited<ReturnType<typeof findParts>>;
type MessageParts = FoundParts & {
  readonly account: string;
  readonly about: MessageRecordOf;
  readonly organization: OrganizationRecord;
};

function toView({ Kind: kind, Channel, Address, Visits }: MessageRecord, parts: MessageParts, now: Date): MessageView {
  const { account, organization, settings, contact, client, visits, link, agents } = parts;
  const { company, country, zone } = toClientCompany(account, organization);
  const former = new Map(Visits.map(({ Id, FormerStart }) => [Id, FormerStart]));
  const preferencesLink = contact ? link('preferences', contact.Id, contact.LinksRevoked ?? 0) : '';
  return {
    kind,
    language: settings.language,
    now: now.getTime(),
    // It may have been corrected since, or the contact merged into another one.
    to: contact ? reachedAt(contact, Channel) : Address,
    company: { ...company, logo: company.logo && `${baseUrl()}${company.logo}` },
    country,
    zone,
    contactName: client ? client.Name || client.Company : '',
    visits: visits.map((visit) => {
      const agent = agents?.get(visit.ServiceAgentId)?.Name ?? visit.ServiceAgentName;
      return toVisitView(visit, { account, contact, link, agent, formerStart: former.get(visit.Id) ?? undefined });
    }),
    ...recordView(parts),
    ...(kind === 'NewLink' && contact ? { newLink: link('overview', contact.Id, contact.LinksRevoked ?? 0) } : {}),
    preferencesLink,
    unsubscribeLink: declarationOf(kind).isTransactional ? '' : preferencesLink,
    ownTexts: settings.kinds[kind].texts[settings.language],
  };
}

const baseUrl = (): string => process.env['BASE_URL'] ?? 'https://unknown.invalid';

function inOrder(visits: readonly AppointmentRecord[], ids: readonly number[]): AppointmentRecord[] {
  const byId = new Map(visits.map((visit) => [visit.Id, visit]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface VisitParts {
  readonly account: string;
  readonly contact: ContactRecord | undefined;
  readonly link: ClientLink;
  readonly agent: string;
  readonly formerStart: number | undefined;
}

function toVisitView(
  visit: AppointmentRecord,
  { account, contact, link, agent, formerStart }: VisitParts,
): ToldVisitView {
  const { Start, Through } = toldVisitOf(visit);
  const { Id, Status: status, LinksRevoked = 0 } = visit;
  return {
    id: Id,
    // A canceled visit keeps its time, and a queued one is told by its former time.
    start: Start ?? formerStart ?? 0,
    through: Through,
    duration: visit.Duration,
    formerStart,
    heldUntil: visit.HeldUntil,
    isCanceled: status === Status.Canceled || status === Status.Queued,
    isTentative: status === Status.Tentative,
    service: visit.ServiceName,
    agent: agent.split(' ')[0] ?? '',
    address: visit.HidesContact || !contact ? '' : addressOf(contact),
    link: link('visit', Id, LinksRevoked),
    tipLink: link('feedback', Id, LinksRevoked),
    version: visit.V - visit.UnseenChanges,
    uid: visitUid(account, Id, baseUrl()),
    changed: visit.Updated,
  };
}

/** What the view has of the record itself. */
function recordView({ about, link, takesPayments, signedBy }: MessageParts): Partial<MessageView> {
  switch (about.noun) {
    case 'Proposal': {
      const { Id, Title, ServiceName, Subtotal, Tax, ExpiresAt, LinksRevoked = 0 } = about.record;
      const total = add(Subtotal, Tax);
      return {
        proposal: {
          title: Title || ServiceName,
          total,
          expiresAt: ExpiresAt,
          signedBy,
          link: link('proposal', Id, LinksRevoked),
        },
      };
    }
    case 'Invoice': {
      const { Id, Number: number, Total: total, BalanceDue: balance, LinksRevoked = 0 } = about.record;
      const page = link('invoice', Id, LinksRevoked);
      const canPay = acceptsPayment(about.record, takesPayments);
      return { invoice: { number, total, balance, dueDate: dueDate(about.record), link: page, canPay } };
    }
    case 'Payment': {
      const { Amount, Method, Date: at } = about.record;
      return { payment: { amount: Math.abs(Amount), method: Method, at } };
    }
    case 'Task':
      return { office: taskView(about.record) };
    default:
      return {};
  }
}

const MAX_TITLE = 100;

/** The category of a task and its first line say what happened. */
function taskView({ Category, Description }: TaskRecord): NonNullable<MessageView['office']> {
  const [firstLine = ''] = Description.split('\n');
  const title = [Category, firstLine].filter(Boolean).join(': ');
  return { title: title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE)}…` : title, text: Description };
}
