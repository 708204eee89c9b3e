import type { OrganizationRecord } from '../entities/organizations.ts';

/**
 * Why an organization takes no new contacts, appointments and proposals (decision 28); `undefined` while it is open.
 * What it has already is changed, billed and paid by keys of the account.
 */
export function closedReason({
  Id,
  Suspended,
  CancelDate,
}: Pick<OrganizationRecord, 'Id' | 'Suspended' | 'CancelDate'>): string | undefined {
  if (!Suspended) return undefined;
  return `Organization ${Id} is ${CancelDate === null ? 'suspended' : 'canceled'}`;
}
