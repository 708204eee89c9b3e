import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { declarationOf } from '../../entities/message-kinds.ts';
import type { MessageRecord } from '../../entities/messages.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { TaskRecord } from '../../entities/tasks.ts';
import { Status } from '../../domain/appointments/record.ts';
import { type ClientLink, NO_PAYMENTS } from '../../domain/client-pages.ts';
import { dueDate } from '../../domain/invoices/due-date.ts';
import { acceptsPayment } from '../../domain/invoices/record.ts';
import { languageFor } from '../../domain/messages/language.ts';
import { messageAddress } from '../../domain/messages/consent.ts';
import { type MessageRecordOf, contactIdOf } from '../../domain/messages/decide.ts';
import { knownVisitOf } from '../../domain/messages/known-visit.ts';
import type { MessageView, MessageVisit } from '../../messages/view.ts';
import { visitUid } from '../../pages/visit-calendar.ts';
import { add } from '../../shared/money.ts';
import { listAppointments } from '../../store/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import { findAccountLinks } from '../../store/links.ts';
import { findMessageSettings } from '../../store/message-settings.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import { findTakesPayments } from '../../store/payment-providers.ts';
import type { StoreReader } from '../../store/store.ts';
import { addressOf, toClientCompany } from '../pages/load-company.ts';
import { findSigner } from '../pages/proposal.ts';
import { findAbout } from './about.ts';
import { findFailureDue } from './failure-due.ts';

/** What a message says, read from the records as they are now. */

/** What a message is about and to whom, as it is now. */
export async function findParts(store: StoreReader, message: MessageRecord, now: Date) {
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
  const isAttempt = Kind === 'CardFailed' && !message.IsRequested;
  const [agents, takesPayments, signer, client, failureDue] = await Promise.all([
    visits.length ? agentsOf(store, OrganizationId) : undefined,
    about?.noun === 'Invoice' ? findTakesPayments(store) : NO_PAYMENTS,
    about?.noun === 'Proposal' && Kind === 'ProposalSigned' ? findSigner({ store }, about.record) : undefined,
    clientId === null ? contact : findContact(store, clientId),
    isAttempt ? findFailureDue(store, RecordId) : undefined,
  ]);
  const signedBy = signer?.name ?? '';
  const isRetried = isAttempt && failureDue !== message.Due;
  return { about, visits, organization, settings, contact, client, link, agents, takesPayments, signedBy, isRetried };
}

function inOrder(visits: readonly AppointmentRecord[], ids: readonly number[]): AppointmentRecord[] {
  const byId = new Map(visits.map((visit) => [visit.Id, visit]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

type FoundParts = Awaited<ReturnType<typeof findParts>>;
export type MessageParts = FoundParts & {
  readonly account: string;
  readonly about: MessageRecordOf;
  readonly organization: OrganizationRecord;
};

export function toView(
  { Kind: kind, Channel, Address, Visits }: MessageRecord,
  parts: MessageParts,
  now: Date,
): MessageView {
  const { account, organization, settings, contact, client, visits, link, agents } = parts;
  const { company, country, zone } = toClientCompany(account, organization);
  const former = new Map(Visits.map(({ Id, FormerStart }) => [Id, FormerStart]));
  const language = contact ? languageFor(contact, settings) : settings.language;
  const preferencesLink = contact ? link('preferences', contact.Id, contact.LinksRevoked ?? 0) : '';
  return {
    kind,
    language,
    now: now.getTime(),
    // It may have been corrected since, or the contact merged into another one.
    to: contact ? messageAddress(contact, Channel) : Address,
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
    ownTexts: settings.kinds[kind].texts[language],
  };
}

const baseUrl = (): string => process.env['BASE_URL'] ?? 'https://unknown.invalid';

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
): MessageVisit {
  const { Start, Through } = knownVisitOf(visit);
  const { Id, Status: status, LinksRevoked = 0 } = visit;
  return {
    id: Id,
    // A canceled visit keeps its time, and a queued one is shown with its former time.
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
