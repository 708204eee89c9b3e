import type { OrganizationRecord } from '../../entities/organizations.ts';
import { conflict } from '../../shared/failure.ts';

/**
 * Why an organization takes no new contacts, appointments and proposals (decision 28); `undefined` while it is open.
 * Keys of the account still change, bill and take payments for what it has already.
 */
export function closedReason({
  Id,
  Suspended,
  CancelDate,
}: Pick<OrganizationRecord, 'Id' | 'Suspended' | 'CancelDate'>): string | undefined {
  if (!Suspended) return undefined;
  return `Organization ${Id} is ${CancelDate === null ? 'suspended' : 'canceled'}`;
}

/** Throws conflict if an organization takes nothing new; `what` is in the plural. */
export function requireOpen(organization: OrganizationRecord, what: 'appointments' | 'proposals' | 'signatures'): void {
  const closed = closedReason(organization);
  if (closed)
    throw conflict(
      'wrong_state',
      `${closed} and takes no new ${what}. organizations/update with OpenSince reopens a canceled one.`,
    );
}
