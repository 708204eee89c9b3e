import type { LeadForm } from '../../entities/leads.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { findLeadForm } from '../../store/lead-forms.ts';
import { openLeadAddress } from '../../store/links.ts';
import { findRecentOrganization } from '../../store/organizations/organizations.ts';
import { type TableWriter, asActor } from '../../store/dynamodb/table.ts';
import { type StoreWriter, accountStore } from '../../store/store.ts';
import { closedReason } from '../organizations/require-open.ts';

/** A form for leads that was called. */
export interface OpenedForm {
  readonly store: StoreWriter;
  readonly form: LeadForm;
  readonly organization: OrganizationRecord;
  /** What Google Ads and Meta must send. */
  readonly providerKey: string;
}

/** The form of an address; `undefined` if the address is not genuine or was revoked, or its organization is closed. */
export async function openLeadForm(
  table: TableWriter,
  token: string | undefined,
  requestId: string,
): Promise<OpenedForm | undefined> {
  const address = await openLeadAddress(table, token);
  if (!address) return undefined;
  const { account, id, providerKey } = address;
  const form = await findLeadForm(accountStore(table, account), id);
  if (!form || form.RevokedAt !== undefined) return undefined;
  const actor = { Key: '', Name: `Lead form ${form.Name}`, RequestId: requestId };
  const store = accountStore(asActor(table, actor), account);
  const organization = await findRecentOrganization(store, form.OrganizationId);
  return organization && !closedReason(organization) ? { store, form, organization, providerKey } : undefined;
}
