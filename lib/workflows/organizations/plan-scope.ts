import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { Caller } from '../../store/requests/caller.ts';
import type { StoreWriter } from '../../store/store.ts';

/** Who asks for the change. */
export type Actor = Pick<Caller, 'role' | 'organizationId'>;

/** What each part of an organization's change is planned in. */
export interface PlanScope {
  readonly store: StoreWriter;
  /** With the request applied to its own fields. */
  readonly organization: OrganizationRecord;
  readonly accountWide: boolean;
  readonly by: Actor;
  readonly now: Date;
}
