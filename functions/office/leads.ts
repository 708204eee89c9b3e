import type { Contact } from '../../lib/entities/contacts.ts';
import { findUnanswered } from '../../lib/workflows/contacts/find-unanswered.ts';
import { addDays } from './company.ts';
import type { UserCall } from './office-page.ts';

/** How long a client is new, and how many of the newest are looked at. */
const DAYS = 14;
const MAX_NEW = 25;

/** New clients without a visit and a proposal. */
export async function findLeads({ call, store }: UserCall, today: string): Promise<readonly Contact[]> {
  const { Matches } = await call<{ Matches: readonly Contact[] }>({
    operation: 'contacts/locate',
    request: { CreatedFrom: addDays(today, -DAYS), Limit: MAX_NEW },
  });
  return findUnanswered(store, Matches);
}
