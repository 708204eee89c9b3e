import type { Contact } from '../../lib/entities/contacts.ts';
import { clientsPage } from '../../lib/pages/office/clients-page.ts';
import { readText } from '../pages/parameters.ts';
import { type OfficePage, type UserCall, htmlAnswer, seeOther } from './office-page.ts';

/** Enough to see that a search is too wide. */
const LIMIT = 25;

type Search = Readonly<Record<'PhoneSearch' | 'EmailSearch' | 'NameSearch' | 'AddressSearch', string>>;

/** What a text may be: an e-mail address, a phone number, or words of a name or an address. */
export function searchesFor(asked: string): readonly Partial<Search>[] {
  if (asked.includes('@')) return [{ EmailSearch: asked }];
  const digits = asked.replaceAll(/\D/g, '');
  const isPhone = digits.length >= 7 && /^[\d\s()+./-]+$/.test(asked);
  return isPhone ? [{ PhoneSearch: asked }] : [{ NameSearch: asked }, { AddressSearch: asked }];
}

async function locate({ call }: UserCall, asked: string): Promise<{ found: Contact[]; hasMore: boolean }> {
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

/** Finds clients by one field. A single match opens. */
export const clients: OfficePage = {
  async show(call) {
    const frame = call.frame('/office/clients');
    const asked = readText(call.query, 'q', 200).trim();
    if (!asked) return htmlAnswer(clientsPage(frame, { asked, hasMore: false }));
    const { found, hasMore } = await locate(call, asked);
    const [only] = found;
    if (only && found.length === 1) return seeOther(`/office/client/${only.Id}`);
    return htmlAnswer(clientsPage(frame, { asked, found, hasMore }));
  },
};
