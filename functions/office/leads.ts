import type { Appointment } from '../../lib/entities/appointments.ts';
import type { Contact } from '../../lib/entities/contacts.ts';
import type { Proposal } from '../../lib/entities/proposals.ts';
import { MAX_TAKE } from '../../lib/resources/queries.ts';
import { addDays } from './company.ts';
import type { UserCall } from './office-page.ts';

/** How long a client is new. */
const DAYS = 14;
const MAX_NEW = 100;

/** New clients whom nobody has answered: without a visit, a proposal or a note. */
export async function findLeads({ call }: UserCall, today: string): Promise<readonly Contact[]> {
  const since = addDays(today, -DAYS);
  const request = { UpdatedFrom: since, Take: MAX_TAKE };
  const [{ Matches }, { Appointments }, { Proposals }] = await Promise.all([
    call<{ Matches: readonly Contact[] }>({
      operation: 'contacts/locate',
      request: { CreatedFrom: since, Limit: MAX_NEW },
    }),
    call<{ Appointments: readonly Appointment[] }>({ operation: 'appointments/query', request }),
    call<{ Proposals: readonly Proposal[] }>({ operation: 'proposal/query', request }),
  ]);
  const answered = new Set([...Appointments, ...Proposals].map(({ ContactId }) => ContactId));
  return Matches.filter(({ Id, Notes }) => !answered.has(Id) && !Notes.length);
}
