import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { MessageRecord } from '../../entities/messages.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { declarationOf } from '../../entities/message-kinds.ts';
import type { ClientLink } from '../../domain/client-pages.ts';
import { dueDate } from '../../domain/invoices/due-date.ts';
import { acceptsPayment } from '../../domain/invoices/record.ts';
import { type MessageRecordOf, isTooLate, stampOf } from '../../domain/messages/decide.ts';
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
import { findAbout } from './about.ts';
import { stampOfVisits } from './decide-messages.ts';

/** A message with everything that decides whether it is sent, and what it says. */
export interface LoadedMessage {
  readonly about: MessageRecordOf;
  readonly organization: OrganizationRecord;
  readonly settings: MessageSettings;
  /** `undefined` for a message to the office. */
  readonly contact: ContactRecord | undefined;
  readonly view: MessageView;
}

/** The message as it would be sent now, or why it cannot be. */
export async function loadMessage(
  store: StoreReader,
  message: MessageRecord,
  now: Date,
): Promise<LoadedMessage | { readonly refusal: string }> {
  const { OrganizationId, ContactId, Kind: kind, Noun, RecordId, Visits } = message;
  const [about, visits, organization, settings, contact, link] = await Promise.all([
    findAbout(store, Noun, RecordId),
    listAppointments(
      store,
      Visits.map(({ Id }) => Id),
    ),
    findOrganization(store, OrganizationId),
    findMessageSettings(store, OrganizationId),
    ContactId === null ? undefined : findContact(store, ContactId),
    findAccountLinks(store, now),
  ]);
  if (!about || !organization) return { refusal: 'The record is gone.' };
  if (ContactId !== null && !contact) return { refusal: 'The contact is gone.' };
  const told = Visits.length ? inOrder(visits, Visits) : about.noun === 'Appointment' ? [about.record] : [];
  const stamp = Visits.length ? stampOfVisits(told, kind, now) : stampOf(about, kind, now.getTime());
  if (message.Stamp && stamp !== message.Stamp) return { refusal: 'The record has changed since.' };
  if (told.some((visit) => isTooLate(visit, kind, now.getTime()))) return { refusal: 'The visit has begun.' };
  const [agents, takesPayments] = await Promise.all([
    told.length ? agentsOf(store, OrganizationId) : undefined,
    about.noun === 'Invoice' ? findTakesPayments(store) : undefined,
  ]);
  const former = new Map(Visits.map(({ Id, FormerStart }) => [Id, FormerStart]));
  const { company, country, zone } = toClientCompany(store.account, organization);
  const view: MessageView = {
    kind,
    language: settings.language,
    now: now.getTime(),
    to: message.Address,
    company: { ...company, logo: company.logo && `${baseUrl()}${company.logo}` },
    country,
    zone,
    contactName: contact ? contact.Name || contact.Company : '',
    visits: told.map((visit) =>
      toVisitView(visit, {
        account: store.account,
        contact,
        link,
        agent: agents?.get(visit.ServiceAgentId)?.Name ?? visit.ServiceAgentName,
        formerStart: former.get(visit.Id) ?? undefined,
      }),
    ),
    ...partsOf(about, { link, canPay: takesPayments !== undefined && canPay(about, takesPayments) }),
    ...(kind === 'NewLink' && contact ? { newLink: link('overview', contact.Id, contact.LinksRevoked ?? 0) } : {}),
    preferencesLink: contact ? link('preferences', contact.Id, contact.LinksRevoked ?? 0) : '',
    unsubscribeLink:
      contact && !declarationOf(kind).isTransactional ? link('preferences', contact.Id, contact.LinksRevoked ?? 0) : '',
    ownTexts: settings.kinds[kind].texts[settings.language],
  };
  return { about, organization, settings, contact, view };
}

const baseUrl = (): string => process.env['BASE_URL'] ?? 'https://unknown.invalid';

const canPay = (about: MessageRecordOf, takesPayments: Parameters<typeof acceptsPayment>[1]): boolean =>
  about.noun === 'Invoice' && acceptsPayment(about.record, takesPayments);

function inOrder(visits: readonly AppointmentRecord[], of: readonly { readonly Id: number }[]): AppointmentRecord[] {
  const byId = new Map(visits.map((visit) => [visit.Id, visit]));
  return of.flatMap(({ Id }) => byId.get(Id) ?? []);
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
function partsOf(
  about: MessageRecordOf,
  { link, canPay: isPayable }: { readonly link: ClientLink; readonly canPay: boolean },
): Partial<MessageView> {
  switch (about.noun) {
    case 'Proposal': {
      const { Id, Title, ServiceName, Subtotal, Tax, ExpiresAt, LinksRevoked = 0 } = about.record;
      const total = add(Subtotal, Tax);
      return {
        proposal: {
          title: Title || ServiceName,
          total,
          expiresAt: ExpiresAt,
          link: link('proposal', Id, LinksRevoked),
        },
      };
    }
    case 'Invoice': {
      const { Id, Number: number, Total: total, BalanceDue: balance, LinksRevoked = 0 } = about.record;
      const page = link('invoice', Id, LinksRevoked);
      return { invoice: { number, total, balance, dueDate: dueDate(about.record), link: page, canPay: isPayable } };
    }
    case 'Payment': {
      const { Amount, Method, Date: at } = about.record;
      return { payment: { amount: Math.abs(Amount), method: Method, at } };
    }
    case 'Task':
      return { office: { title: about.record.Category, text: about.record.Description } };
    default:
      return {};
  }
}
