import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import { toDay } from '../../lib/pages/office/day.ts';
import { todayPage } from '../../lib/pages/office/today-page.ts';
import { toLocalDate } from '../../lib/shared/time/time.ts';
import { readDate } from '../pages/parameters.ts';
import { loadBoard } from './board.ts';
import { addDays, loadCompany } from './company.ts';
import { type OfficePage, type UserCall, formNotice, htmlAnswer } from './office-page.ts';

/** The board of a day; `failure` is why a change of it was refused. */
export async function showDay(call: UserCall, asked: string | undefined, failure?: Failure): Promise<OfficeAnswer> {
  const company = await loadCompany(call);
  const ofToday = toLocalDate(call.now.getTime(), company.Timezone);
  const date = asked ?? ofToday;
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
    mayMove: call.mayCall('appointments/cancel'),
    mayPlan: call.mayCall('appointments/dayplan'),
  };
  const notice = formNotice(call, failure, { moved: 'isMoved' });
  return htmlAnswer(todayPage(call.frame('/office'), view, [notice]), failure?.status ?? 200);
}

/** The day by technician; that of the date in the address, else today. */
export const today: OfficePage = { show: (call) => showDay(call, readDate(call.query, 'date')) };
