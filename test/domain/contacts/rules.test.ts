import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasIdentifyingInfo, isValid } from '../../../lib/domain/contacts/record.ts';
import { someContact } from '../../support/contacts.ts';

const nobody = { Name: '' };
const createContact = (input: Partial<ContactRecord>) => someContact(1, { ...nobody, ...input });

test.each<[boolean, Partial<ContactRecord>]>([
  [false, {}],
  [false, { Name: 'Ann' }],
  [false, { Company: 'Acme' }],
  [false, { Email: 'ann@example.com', Phone: '555-0143' }],
  [false, { Nickname: 'Annie', Phone: '555-0143' }],
  [true, { Name: 'Ann', Email: 'ann@example.com' }],
  [true, { Company: 'Acme', Phone: '555-0143' }],
  [true, { Name: 'Ann', AltPhone: '555-0143' }],
  [true, { Name: 'Ann', Address1: '12 Main St', Zip: '62701' }],
  [true, { Name: 'Ann', Address1: '12 Main St', City: 'Springfield', State: 'IL' }],
  [false, { Name: 'Ann', Address1: '12 Main St', City: 'Springfield' }],
  [false, { Name: 'Ann', Address1: '12 Main St', State: 'IL' }],
  [false, { Name: 'Ann', City: 'Springfield', State: 'IL', Zip: '62701' }],
])('IsValid is %s for %j: a name or company, and a way to reach it', (valid, input) => {
  expect(isValid(createContact(input))).toBe(valid);
});

test.each(['Name', 'Company', 'Email', 'Phone', 'AltPhone', 'Address1', 'DigitalTrackingId'] as const)(
  '%s alone identifies a contact',
  (field) => {
    expect([hasIdentifyingInfo(createContact({})), hasIdentifyingInfo(createContact({ [field]: 'x' }))]).toEqual([
      false,
      true,
    ]);
  },
);

test.each(['Nickname', 'City', 'Zip', 'State', 'LeadSource', 'FlashMessage', 'Category'] as const)(
  '%s alone does not identify a contact',
  (field) => {
    expect(hasIdentifyingInfo(createContact({ [field]: 'x' }))).toBe(false);
  },
);

const fields = [
  'Name',
  'Company',
  'Email',
  'Phone',
  'AltPhone',
  'Address1',
  'City',
  'State',
  'Zip',
  'DigitalTrackingId',
] as const;

test('a valid contact has identifying information, and another field never removes either', () => {
  const some = fc.record(Object.fromEntries(fields.map((field) => [field, fc.constantFrom('', 'x')])));
  fc.assert(
    fc.property(some, fc.constantFrom(...fields), (input, field) => {
      const [before, after] = [createContact(input), createContact({ ...input, [field]: 'x' })];
      if (isValid(before)) expect([hasIdentifyingInfo(before), isValid(after)]).toEqual([true, true]);
      if (hasIdentifyingInfo(before)) expect(hasIdentifyingInfo(after)).toBe(true);
    }),
  );
});
