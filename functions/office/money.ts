import type { Contact } from '../../lib/entities/contacts.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { moneyPage } from '../../lib/pages/office/money-page.ts';
import { MAX_TAKE } from '../../lib/resources/queries.ts';
import { loadCompany } from './company.ts';
import { mayMessage } from './message.ts';
import { type OfficePage, htmlAnswer } from './office-page.ts';

/** Clients with credit, the newest. */
const CREDITORS = 100;

/** Who owes, by the open invoices of the organization, and who has credit. A service agent sees no list of clients. */
export const money: OfficePage = {
  async show(call) {
    const [company, { Invoices, Count }, credit] = await Promise.all([
      loadCompany(call),
      call.call<{ Invoices: readonly Invoice[]; Count: number }>({
        operation: 'invoice/query',
        request: { Status: 'Open', IncludeContact: true, Take: MAX_TAKE },
      }),
      call.session.AgentId === null
        ? call.call<{ Matches: readonly Contact[]; NextSkip?: number }>({
            operation: 'contacts/locate',
            request: { HasCredit: true, Limit: CREDITORS },
          })
        : undefined,
    ]);
    const view = {
      now: call.now.getTime(),
      zone: company.Timezone,
      invoices: Invoices,
      isCut: Count > Invoices.length,
      creditors: credit?.Matches ?? [],
      hasMoreCreditors: credit?.NextSkip !== undefined,
      mayRemind: mayMessage(call),
    };
    return htmlAnswer(moneyPage(call.frame('/office/money'), view));
  },
};
