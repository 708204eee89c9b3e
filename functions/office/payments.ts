import type { Payment } from '../../lib/entities/payments.ts';
import { paymentsPage } from '../../lib/pages/office/payments-page.ts';
import { toLocalDate } from '../../lib/shared/time/time.ts';
import { readDate } from '../pages/parameters.ts';
import { loadCompany } from './company.ts';
import { type OfficePage, htmlAnswer, refusalIn, refusedNotice } from './office-page.ts';
import { readAll } from './read-all.ts';

/** 2,000 payments. */
const PAGES = 4;

/** The payments of a period by method; those of this month by default. */
export const payments: OfficePage = {
  async show(call) {
    const { query, now, mayCall } = call;
    if (!mayCall('payment/query')) return undefined;
    const company = await loadCompany(call);
    const today = toLocalDate(now.getTime(), company.Timezone);
    const from = readDate(query, 'from') ?? `${today.slice(0, 8)}01`;
    const through = readDate(query, 'through') ?? today;
    const request = { FromDate: from, ThroughDate: through };
    const found = await readAll<Payment>(call, { operation: 'payment/query', list: 'Payments', request }, PAGES).catch(
      refusalIn,
    );
    const isRead = 'items' in found;
    const view = { from, through, payments: isRead ? found.items : [], isCut: isRead && found.isCut };
    const failure = isRead ? undefined : found;
    const notice = refusedNotice(call, failure, 'notShown');
    return htmlAnswer(paymentsPage(call.frame('/office/payments'), view, [notice]), failure?.status ?? 200);
  },
};
