import { toDay } from '../../lib/pages/office/day.ts';
import { todayPage } from '../../lib/pages/office/today-page.ts';
import { toLocalDate } from '../../lib/shared/time/time.ts';
import { readDate } from '../pages/parameters.ts';
import { loadBoard } from './board.ts';
import { addDays, loadCompany } from './company.ts';
import { type OfficePage, htmlAnswer } from './office-page.ts';

/** The day by technician; that of the date in the address, else today. */
export const today: OfficePage = {
  async show(call) {
    const { query, now } = call;
    const company = await loadCompany(call);
    const ofToday = toLocalDate(now.getTime(), company.Timezone);
    const date = readDate(query, 'date') ?? ofToday;
    const days = { from: date, through: date, zone: company.Timezone };
    const { visits, isCut } = await loadBoard(call, days, { withClients: true });
    const view = {
      date,
      today: ofToday,
      previous: addDays(date, -1),
      next: addDays(date, 1),
      zone: company.Timezone,
      day: toDay(visits, company.ServiceAgents),
      isCut,
    };
    return htmlAnswer(todayPage(call.frame('/office'), view));
  },
};
