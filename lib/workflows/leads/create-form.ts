import { type LeadForm, leadFormEntity } from '../../entities/leads.ts';
import { Failure, conflict } from '../../shared/failure.ts';
import { retryOnConflict } from '../../store/dynamodb/errors.ts';
import { listLeadForms, newLeadFormChange } from '../../store/lead-forms.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import type { StoreWriter } from '../../store/store.ts';

export type NewLeadForm = Pick<LeadForm, 'Name' | 'OrganizationId' | 'Channel' | 'Campaign' | 'Sites' | 'Thanks'>;

/** Addresses of an account that are not revoked. */
const MAX_FORMS = 100;

/** Makes an address for leads, at once. A repeat makes another one. */
export async function createLeadForm(store: StoreWriter, input: NewLeadForm, now: Date): Promise<LeadForm> {
  if (!(await findOrganization(store, input.OrganizationId)))
    throw new Failure('not_found', `There is no organization ${input.OrganizationId}.`);
  return retryOnConflict(async () => {
    const forms = await listLeadForms(store);
    if (forms.filter(({ RevokedAt }) => RevokedAt === undefined).length >= MAX_FORMS)
      throw conflict('limit_reached', `An account has at most ${MAX_FORMS} forms for leads. Revoke one first.`);
    // Revoked forms stay, so no id comes again.
    const form = leadFormEntity.blank({ ...input, Id: (forms.at(-1)?.Id ?? 0) + 1, Created: now.getTime() });
    await store.table.commit([newLeadFormChange(store, form)]);
    return form;
  });
}
