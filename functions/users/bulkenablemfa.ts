import { bulkMfa } from '../../lib/workflows/users/change-mfa.ts';

export const bulkenablemfa = bulkMfa('enable', {
  summary: 'Asks users for a second factor.',
  description: 'Status is Enabled, or AlreadyEnabled where it was asked for before.',
});
