import { type ClientCallKind, writeClientCall, writeUncounted } from '../../lib/store/client-calls.ts';
import type { FormCall, PageCall } from './page.ts';

/**
 * The kind under which a call is counted. Anything not named here counts too, as a form or a file; just viewing a page
 * does not count.
 */
function kindOf(call: PageCall | FormCall): ClientCallKind | undefined {
  const { page } = call.context.target;
  if ('action' in call) {
    if (call.action === 'ask') return 'question';
    if (page === 'rebook' || call.action === 'move') return 'clientBooking';
    return page === 'booking' ? 'booking' : 'form';
  }
  if (page === 'calendar') return 'calendar';
  const query = new URLSearchParams(call.event.rawQueryString);
  if (page === 'rebook' && isSearch(query)) return 'clientSearch';
  if ((page === 'visit' || page === 'booked') && query.has('move')) return 'clientSearch';
  if (page === 'booking' && isSearch(query) && query.get('zip')) return 'search';
  if (call.file === undefined) return undefined;
  return call.file === 'pdf' ? 'pdf' : 'file';
}

/** Whether a booking page searches for free times: once a time is chosen it does not. */
const isSearch = (query: URLSearchParams): boolean => Boolean(query.get('service')) && !query.get('slot');

/** Counts a page call and returns the seconds until it may be made; 0 means now. */
export async function countCall(call: PageCall | FormCall): Promise<number> {
  const kind = kindOf(call);
  return kind ? countAs(kind, call) : 0;
}

const countAs = (kind: ClientCallKind, { context }: PageCall): Promise<number> => {
  const { store, target, sourceIp, now } = context;
  const { page, organization, id } = target;
  const link = organization === undefined ? `${page}-${id}` : `${page}-${organization}-${id}`;
  return writeClientCall(store, kind, { link, sourceIp, now });
};

/** The counter of attempts at a contact's phone digits, shared by all its pages. */
const phoneTries = ({ context: { sourceIp, now } }: FormCall, contact: number) => ({
  link: `contact-${contact}`,
  sourceIp,
  now,
});

/** Counts an attempt at a contact's phone digits and returns the seconds until it may be made; 0 means now. */
export const countPhoneTry = (call: FormCall, contact: number): Promise<number> =>
  writeClientCall(call.context.store, 'phone', phoneTries(call, contact));

/** A correct attempt does not count: who signs six proposals in an hour knows the digits. */
export const uncountPhoneTry = (call: FormCall, contact: number): Promise<void> =>
  writeUncounted(call.context.store, 'phone', phoneTries(call, contact));
