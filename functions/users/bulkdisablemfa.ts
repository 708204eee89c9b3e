import { bulkMfaOperation } from '../../lib/workflows/users/change-mfa.ts';

export const bulkdisablemfa = bulkMfaOperation('disable', {
  summary: 'Asks users for a second factor no more.',
  description: 'Status is Disabled, or AlreadyDisabled where it was not asked for.',
});
