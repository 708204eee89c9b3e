import type { Appointment } from '../../lib/entities/appointments.ts';
import { arrivalWindowAround, isWithin } from '../../lib/domain/scheduling/arrival-windows.ts';
import type { OrganizationRecord } from '../../lib/entities/organizations.ts';
import { toVisit } from '../../lib/pages/office/day.ts';
import { EXACT, toSlot } from '../../lib/pages/office/free-times.ts';
import { type MoveView, movePage } from '../../lib/pages/office/move-page.ts';
import { MINUTE, toUtc } from '../../lib/shared/time/time.ts';
import { parseMoment } from '../../lib/shared/time/read-moments.ts';
import { getOrganization } from '../../lib/store/organizations/organizations.ts';
import { readDate, readId, readText } from '../pages/parameters.ts';
import { loadCompany } from './company.ts';
import { type OfficePage, type UserCall, htmlAnswer, seeOther } from './office-page.ts';
import { showDay } from './today.ts';
import { expectedIn } from './visit.ts';

/** A time of day, `09:15`, in an address; `undefined` for anything else. */
const readTime = (query: URLSearchParams): string | undefined =>
  /^(?:[01]\d|2[0-3]):[0-5]\d$/.exec(query.get('time') ?? '')?.[0];

type Promised = Pick<MoveView['after'], 'window'> & { readonly value: readonly string[] };

/** What the client of a visit with an arrival window expects at another start: its window, another, or the start. */
function promisedAt(start: number, window: MoveView['after']['window'], organization: OrganizationRecord): Promised {
  if (!window || isWithin(start, { start: window.from, end: window.through })) return { window, value: [] };
  const around = arrivalWindowAround({ organization, service: { ExactTimes: false } }, start);
  if (!around) return { window: null, value: [EXACT] };
  return { window: { from: around.start, through: around.end }, value: [toUtc(around.start), toUtc(around.end)] };
}

/** What a move would change: the visit now, and at the time and with the agent in the address. */
async function loadMove(call: UserCall): Promise<MoveView | undefined> {
  const { id, query, session, store } = call;
  const [date, time, agentId] = [readDate(query, 'date'), readTime(query), readId(query.get('agent'))];
  if (!id || !date || !time || !agentId || !call.mayCall('appointments/cancel')) return undefined;
  const [company, organization, found] = await Promise.all([
    loadCompany(call),
    getOrganization(store, session.OrganizationId ?? 0),
    call.call<{ readonly Slots: readonly Appointment[] }>({
      operation: 'appointments/find',
      request: { AppointmentId: id, IncludeContact: true },
    }),
  ]);
  const agent = company.ServiceAgents.find(({ Id }) => Id === agentId);
  const moment = parseMoment(`${date}T${time}`, company.Timezone);
  const [appointment] = found.Slots;
  if (!agent || !moment.ok || !appointment) return undefined;
  const { Duration, ServiceAgentName } = appointment;
  const visit = toVisit(appointment);
  const { window, value } = promisedAt(moment.at, visit.window, organization);
  return {
    appointment,
    date,
    zone: company.Timezone,
    client: visit.client,
    before: { ...visit, agent: ServiceAgentName },
    after: { start: moment.at, end: moment.at + (Duration ?? 0) * MINUTE, window, agent: agent.Name },
    value: [toUtc(moment.at), agentId, ...value].join(' '),
  };
}

/** Asks whether a visit that was dragged on the board is moved, and moves it; the board shows what became of it. */
export const move: OfficePage = {
  async show(call) {
    const view = await loadMove(call);
    return view && htmlAnswer(movePage(call.frame(`/office/move/${view.appointment.AppointmentId}`), view));
  },
  async send(form) {
    const { id, sent, action } = form;
    const date = readDate(sent, 'date');
    if (!id || !date || action !== 'move') return undefined;
    const Slots = [toSlot(readText(sent, 'time', 200))];
    const request = { AppointmentId: id, ...expectedIn(sent), Slots };
    const failure = await form.changeOnce({ operation: 'appointments/update', request });
    return failure ? showDay(form, date, failure) : seeOther(`/office?date=${date}&done=moved`);
  },
};
