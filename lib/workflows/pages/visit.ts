import type { AppointmentRecord } from '../../entities/appointments.ts';
import { taskEntity } from '../../entities/tasks.ts';
import { applyFeedback } from '../../domain/appointments/feedback.ts';
import { Status } from '../../domain/appointments/status.ts';
import { applyTaskInput } from '../../domain/tasks.ts';
import type { FeedbackView } from '../../pages/feedback.ts';
import type { VisitState, VisitView } from '../../pages/visit.ts';
import { conflict, invalid } from '../../shared/failure.ts';
import { DAY } from '../../shared/time/time.ts';
import { appointmentChanges, findAppointment, unchangedAppointment } from '../../store/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';
import { findAccountLinks } from '../../store/links.ts';
import { agentsOf } from '../../store/organizations/service-agents.ts';
import { taskChanges } from '../../store/tasks.ts';
import { updateAppointment } from '../appointments/update-appointment.ts';
import { type ClientContext, toWriteContext } from './client.ts';
import { type LoadedPage, addressOf, loadCompany, preferencesLinkOf } from './load-company.ts';

interface FoundVisit {
  readonly appointment: AppointmentRecord;
  readonly start: number;
}

/** The appointment of a link; `undefined` where the link was revoked, or it has no time. */
async function findVisit({ table, target }: ClientContext): Promise<FoundVisit | undefined> {
  const scope = { accountId: target.account, organizationId: null };
  const appointment = await findAppointment(table, scope, target.id);
  if (!appointment || (appointment.LinksRevoked ?? 0) !== target.generation) return undefined;
  return appointment.Start === null ? undefined : { appointment, start: appointment.Start };
}

const states: Readonly<Record<number, VisitState>> = {
  [Status.Scheduled]: 'booked',
  [Status.Tentative]: 'tentative',
  [Status.Started]: 'started',
  [Status.Completed]: 'finished',
  [Status.Canceled]: 'canceled',
};

/** The visit of a link. Two rounds. */
export async function loadVisitPage(context: ClientContext): Promise<LoadedPage<VisitView> | undefined> {
  const { table, target, now } = context;
  const { account: accountId } = target;
  const found = await findVisit(context);
  if (!found) return undefined;
  const { appointment, start } = found;
  const { OrganizationId: organizationId, ContactId, ServiceAgentId, Status: status } = appointment;
  const scope = { accountId, organizationId };
  const [contact, clientCompany, agents, link] = await Promise.all([
    findContact(table, scope, ContactId),
    loadCompany(table, accountId, organizationId),
    agentsOf(table, scope),
    findAccountLinks(table, accountId, now),
  ]);
  if (!contact) return undefined;
  const agent = agents.get(ServiceAgentId)?.Name ?? appointment.ServiceAgentName;
  const view: VisitView = {
    company: clientCompany.company,
    state: states[status] ?? 'booked',
    start,
    duration: appointment.Duration,
    zone: clientCompany.zone,
    service: appointment.ServiceName,
    agent: agent.split(' ')[0] ?? '',
    address: addressOf(contact),
    feedbackLink: status === Status.Completed ? link('feedback', appointment.Id, target.generation) : '',
  };
  return { view, preferencesLink: preferencesLinkOf(link, contact), ...clientCompany };
}

/** The changes that confirm a tentative visit. */
export async function confirmVisit(context: ClientContext): Promise<readonly Change[]> {
  const request = { AppointmentId: context.target.id, Slots: [{ Status: Status.Scheduled }] };
  const { changes } = await updateAppointment(request, toWriteContext(context));
  return changes;
}

/** A call, as the office sees the task. */
const CALL = 1;

/** The changes that ask the office for another time: a task, due tomorrow, while the visit is as it was. */
export async function askForAnotherTime(context: ClientContext, message: string): Promise<readonly Change[]> {
  const text = message.trim();
  if (!text) throw invalid({ field: 'message', code: 'required', message: 'is required' });
  const { table, target, now } = context;
  const found = await findVisit(context);
  if (!found) throw conflict('wrong_state', 'The visit has no time any more.');
  const { appointment } = found;
  const writing = toWriteContext(context);
  const [Id = 0] = await reserveIds(table, target.account, 'Task', 1);
  const { OrganizationId, ContactId, Id: visit, Zone } = appointment;
  const blank = taskEntity.blank({ Id, OrganizationId, ContactId, Created: now.getTime() });
  const { task } = applyTaskInput(
    blank,
    {
      Description: `The client asks for another time of appointment ${visit}: ${text}`,
      TaskType: CALL,
      Due: new Date(now.getTime() + DAY).toISOString(),
    },
    Zone,
  );
  const { change } = taskChanges(writing.caller.accountId, { before: undefined, after: task, now });
  return [unchangedAppointment(target.account, appointment), change];
}

/** The feedback page of a link. Two rounds. */
export async function loadFeedbackPage(context: ClientContext): Promise<LoadedPage<FeedbackView> | undefined> {
  const { table, target, now } = context;
  const found = await findVisit(context);
  if (!found || found.appointment.Status !== Status.Completed) return undefined;
  const { appointment, start } = found;
  const { ContactId, OrganizationId, ServiceName: service, Feedback: feedback } = appointment;
  const [contact, clientCompany, link] = await Promise.all([
    findContact(table, { accountId: target.account, organizationId: null }, ContactId),
    loadCompany(table, target.account, OrganizationId),
    findAccountLinks(table, target.account, now),
  ]);
  if (!contact) return undefined;
  const view = {
    company: clientCompany.company,
    service,
    start,
    zone: clientCompany.zone,
    score: feedback?.Score ?? null,
    note: feedback?.Note ?? '',
    contactMe: feedback?.ContactMe ?? false,
    isOpen: applyFeedback(appointment, { Note: '-' }, now.getTime()).kind === 'applied',
  };
  return { view, preferencesLink: preferencesLinkOf(link, contact), ...clientCompany };
}

/** The changes that store a client's feedback. */
export async function giveFeedback(
  context: ClientContext,
  { score, note, contactMe }: Pick<FeedbackView, 'score' | 'note' | 'contactMe'>,
): Promise<readonly Change[]> {
  const found = await findVisit(context);
  if (!found) throw conflict('wrong_state', 'The visit has no time any more.');
  const { appointment: before } = found;
  const { now, target } = context;
  const result = applyFeedback(before, { Score: score, Note: note, ContactMe: contactMe }, now.getTime());
  if (result.kind === 'invalid') throw invalid(...result.errors);
  if (result.kind === 'closed') throw conflict('wrong_state', 'The feedback can no longer be replaced.');
  return appointmentChanges(target.account, { before, after: result.appointment, now }).changes;
}
