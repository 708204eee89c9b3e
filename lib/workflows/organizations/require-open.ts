import type { OrganizationRecord } from '../../entities/organizations.ts';
import { closedReason } from '../../domain/closed-organizations.ts';
import { conflict } from '../../shared/failure.ts';

/** Throws conflict if an organization takes nothing new; `what` is in the plural. */
export function requireOpen(organization: OrganizationRecord, what: 'appointments' | 'proposals' | 'signatures'): void {
  const closed = closedReason(organization);
  if (closed)
    throw conflict(
      'wrong_state',
      `${closed} and takes no new ${what}. organizations/update with OpenSince reopens a canceled one.`,
    );
}
