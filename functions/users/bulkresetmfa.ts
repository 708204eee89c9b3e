import { operation, save } from '../../lib/api/operation.ts';
import { described, id, list, many, required, text } from '../../lib/resources/fields.ts';
import { BulkMfaResult } from '../../lib/resources/organizations.ts';
import { changeMfa } from '../../lib/workflows/users/change-mfa.ts';

export const bulkresetmfa = operation({
  title: 'Reset MFA',
  summary: 'Has users enroll again in two-factor authentication.',
  rules: [
    'A request has at most 100 ids.',
    'Earlier enrollments become void; two-factor authentication stays on or off.',
    'Results has one row for each id, in their order.',
    'Status is Reset, or NotFound where the user does not exist for the key.',
    'Where the account has a sign-in, the user is signed out, and the password alone signs in until a new ' +
      'authenticator app is set up and users/bulkenablemfa is called.',
  ],
  access: 'admin',
  needs: ['table:write', 'sign-in:change'],
  request: () => ({ UserIds: required(list(id(), 100, 1)), Confirm: required(described(text(20), 'Must be RESET.')) }),
  response: () => ({ Results: many(BulkMfaResult) }),
  example: { UserIds: [1, 2], Confirm: 'RESET' },
  async run(request, context) {
    const { results, message, changes, logFields } = await changeMfa('reset', request, context);
    return save(changes, { Results: results, Message: message }, logFields);
  },
});
