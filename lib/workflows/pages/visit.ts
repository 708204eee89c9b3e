import { isOpenTask } from '../../entities/tasks.ts';
import type { AppointmentRecord } from '../../entities/appointments.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import { clientCancelReasons } from '../../domain/appointments/client-cancel-reasons.ts';
import { applyFeedback } from '../../domain/appointments/feedback.ts';
import { tipChoices } from '../../domain/appointments/tips.ts';
import { Status, arrivalOf } from '../../domain/appointments/record.ts';
import type { ClientLink, LinkTarget } from '../../domain/client-pages.ts';
import { type ContactLinks, NO_CONTACT_LINKS } from '../../pages/frame.ts';
import type { FeedbackView } from '../../pages/feedback.ts';
import type { VisitState, VisitView } from '../../pages/visit-page.ts';
import type { CancelReason } from '../../resources/appointments.ts';
import { conflict, invalid } from '../../shared/failure.ts';
import { isEqual } from '../../shared/objects.ts';
import { fold } from '../../shared/text/text.ts';
import { HOUR } from '../../shared/time/time.ts';
import { appointmentChanges, findAppointment, unchangedAppointment } from '../../store/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findPageLinks } from '../../store/links.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import { settingsOf } from '../../store/settings.ts';
import { findTask, taskChanges } from '../../store/tasks.ts';
import { cancelFor } from '../appointments/cancel-appointment.ts';
import { updateAppointment } from '../appointments/update-appointment.ts';
import { type ClientContext, toWriteContext } from './client.ts';
import { listOffered } from './offered-services.ts';
import { newOfficeTask } from './office-task.ts';
import { sendsLinks } from './sends-links.ts';
import { loadPaymentState } from './payment-state.ts';
import { type LoadedPage, addressOf, loadCompany, contactLinks, placeOf } from './load-company.ts';

export interface FoundVisit {
  readonly appointment: AppointmentRecord;
  /** The start that the client knows: with an arrival window, its beginning. */
  readonly start: number;
}

export interface RequiredVisit extends FoundVisit {
  readonly contact: ContactRecord;
}

/** The appointment of a link; `undefined` if the link was revoked or it has no time. */
async function findVisit({ store, target }: ClientContext): Promise<FoundVisit | undefined> {
  const appointment = await findAppointment(store, target.id);
  if (!appointment || (appointment.LinksRevoked ?? 0) !== target.generation) return undefined;
  if (appointment.Start === null) return undefined;
  return { appointment, start: arrivalOf(appointment)?.start ?? appointment.Start };
}

/** The appointment of a link whose form was sent. Throws conflict if the link was revoked or its contact erased. */
export async function requireVisit(context: ClientContext): Promise<RequiredVisit> {
  const found = await findVisit(context);
  const contact = found && (await findContact(context.store, found.appointment.ContactId));
  if (!contact) throw conflict('wrong_state', 'The link was revoked, or the visit has no time any more.');
  return { ...found, contact };
}

/** The person who booked for an existing contact may be somebody else, so no page of the visit leads to the contact. */
const visitContactLinks = (
  link: ClientLink,
  target: LinkTarget,
  visit: AppointmentRecord,
  contact: ContactRecord,
): ContactLinks =>
  visit.HidesContact || target.page === 'booked' ? NO_CONTACT_LINKS : contactLinks(link, target, contact);

const states: Readonly<Record<number, VisitState>> = {
  [Status.Scheduled]: 'booked',
  [Status.Tentative]: 'tentative',
  [Status.Completed]: 'finished',
  [Status.Canceled]: 'canceled',
};

/** A Started visit is on the way until its ActualStart, the time of arrival that the agent gives. */
export function stateOf({ Status: status, ActualStart }: AppointmentRecord, now: number): VisitState {
  if (status === Status.Started) return ActualStart !== null && ActualStart <= now ? 'arrived' : 'onTheWay';
  return states[status] ?? 'booked';
}

/** The visit of a link. Two rounds. */
export async function loadVisitPage(context: ClientContext): Promise<LoadedPage<VisitView> | undefined> {
  const { store, target, now } = context;
  const found = await findVisit(context);
  if (!found) return undefined;
  const { appointment, start } = found;
  const { OrganizationId: organizationId, ContactId, ServiceAgentId, Status: status } = appointment;
  const isCanceled = status === Status.Canceled;
  const isHeld = status === Status.Tentative && appointment.HeldUntil !== null;
  const [contact, clientCompany, agents, link, services, isMailed] = await Promise.all([
    findContact(store, ContactId),
    loadCompany(store, organizationId),
    agentsOf(store, organizationId),
    findPageLinks(store, target, now),
    isCanceled ? listOffered(store, organizationId) : [],
    isHeld && sendsLinks(store, appointment),
  ]);
  if (!contact) return undefined;
  const until = changeableUntil({ CancelHours: clientCompany.cancelHours }, found);
  const isChangeable = now.getTime() <= until;
  const reasons = clientCompany.cancelReasons.map(({ En, Es }) => ({ en: En, es: Es || En }));
  const agent = agents.get(ServiceAgentId)?.Name ?? appointment.ServiceAgentName;
  const contactLinks = visitContactLinks(link, target, appointment, contact);
  const view: VisitView = {
    company: clientCompany.company,
    state: stateOf(appointment, now.getTime()),
    arrival: appointment.ActualStart,
    start,
    duration: appointment.Duration,
    arrivalThrough: appointment.ArrivalThrough,
    zone: clientCompany.zone,
    service: appointment.ServiceName,
    agent: agent.split(' ')[0] ?? '',
    address: appointment.HidesContact ? '' : addressOf(contact),
    place: appointment.HidesContact ? '' : placeOf(contact),
    // Only the link in the e-mail confirms, not that of the person who booked.
    mayConfirm: target.page === 'visit',
    heldUntil: appointment.HeldUntil,
    isMailed,
    cancel: isChangeable ? { until, reasons } : undefined,
    moveUntil: isChangeable && isMovable(appointment) ? until : undefined,
    version: appointment.V - appointment.UnseenChanges,
    changed: appointment.ArrivalThrough === null ? appointment.Updated : null,
    link: link(target.page, appointment.Id, target.generation),
    bookAgain: bookAgain({ link, contact, isOwn: contactLinks.overviewLink !== '' }, appointment, {
      ...clientCompany.booking,
      services,
    }),
    feedbackLink: status === Status.Completed ? link('feedback', appointment.Id, target.generation) : '',
  };
  return { view, ...contactLinks, ...clientCompany };
}

/** The page on which the client of a canceled visit books again: by its own link, or as a stranger. */
function bookAgain(
  { link, contact, isOwn }: { readonly link: ClientLink; readonly contact: ContactRecord; readonly isOwn: boolean },
  { OrganizationId, ServiceId }: AppointmentRecord,
  {
    isOpen,
    takesStrangers,
    linksRevoked,
    services,
  }: LoadedPage<VisitView>['booking'] & { readonly services: readonly ServiceRecord[] },
): VisitView['bookAgain'] {
  if (!isOpen || !services.length || !(isOwn || takesStrangers)) return undefined;
  const page = isOwn
    ? link('rebook', contact.Id, contact.LinksRevoked ?? 0)
    : link('booking', OrganizationId, linksRevoked);
  return page ? { link: page, service: services.find(({ Id }) => Id === ServiceId)?.Id } : undefined;
}

/** The changes that confirm a tentative visit. */
export async function confirmVisit(context: ClientContext): Promise<readonly Change[]> {
  const { appointment } = await requireVisit(context);
  if (!isBooked(appointment)) throw conflict('wrong_state', 'The visit no longer waits to be confirmed.');
  const request = { AppointmentId: context.target.id, Slots: [{ Status: Status.Scheduled }] };
  const { changes } = await updateAppointment(request, toWriteContext(context));
  return changes;
}

/** The changes that ask the office for another time: one task per visit, due tomorrow; a later request changes it. */
export async function askForAnotherTime(context: ClientContext, message: string): Promise<readonly Change[]> {
  const text = message.trim();
  if (!text) throw invalid({ field: 'message', code: 'required', message: 'is required' });
  const { store, now } = context;
  const { appointment: before } = await requireVisit(context);
  const { OrganizationId, ContactId, Id, RequestTaskId } = before;
  const Description = `The client asks for another time of appointment ${Id}: ${text}`;
  const asked = RequestTaskId === null ? undefined : await findTask(store, RequestTaskId);
  if (asked && isOpenTask(asked))
    return [
      unchangedAppointment(store, before),
      taskChanges(store, { before: asked, after: { ...asked, Description }, now }).change,
    ];
  const { record, change } = await newOfficeTask(context, { OrganizationId, ContactId, Description });
  const after = { ...before, RequestTaskId: record.Id };
  return [...appointmentChanges(store, { before, after, now }).changes, change];
}

export interface Cancellation {
  /** In English. */
  readonly reason: string;
  readonly note: string;
}

/** The changes that cancel a visit, if its client may still do that. Throws invalid without a reason. */
export async function cancelVisit(context: ClientContext, { reason, note }: Cancellation): Promise<readonly Change[]> {
  const { store, now } = context;
  const found = await requireVisit(context);
  const { appointment: before } = found;
  const [organization, officeReasons] = await Promise.all([
    findOrganization(store, before.OrganizationId),
    settingsOf<CancelReason>(store, 'CancelReason'),
  ]);
  if (!organization || now.getTime() > changeableUntil(organization, found))
    throw conflict('wrong_state', 'The visit cannot be canceled by its client.');
  const chosen = clientCancelReasons(organization).find(({ En }) => En === reason);
  if (!chosen) throw invalid({ field: 'cancelReason', code: 'not_found', message: 'must be one of the list' });
  const ofOffice = officeReasons.find(({ Reason }) => fold(Reason) === fold(chosen.CancelReason));
  const { changes } = await cancelFor(
    { CancelReasonId: ofOffice?.Id ?? null, CancelReason: chosen.En },
    toWriteContext(context),
    { before, note: note.trim() ? `The client: ${note.trim()}` : undefined },
  );
  return changes;
}

/** Booked, or waiting to be confirmed. */
export const isBooked = ({ Status: status }: AppointmentRecord): boolean =>
  status === Status.Scheduled || status === Status.Tentative;

/** Whether clients are offered other times: the office moves a crew whose agents have times of their own. */
export const isMovable = ({ ServiceId, AdditionalAgents }: AppointmentRecord): boolean =>
  ServiceId !== 0 && AdditionalAgents.every(({ StartMinute, Duration }) => StartMinute === null && !Duration);

/** The last moment at which the client may cancel or move a visit; `-Infinity`: never. */
export function changeableUntil(
  { CancelHours }: Pick<OrganizationRecord, 'CancelHours'>,
  { appointment, start }: FoundVisit,
): number {
  return isBooked(appointment) && CancelHours !== null ? start - CancelHours * HOUR : -Infinity;
}

export interface LoadedFeedbackPage extends LoadedPage<FeedbackView> {
  readonly organization: number;
  /** The contact's e-mail; `''` if a stranger booked the visit. */
  readonly email: string;
}

/** The feedback page of a link. Two rounds. */
export async function loadFeedbackPage(context: ClientContext): Promise<LoadedFeedbackPage | undefined> {
  const { store, target, now } = context;
  const found = await findVisit(context);
  if (!found || found.appointment.Status !== Status.Completed) return undefined;
  const { appointment, start } = found;
  const { ContactId, OrganizationId, ServiceName: service, Feedback: feedback } = appointment;
  const [contact, clientCompany, link, payment] = await Promise.all([
    findContact(store, ContactId),
    loadCompany(store, OrganizationId),
    findPageLinks(store, target, now),
    loadPaymentState(store, { Page: 'feedback', RecordId: appointment.Id }),
  ]);
  if (!contact) return undefined;
  const view: FeedbackView = {
    company: clientCompany.company,
    service,
    start,
    zone: clientCompany.zone,
    score: feedback?.Score ?? null,
    note: feedback?.Note ?? '',
    contactMe: feedback?.ContactMe ?? false,
    isOpen: applyFeedback(appointment, { Note: '-' }, now.getTime()).kind === 'applied',
    tip: {
      isOffered: payment.takesPayments(OrganizationId) && !payment.isProcessing && appointment.Tip === 0,
      choices: tipChoices(appointment.Total),
      given: appointment.Tip,
      isProcessing: payment.isProcessing,
      isTest: payment.isTest(OrganizationId),
    },
  };
  return {
    view,
    organization: OrganizationId,
    email: appointment.HidesContact ? '' : contact.Email,
    ...visitContactLinks(link, target, appointment, contact),
    ...clientCompany,
  };
}

/** The changes that store a client's feedback; none if it is the same again. */
export async function giveFeedback(
  context: ClientContext,
  { score, note, contactMe }: Pick<FeedbackView, 'score' | 'note' | 'contactMe'>,
): Promise<readonly Change[]> {
  const { appointment: before } = await requireVisit(context);
  const { store, now } = context;
  const result = applyFeedback(before, { Score: score, Note: note, ContactMe: contactMe }, now.getTime());
  if (result.kind === 'invalid') throw invalid(...result.errors);
  if (result.kind === 'closed') throw conflict('wrong_state', 'The feedback can no longer be replaced.');
  const after = result.appointment;
  return isEqual(before.Feedback, after.Feedback) ? [] : appointmentChanges(store, { before, after, now }).changes;
}
