import { toDay } from '../../lib/pages/office/day.ts';
import { weekPage } from '../../lib/pages/office/week-page.ts';
import { toLocalDate } from '../../lib/shared/time/time.ts';
import { readDate } from '../pages/parameters.ts';
import { loadBoard } from './board.ts';
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
    const zone = company.Timezone;
    const span = { from: first, through: addDays(first, 6), zone };
    const { visits, isCut } = await loadBoard(call, span, { withClients: false });
    const byDate = Map.groupBy(visits, ({ start }) => toLocalDate(start, zone));
    const days = [0, 1, 2, 3, 4, 5, 6].map((number) => {
      const date = addDays(first, number);
      return { date, day: toDay(byDate.get(date) ?? [], company.ServiceAgents) };
    });
    const steps = { previous: addDays(first, -7), next: addDays(first, 7) };
    return htmlAnswer(weekPage(call.frame('/office/week'), { days, ...steps, isCut }));
  },
};
