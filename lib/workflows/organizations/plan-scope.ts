import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { Caller } from '../../store/requests/caller.ts';
import type { StoreWriter } from '../../store/store.ts';
import type { CalendarRules } from './read-busy-from.ts';

/** The caller who requests the change. */
export type Actor = Pick<Caller, 'role' | 'organizationId'>;

/** The shared context for planning the parts of an organization's change. */
export interface PlanScope {
  readonly store: StoreWriter;
  /** With the request applied to its own fields. */
  readonly organization: OrganizationRecord;
  readonly accountWide: boolean;
  readonly by: Actor;
  readonly now: Date;
  /** Absent where no request can have calendars. */
  readonly calendars: CalendarRules | undefined;
}
