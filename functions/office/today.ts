import type { Appointment } from '../../lib/entities/appointments.ts';
import { toDay } from '../../lib/pages/office/day.ts';
import { todayPage } from '../../lib/pages/office/today-page.ts';
import { toLocalDate } from '../../lib/shared/time/time.ts';
import { MAX_TAKE } from '../../lib/resources/queries.ts';
import { readDate } from '../pages/parameters.ts';
import { addDays, loadCompany } from './company.ts';
import { type OfficePage, htmlAnswer } from './office-page.ts';

/** The day by technician; that of the date in the address, else today. */
export const today: OfficePage = {
  async show(call) {
    const { query, now } = call;
    const company = await loadCompany(call);
    const ofToday = toLocalDate(now.getTime(), company.Timezone);
    const date = readDate(query, 'date') ?? ofToday;
    const { Appointments, Count } = await call.call<{ Appointments: readonly Appointment[]; Count: number }>({
      operation: 'appointments/query',
      request: { FromDate: date, ThroughDate: date, IncludeContact: true, Take: MAX_TAKE },
    });
    const view = {
      date,
      today: ofToday,
      previous: addDays(date, -1),
      next: addDays(date, 1),
      zone: company.Timezone,
      day: toDay(Appointments, company.ServiceAgents),
      isCut: Count > Appointments.length,
    };
    return htmlAnswer(todayPage(call.frame('/office'), view));
  },
};
