import { describe, expect, test } from 'vitest';
import { type ContactInput, referenceErrors } from '../../../lib/domain/contacts/apply-input.ts';
import { someContact } from '../../support/contacts.ts';

describe('a contact that refers or manages another', () => {
  const references = { ids: new Set([7]), hashes: new Map([['seven', 7]]) };
  const contact = someContact(5, { ReferredByContactId: 3, ReferredByHash: 'three' });

  test.each<[string[], ContactInput]>([
    [[], {}],
    [[], { ReferredByContactId: 7 }],
    [[], { ManagedByContactId: 7 }],
    [[], { ReferredByHash: ' seven ' }],
    [[], { ReferredByContactId: 7, ReferredByHash: 'seven' }],
    [[], { ReferredByContactId: null, ReferredByHash: null }],
    [[], { ReferredByContactId: 3, ReferredByHash: 'three' }],
    [['ReferredByContactId'], { ReferredByContactId: 8 }],
    [['ManagedByContactId'], { ManagedByContactId: 3 }],
    [['ReferredByHash'], { ReferredByHash: 'eight' }],
    [['ReferredByHash'], { ReferredByContactId: 3, ReferredByHash: 'seven' }],
    [
      ['ReferredByContactId', 'ManagedByContactId', 'ReferredByHash'],
      { ReferredByContactId: 8, ManagedByContactId: 8, ReferredByHash: 'x' },
    ],
  ])('invalid fields %j for %j', (fields, input) => {
    expect(referenceErrors(contact, input, references).map(({ field }) => field)).toEqual(fields);
  });

  test('is never the contact itself', () => {
    expect(referenceErrors(contact, { ManagedByContactId: 5 }, { ids: new Set([5]), hashes: new Map() })).toEqual([
      { field: 'ManagedByContactId', code: 'mismatch', message: 'must be another contact' },
    ]);
  });
});
