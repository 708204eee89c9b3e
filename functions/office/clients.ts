import type { Contact } from '../../lib/entities/contacts.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { clientsPage } from '../../lib/pages/office/clients-page.ts';
import { readText } from '../pages/parameters.ts';
import { type OfficePage, type UserCall, htmlAnswer, seeOther } from './office-page.ts';

/** Enough to see that a search is too wide. */
const LIMIT = 25;

/** Longer texts are no number of an invoice. */
const MAX_NUMBER_LENGTH = 100;

type Search = Readonly<Record<'PhoneSearch' | 'EmailSearch' | 'NameSearch' | 'AddressSearch', string>>;

/** What a text may be: an e-mail address, a phone number, or words of a name or an address. */
export function searchesFor(asked: string): readonly Partial<Search>[] {
  if (asked.includes('@')) return [{ EmailSearch: asked }];
  const digits = asked.replaceAll(/\D/g, '');
  const isPhone = digits.length >= 7 && /^[\d\s()+./-]+$/.test(asked);
  return isPhone ? [{ PhoneSearch: asked }] : [{ NameSearch: asked }, { AddressSearch: asked }];
}

/** The clients that a text may mean. */
export async function locate({ call }: UserCall, asked: string): Promise<{ found: Contact[]; hasMore: boolean }> {
  const answers = await Promise.all(
    searchesFor(asked).map((search) =>
      call<{ Matches: readonly Contact[]; NextSkip?: number }>({
        operation: 'contacts/locate',
        request: { ...search, Limit: LIMIT },
      }),
    ),
  );
  const found = new Map(answers.flatMap(({ Matches }) => Matches.map((contact) => [contact.Id, contact] as const)));
  return { found: [...found.values()], hasMore: answers.some(({ NextSkip }) => NextSkip !== undefined) };
}

/** The invoice with a number, and its client. */
async function findInvoices({ call, mayCall }: UserCall, asked: string): Promise<readonly Invoice[]> {
  if (!mayCall('invoice/query') || asked.length > MAX_NUMBER_LENGTH) return [];
  const request = { InvoiceNumber: asked, IncludeContact: true };
  return (await call<{ Invoices: readonly Invoice[] }>({ operation: 'invoice/query', request })).Invoices;
}

/** Finds clients by one field. A single match opens, unless the script of the page asks while somebody types. */
export const clients: OfficePage = {
  async show(call) {
    const frame = call.frame('/office/clients');
    const asked = readText(call.query, 'q', 200).trim();
    if (!asked) return htmlAnswer(clientsPage(frame, { asked, hasMore: false }));
    const [{ found, hasMore }, invoices] = await Promise.all([locate(call, asked), findInvoices(call, asked)]);
    const ids = new Set([...found.map(({ Id }) => Id), ...invoices.map(({ ContactId }) => ContactId)]);
    const [only] = ids;
    if (only && ids.size === 1 && !call.query.has('live')) return seeOther(`/office/client/${only}`);
    return htmlAnswer(clientsPage(frame, { asked, found, invoices, hasMore }));
  },
};
