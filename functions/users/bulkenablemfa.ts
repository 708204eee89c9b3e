import { bulkMfaOperation } from '../../lib/workflows/users/change-mfa.ts';

export const bulkenablemfa = bulkMfaOperation('enable', {
  summary: 'Asks users for a second factor.',
  description: 'Status is Enabled, or AlreadyEnabled where it was asked for before.',
});
