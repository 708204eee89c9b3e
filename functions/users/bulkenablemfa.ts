import { operation, save } from '../../lib/api/operation.ts';
import { described, id, list, many, required, text } from '../../lib/resources/fields.ts';
import { BulkMfaResult } from '../../lib/resources/organizations.ts';
import { changeMfa } from '../../lib/workflows/users/change-mfa.ts';

export const bulkenablemfa = operation({
  title: 'Enable MFA',
  summary: 'Turns on two-factor authentication for users.',
  rules: [
    'A request has at most 100 ids.',
    'Results has one row for each id, in their order.',
    'Status is Enabled, AlreadyEnabled where it is on already, or NotFound where the user does not exist for the ' +
      'key.',
    'Where the account has a sign-in, it asks the user for the codes of an authenticator app; SignIn ' +
      'says whether it does.',
  ],
  access: 'admin',
  needs: ['table:write', 'sign-in:change'],
  request: () => ({ UserIds: required(list(id(), 100, 1)), Confirm: described(text(20), 'Not used.') }),
  response: () => ({ Results: many(BulkMfaResult) }),
  example: { UserIds: [1, 2] },
  async run(request, context) {
    const { results, message, changes, logFields } = await changeMfa('enable', request, context);
    return save(changes, { Results: results, Message: message }, logFields);
  },
});
