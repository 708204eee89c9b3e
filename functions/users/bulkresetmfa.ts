import { operation, save } from '../../lib/api/operation.ts';
import { described, id, list, required, text } from '../../lib/resources/fields.ts';
import { BulkMfaResult } from '../../lib/resources/organizations.ts';
import { many } from '../../lib/resources/resource.ts';
import { changeMfa } from '../../lib/workflows/users/change-mfa.ts';

export const bulkresetmfa = operation({
  name: 'users/bulkresetmfa',
  title: 'Reset MFA',
  summary: 'Resets two-factor authentication: users must enroll again.',
  rules: [
    'Earlier enrollments become void.',
    'Two-factor authentication stays on or off.',
    'Status is Reset.',
    'At most 100 ids.',
    'Results has one row for each id, in their order; NotFound where the user does not exist for the key.',
  ],
  access: 'admin',
  needs: ['table:write'],
  request: () => ({ UserIds: required(list(id(), 100, 1)), Confirm: required(described(text(20), 'Must be RESET.')) }),
  response: () => ({ Results: many(BulkMfaResult) }),
  example: { UserIds: [1, 2], Confirm: 'RESET' },
  async run(request, context) {
    const { results, changes } = await changeMfa('reset', request, context);
    return save(changes, { Results: results });
  },
});
