import { choice, flag, id, nullable, text } from './fields.ts';
import { resource, type Output } from './resource.ts';

/** What a user may do: section 2 of the interface. The least comes first. */
export const role = () =>
  choice(['ReadOnly', 'DataSubscriber', 'Marketing', 'ServiceAgent', 'Office', 'Admin', 'Owner']);

/** A person of the organization. */
export const User = resource(
  'User',
  () => ({ Id: id(), Email: text(254), Name: text(200), Active: flag(), ServiceAgentId: nullable(id()), Role: role() }),
  { carriesResult: true },
);
export type User = Output<typeof User>;

/** What one of the users/bulk operations did for a user. */
export const BulkMfaResult = resource('BulkMfaResult', () => ({
  UserId: id(),
  Status: choice(['NotFound', 'Enabled', 'AlreadyEnabled', 'Disabled', 'AlreadyDisabled', 'Reset']),
}));
export type BulkMfaResult = Output<typeof BulkMfaResult>;
