import { bulkMfa } from './bulk-mfa.ts';

export const bulkenablemfa = bulkMfa('enable', {
  summary: 'Asks users for a second factor.',
  description: 'Status is Enabled, or AlreadyEnabled where it was asked for before.',
});
