import { bulkMfaOperation } from '../../lib/workflows/users/change-mfa.ts';

export const bulkresetmfa = bulkMfaOperation('reset', {
  summary: 'Has users enroll a second factor anew: what they enrolled before counts no more.',
  description: 'Whether a second factor is asked for stays as it is. Status is Reset.',
});
