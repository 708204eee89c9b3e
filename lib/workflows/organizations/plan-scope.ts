import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { Caller } from '../../store/requests/caller.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';

/** Who asks for the change. */
export type Actor = Pick<Caller, 'role' | 'organizationId'>;

/** What each part of an organization's change is planned in. */
export interface PlanScope {
  readonly table: TableWriter;
  readonly account: string;
  /** With the request applied to its own fields. */
  readonly organization: OrganizationRecord;
  readonly accountWide: boolean;
  readonly by: Actor;
  readonly now: Date;
}
