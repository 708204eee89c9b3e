import { type ContactCriteria, type ContactSearchFields, parseCriteria } from '../../domain/contacts/search.ts';
import { invalid } from '../../shared/failure.ts';
import { callerOrganization } from '../../store/accounts/accounts.ts';
import type { ReadContext } from '../context.ts';

/**
 * The criteria of search fields, in the zone and country of the caller's organization; 400 names the invalid fields.
 */
export async function loadCriteria(
  fields: ContactSearchFields,
  { table, caller }: ReadContext,
): Promise<ContactCriteria> {
  const reading = parseCriteria(fields, await callerOrganization(table, caller));
  if ('errors' in reading) throw invalid(...reading.errors);
  return reading.criteria;
}
