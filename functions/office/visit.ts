import type { Appointment } from '../../lib/entities/appointments.ts';
import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import type { CancelReason } from '../../lib/resources/appointments.ts';
import { toFreeTime, toSlot } from '../../lib/pages/office/free-times.ts';
import { type MoveSearch, officeVisitPage } from '../../lib/pages/office/visit-page.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import { toLocalDate } from '../../lib/shared/time/time.ts';
import { Status } from '../../lib/domain/appointments/record.ts';
import { type Company, loadCompany } from './company.ts';
import { readDate, readId, readText } from '../pages/parameters.ts';
import {
  type FormChange,
  type OfficePage,
  type UserCall,
  type UserForm,
  formNotice,
  htmlAnswer,
  sendChange,
} from './office-page.ts';

interface FoundVisit {
  readonly Notes: string;
  readonly Slots: readonly Appointment[];
}

/** What a form did, by its mark. */
const done = {
  moved: 'isMoved',
  started: 'isStarted',
  finished: 'isFinished',
  confirmed: 'isConfirmed',
  queued: 'isQueued',
  canceled: 'isCanceled',
} as const;
type Done = keyof typeof done;

/** The free times for a visit in a week from a day on. */
async function searchTimes(call: UserCall, id: number, company: Company) {
  const { query, now } = call;
  const from = readDate(query, 'from') ?? toLocalDate(now.getTime(), company.Timezone);
  const agentId = readId(query.get('agent')) ?? 0;
  const found = await call.call<{ Slots: readonly Appointment[]; Message: string | null }>({
    operation: 'appointments/slotsearch',
    request: {
      AppointmentId: id,
      TargetDate: from,
      SlotWindowDays: 7,
      ...(agentId ? { Slots: [{ ServiceAgentId: agentId }] } : {}),
    },
  });
  const search: MoveSearch = {
    from,
    agentId,
    agents: company.ServiceAgents,
    times: found.Slots.map(toFreeTime),
    why: found.Message ?? '',
  };
  return search;
}

async function show(call: UserCall, failure?: Failure): Promise<OfficeAnswer | undefined> {
  const { id, query } = call;
  if (id === undefined) return undefined;
  const mayPlan = call.mayCall('appointments/cancel');
  const [company, found, reasons] = await Promise.all([
    loadCompany(call),
    call.call<FoundVisit>({ operation: 'appointments/find', request: { AppointmentId: id, IncludeContact: true } }),
    mayPlan
      ? call.call<{ Matches: readonly CancelReason[] }>({ operation: 'cancelreasons/all', request: {} })
      : undefined,
  ]);
  const [appointment] = found.Slots;
  if (!appointment) return undefined;
  const view = {
    appointment,
    notes: found.Notes,
    zone: company.Timezone,
    mayChange: call.mayCall('appointments/update'),
    mayPlan,
    cancelReasons: reasons?.Matches ?? [],
    search: mayPlan && query.has('move') ? await searchTimes(call, id, company) : undefined,
  };
  const notice = formNotice(call, failure, done);
  return htmlAnswer(officeVisitPage(call.frame(`/office/visit/${id}`), view, [notice]), failure?.status ?? 200);
}

/** What a form relies on: the start and agent that its page showed. */
export const expectedIn = (sent: URLSearchParams) => ({
  ExpectedDateTime: readText(sent, 'seen', 40),
  ExpectedServiceAgentId: readId(sent.get('seenAgent')),
});

/** The operation of a form, and what it does; `undefined` for an unknown form. */
function changeOf({ id, sent, action, now }: UserForm): FormChange | undefined {
  const visit = { AppointmentId: id, ...expectedIn(sent) };
  const scope = sent.get('scope') === 'following' ? { Scope: 'following' } : {};
  const at = now.toISOString();
  const update = (request: object, what: Done) => ({
    called: { operation: 'appointments/update', request: { ...visit, ...request } },
    done: what,
    isRepeatable: true as const,
  });
  switch (action) {
    case 'start':
      return update({ UpdateActuals: true, ActualStart: at }, 'started');
    case 'finish':
      return update({ UpdateActuals: true, ActualFinish: at }, 'finished');
    case 'confirm':
      return update({ Slots: [{ Status: Status.Scheduled }] }, 'confirmed');
    case 'queue':
      return update({ Slots: [{ Status: Status.Queued }] }, 'queued');
    case 'move':
      return update({ ...scope, Slots: [toSlot(readText(sent, 'time', 200))] }, 'moved');
    case 'cancel': {
      const reason = { CancelReasonId: readId(sent.get('reason')), UpdateNote: readText(sent, 'note', 1000) };
      const request = { ...visit, ...scope, ...reason };
      return { called: { operation: 'appointments/cancel', request }, done: 'canceled' };
    }
    default:
      return undefined;
  }
}

/** A visit, from which it is started, finished, moved and canceled. */
export const visit: OfficePage = {
  show: (call) => show(call),
  send: async (form) =>
    form.id === undefined ? undefined : sendChange(form, `visit/${form.id}`, changeOf(form), show),
};
