import { type ContactCriteria, type ContactSearchFields, parseCriteria } from '../../domain/contacts/search.ts';
import { invalid } from '../../shared/failure.ts';
import { hasDays, widest } from '../../store/record-days.ts';
import { findZones, listZones } from '../../store/organizations/organization-zones.ts';
import { bounded, severalZones } from '../bounded.ts';
import { callerOrganization } from '../../store/accounts/accounts.ts';
import type { ReadContext } from '../context.ts';

/**
 * The criteria of search fields, in the zone and country of the caller's organization, but for days, which are those of
 * each contact's own; 400 names the invalid fields.
 */
export async function loadCriteria(
  fields: ContactSearchFields,
  { table, caller }: ReadContext,
): Promise<ContactCriteria> {
  const reading = parseCriteria(fields, await callerOrganization(table, caller));
  if ('errors' in reading) throw invalid(...reading.errors);
  const { criteria, created } = reading;
  if (!hasDays(created) || (await findZones(table, caller)).only) return criteria;
  const { from, through } = widest(created);
  const zones = await bounded(
    () => listZones(table, caller.accountId),
    ({ max }) => ({ field: 'CreatedFrom', code: 'too_broad', message: severalZones(max) }),
  );
  return {
    ...criteria,
    ...(from === undefined ? {} : { createdFrom: from }),
    ...(through === undefined ? {} : { createdThrough: through }),
    createdDays: { firstDay: created.firstDay, lastDay: created.lastDay, zones },
  };
}
