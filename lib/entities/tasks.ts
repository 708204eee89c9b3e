import { type RecordOf, entity } from './declaration/entity.ts';
import { date, history, id, moment, number, text } from './declaration/fields.ts';

/** A task as it is stored. Only the company file assigns tasks. */
export const taskEntity = entity('Task', {
  Id: id({ resource: true }),
  OrganizationId: id(),
  ContactId: id({ nullable: true, resource: true }),
  TaskType: number({ resource: true }),
  Description: text({ resource: true, personal: 'written' }),
  Note: text({ resource: true, personal: 'written' }),
  Category: text({ resource: 'TaskCategory' }),
  Due: moment({ nullable: true, resource: true }),
  /** Due where that was given as a date; else `''`. */
  Day: date(),
  /** In which Due was read; `''` where it was not, or where an earlier version stored it. */
  Zone: text(),
  /** Minutes. */
  Duration: number({ nullable: true, resource: true }),
  AssignedTo: text({ resource: true }),
  AssignedToUserId: id({ nullable: true, resource: true }),
  CompletedAt: moment({ nullable: true, resource: true }),
  CompletedBy: text({ resource: true }),
  ...history,
  Updated: moment({ required: true, resource: 'UpdatedAt' }),
});
export type TaskRecord = RecordOf<typeof taskEntity>;
