import { operation } from '../../lib/api/operation.ts';
import { pairToResource } from '../../lib/domain/contacts/likely-pairs.ts';
import { DuplicatePair } from '../../lib/resources/duplicates.ts';
import { described, id, int32, many } from '../../lib/resources/fields.ts';
import { findDuplicatesOf, findDuplicatesOnPage } from '../../lib/workflows/contacts/find-duplicates.ts';

const MAX_TAKE = 100;
const DEFAULT_TAKE = 25;

export const duplicates = operation({
  title: 'List likely duplicates',
  summary: 'Lists pairs of contacts that are probably one person, with the reason.',
  rules: [
    'Both are of one organization. Nothing is changed: contacts/merge does that, pair by pair.',
    'With ContactId the pairs of that contact; else those of a page of contacts, newest first, each pair once, with ' +
      'the contact of the two that was added later.',
    'A page may have no pair, and ends early where many contacts are alike: go on with the Skip of the header ' +
      'X-Next-Skip while it is there. Request the pages one after another.',
    'The newest 200 contacts of each phone, e-mail, name and street are looked at.',
  ],
  access: 'read',
  needs: ['table:page'],
  request: () => ({
    ContactId: id(),
    Skip: int32(0),
    Take: described(int32(1, MAX_TAKE), `Contacts that are looked at, at most; defaults to ${DEFAULT_TAKE}.`),
  }),
  response: () => ({ Pairs: many(DuplicatePair) }),
  example: { Take: 25 },
  async run({ ContactId, Skip, Take }, context) {
    if (ContactId) return { Pairs: (await findDuplicatesOf(ContactId, context)).map(pairToResource) };
    const page = { skip: Skip ?? 0, limit: Take || DEFAULT_TAKE };
    const { pairs, next } = await findDuplicatesOnPage(page, context);
    return { Pairs: pairs.map(pairToResource), NextSkip: next };
  },
});
