import { operation, save } from '../../lib/api/operation.ts';
import { described, id, list, many, required, text } from '../../lib/resources/fields.ts';
import { BulkMfaResult } from '../../lib/resources/organizations.ts';
import { changeMfa } from '../../lib/workflows/users/change-mfa.ts';

export const bulkdisablemfa = operation({
  title: 'Disable MFA',
  summary: 'Turns off two-factor authentication for users.',
  rules: [
    'A request has at most 100 ids.',
    'Results has one row for each id, in their order.',
    'Status is Disabled, AlreadyDisabled where it is off already, or NotFound where the user does not exist for the ' +
      'key.',
  ],
  access: 'admin',
  request: () => ({ UserIds: required(list(id(), 100, 1)), Confirm: described(text(20), 'Not used.') }),
  response: () => ({ Results: many(BulkMfaResult) }),
  example: { UserIds: [1, 2] },
  async run(request, context) {
    const { results, changes } = await changeMfa('disable', request, context);
    return save(changes, { Results: results });
  },
});
