import type { Appointment } from '../../lib/entities/appointments.ts';
import { toDay } from '../../lib/pages/office/day.ts';
import { weekPage } from '../../lib/pages/office/week-page.ts';
import { toLocalDate } from '../../lib/shared/time/time.ts';
import { MAX_TAKE } from '../../lib/resources/queries.ts';
import { readDate } from '../pages/parameters.ts';
import { addDays, loadCompany } from './company.ts';
import { type OfficePage, htmlAnswer } from './office-page.ts';

/** The Monday of a date's week. */
const mondayOf = (date: string): string => addDays(date, -((new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7));

/** Seven days by technician, from Monday on. */
export const week: OfficePage = {
  async show(call) {
    const { query, now } = call;
    const company = await loadCompany(call);
    const first = mondayOf(readDate(query, 'date') ?? toLocalDate(now.getTime(), company.Timezone));
    const { Appointments, Count } = await call.call<{ Appointments: readonly Appointment[]; Count: number }>({
      operation: 'appointments/query',
      request: { FromDate: first, ThroughDate: addDays(first, 6), Take: MAX_TAKE },
    });
    const days = [0, 1, 2, 3, 4, 5, 6].map((number) => {
      const date = addDays(first, number);
      const ofDay = Appointments.filter(({ DateTime }) => DateTime.startsWith(date));
      return { date, day: toDay(ofDay, company.ServiceAgents) };
    });
    const steps = { previous: addDays(first, -7), next: addDays(first, 7) };
    return htmlAnswer(weekPage(call.frame('/office/week'), { days, ...steps, isCut: Count > Appointments.length }));
  },
};
