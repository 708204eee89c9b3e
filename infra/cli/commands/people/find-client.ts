import type { Contact } from '../../../../lib/entities/contacts.ts';
import { CommandError, formatTable } from '../../output.ts';
import type { Api } from '../../remote/connect.ts';
import { addressText, nameText } from './texts.ts';

/** Interprets words as an id, an e-mail or a phone number, else a name; `in` and an address only work with locate. */
function searchOf(words: string): object {
  if (/^\d{1,9}$/.test(words)) return { IdSearch: Number(words) };
  if (words.includes('@')) return { EmailSearch: words };
  return /^[+\d][\d\s().-]{6,}$/.test(words) ? { PhoneSearch: words } : { NameSearch: words };
}

const MAX_SHOWN = 25;

/** The contacts that words find: by name, and if there are none, by address. */
async function findClients(fs: Api, words: string): Promise<readonly Contact[]> {
  const locate = async (search: object) =>
    (await fs.call('contacts/locate', { ...search, Limit: MAX_SHOWN }))['Matches'] as unknown as readonly Contact[];
  const search = searchOf(words);
  const found = await locate(search);
  return found.length || !('NameSearch' in search) ? found : locate({ AddressSearch: words });
}

/** The client that words refer to. If they find several, the error lists them. */
export async function findClient(fs: Api, words: string): Promise<Contact> {
  const found = await findClients(fs, words);
  const [client, other] = found;
  if (!client) throw new CommandError(`Nobody is found by ${JSON.stringify(words)}. Use a name, phone, e-mail or id.`);
  if (!other) return client;
  const rows = found.map((contact) => ({
    Id: contact.Id,
    Client: nameText(contact),
    Phone: contact.Phone,
    Address: addressText(contact),
  }));
  throw new CommandError(`${formatTable(rows)}\n\n${JSON.stringify(words)} finds several. Use the id of one.`);
}
