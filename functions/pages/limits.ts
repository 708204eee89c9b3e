import { type ClientCallKind, writeClientCall } from '../../lib/store/client-calls.ts';
import type { FormCall, PageCall } from './page.ts';

/**
 * What a call counts as. Whatever is not named here counts too, as a form or a file; a page that is only looked at does
 * not.
 */
function kindOf(call: PageCall | FormCall): ClientCallKind | undefined {
  const { page } = call.context.target;
  if ('action' in call) {
    if (call.action === 'ask') return 'question';
    if (page === 'rebook' || call.action === 'move') return 'clientBooking';
    return page === 'booking' ? 'booking' : 'form';
  }
  const query = new URLSearchParams(call.event.rawQueryString);
  if (page === 'rebook' && isSearch(query)) return 'clientSearch';
  if ((page === 'visit' || page === 'booked') && query.has('move')) return 'clientSearch';
  if (page === 'booking' && isSearch(query) && query.get('zip')) return 'search';
  if (call.file === undefined) return undefined;
  return call.file === 'pdf' ? 'pdf' : 'file';
}

/** Whether a booking page looks for free times: with a time that is chosen it does not. */
const isSearch = (query: URLSearchParams): boolean => Boolean(query.get('service')) && !query.get('slot');

/** Counts a call of a page, and says after how many seconds it may be made; 0: now. */
export async function countCall(call: PageCall | FormCall): Promise<number> {
  const kind = kindOf(call);
  return kind ? countAs(kind, call) : 0;
}

/** The same for a try of the digits of the client's phone. */
export const countPhoneTry = (call: FormCall): Promise<number> => countAs('phone', call);

function countAs(kind: ClientCallKind, call: PageCall): Promise<number> {
  const { table, target, sourceIp, now } = call.context;
  const { account, page, id } = target;
  return writeClientCall(table, kind, { account, link: `${page}-${id}`, sourceIp, now });
}
