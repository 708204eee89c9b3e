import type { Contact } from '../../lib/entities/contacts.ts';
import { notFound } from '../../lib/shared/failure.ts';
import type { UserCall } from './office-page.ts';

/** The client of an id; throws 404. A merged client is the one that is kept. */
export async function findClient({ call }: Pick<UserCall, 'call'>, id: number): Promise<Contact> {
  const { Matches } = await call<{ Matches: readonly Contact[] }>({
    operation: 'contacts/locate',
    request: { IdSearch: id },
  });
  const [contact] = Matches;
  if (!contact) throw notFound('contact', 'ContactId', id);
  return contact;
}
