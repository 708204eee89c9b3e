import { Contact } from '../../lib/entities/contacts.ts';
import { operation } from '../../lib/api/operation.ts';
import { contactSearchFields } from '../../lib/resources/contacts.ts';
import { described, extension, flag, many } from '../../lib/resources/fields.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { DEFAULT_TAKE } from '../../lib/shared/limits.ts';
import { findMatchingContacts } from '../../lib/workflows/contacts/find-contacts.ts';
import { loadContactResources } from '../../lib/workflows/contacts/load-contact.ts';
import { loadCriteria } from '../../lib/workflows/contacts/match-contacts.ts';

export const locate = operation({
  title: 'Find contacts',
  summary: 'Finds the contacts that meet every criterion, newest first.',
  rules: [
    'A contact is found as soon as it is added.',
    'Skip and Limit (1 to 500, default 100) page through long lists. Request the pages one after another.',
    'A page has Limit contacts, unless it is the last one.',
  ],
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    ...contactSearchFields(),
    HasEmailProblem: extension(described(flag(), 'Only contacts to whom no e-mail is sent, for their EmailProblem.')),
    HasCredit: extension(
      described(flag(), 'Only contacts whose CreditBalance is not 0, a second after the payment that changes it.'),
    ),
  }),
  ignores: () => ['DistributeLead'],
  response: () => ({ Matches: many(Contact) }),
  document: () => ({ fields: { NameSearch: 'At least one criterion is required.' } }),
  example: { NameSearch: 'jose garcia' },
  async run(request, context) {
    const { store, caller, now } = context;
    const criteria = await loadCriteria(request, context);
    if (Object.keys(criteria).length === 0) {
      const message = 'or another criterion is required, like PhoneSearch, EmailSearch, AddressSearch or IdSearch';
      throw invalid({ field: 'NameSearch', code: 'required', message });
    }
    const page = { skip: request.Skip ?? 0, limit: request.Limit ?? DEFAULT_TAKE };
    const { records, hasMore } = await findMatchingContacts(store, criteria, page);
    const view = { caller, now, paymentOnFile: request.ReturnPmtOnFile ?? false };
    const NextSkip = hasMore ? page.skip + page.limit : undefined;
    return { Matches: await loadContactResources(store, records, view), NextSkip };
  },
});
