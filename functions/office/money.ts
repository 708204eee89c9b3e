import type { Invoice } from '../../lib/entities/invoices.ts';
import { moneyPage } from '../../lib/pages/office/money-page.ts';
import { MAX_TAKE } from '../../lib/resources/queries.ts';
import { loadCompany } from './company.ts';
import { mayMessage } from './message.ts';
import { type OfficePage, htmlAnswer } from './office-page.ts';

/** Who owes: the open invoices of the organization. */
export const money: OfficePage = {
  async show(call) {
    const [company, { Invoices, Count }] = await Promise.all([
      loadCompany(call),
      call.call<{ Invoices: readonly Invoice[]; Count: number }>({
        operation: 'invoice/query',
        request: { Status: 'Open', IncludeContact: true, Take: MAX_TAKE },
      }),
    ]);
    const view = {
      now: call.now.getTime(),
      zone: company.Timezone,
      invoices: Invoices,
      isCut: Count > Invoices.length,
      mayRemind: mayMessage(call),
    };
    return htmlAnswer(moneyPage(call.frame('/office/money'), view));
  },
};
