import { bulkMfa } from '../../lib/workflows/users/change-mfa.ts';

export const bulkdisablemfa = bulkMfa('disable', {
  summary: 'Asks users for a second factor no more.',
  description: 'Status is Disabled, or AlreadyDisabled where it was not asked for.',
});
