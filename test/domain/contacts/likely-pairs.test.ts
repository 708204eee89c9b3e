import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mailboxOf, reasonsOf } from '../../../lib/domain/contacts/likely-pairs.ts';
import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import { someContact } from '../../support/contacts.ts';

type Given = Partial<ContactRecord>;
const ann = { Name: 'Ann Lee' };
const phone = { PhoneKey: '+12175550143' };
const home = { Address1: '12 North Main Street', City: 'Richmond', Zip: '23220' };
const mail = { Email: 'ann.lee@gmail.com' };

describe('two contacts are probably one person', () => {
  test.each<[string, Given, Given, string[]]>([
    ['with phone and name', { ...ann, ...phone }, { Name: 'LEE, Ann', ...phone }, ['phone']],
    ['with the phone as the other one', { ...ann, ...phone }, { ...ann, AltPhoneKey: phone.PhoneKey }, ['phone']],
    ['with phone and company', { Name: '', Company: 'Acme, Inc.', ...phone }, { Name: 'ACME', ...phone }, ['phone']],
    ['with a middle name', { Name: 'Ann B. Lee', ...phone }, { Name: 'Dr. Ann Lee', ...phone }, ['phone']],
    ['with address and last name', { ...ann, ...home }, { Name: 'A. Lee', ...home }, ['address']],
    [
      'with the address in other words',
      { ...ann, ...home },
      { Name: 'Bob Lee', Address1: '12 N. Main St', Zip: '23220-1234' },
      ['address'],
    ],
    ['without a zip, in one city', { ...ann, ...home, Zip: '' }, { ...ann, ...home, Zip: '' }, ['address']],
    ['with an alias of the mailbox', { ...ann, ...mail }, { ...ann, Email: 'AnnLee+hvac@gmail.com' }, ['email']],
    ['with another domain of it', { ...ann, ...mail }, { ...ann, Email: 'annlee@googlemail.com' }, ['email']],
    ['with a misspelt domain', { ...ann, ...mail }, { Name: 'Ann', Email: 'ann.lee@gmial.com' }, ['email']],
    ['with one mailbox and no name', { ...ann, ...mail }, { Name: '', Email: 'ann.lee+x@gmail.com' }, ['email']],
    [
      'with everything',
      { ...ann, ...phone, ...home, ...mail },
      { ...ann, ...phone, ...home, ...mail },
      ['phone', 'address', 'email'],
    ],
  ])('%s', (_, one, other, reasons) => {
    expect(reasonsOf(someContact(1, one), someContact(2, other))).toEqual(reasons);
  });
});

describe('two contacts are two', () => {
  test.each<[string, Given, Given]>([
    ['with a phone and two names', { ...ann, ...phone }, { Name: 'Bob Lee', ...phone }],
    ['with a phone and no name', { Name: '', ...phone }, { Name: '', ...phone }],
    ['with a name and two phones', { ...ann, ...phone }, { ...ann, PhoneKey: '+12175550144' }],
    ['with an address and two last names', { ...ann, ...home }, { Name: 'Bob Ray', ...home }],
    ['with a street in two places', { ...ann, ...home }, { ...ann, ...home, Zip: '10001' }],
    ['with a street and no place', { ...ann, Address1: '12 Main St' }, { ...ann, Address1: '12 Main St' }],
    ['in two apartments', { ...ann, ...home, Address2: 'Apt 1' }, { ...ann, ...home, Address2: 'Apt 2' }],
    ['with a mailbox and two names', { ...ann, ...mail }, { Name: 'Bob Ray', ...mail }],
    ['with dots of another provider', { ...ann, Email: 'a.lee@acme.com' }, { ...ann, Email: 'alee@acme.com' }],
    ['with a real domain that is near', { ...ann, ...mail }, { ...ann, Email: 'ann.lee@ymail.com' }],
    ['of two organizations', { ...ann, ...phone, OrganizationId: 1 }, { ...ann, ...phone, OrganizationId: 2 }],
  ])('%s', (_, one, other) => {
    expect(reasonsOf(someContact(1, one), someContact(2, other))).toEqual([]);
  });
});

const letters = fc.string({ unit: fc.constantFrom(...'abcdeyz'), minLength: 1, maxLength: 6 });
/** An address of Gmail, and another that Gmail delivers to the same person: its help pages say how. */
const sameOfGmail = fc
  .tuple(fc.array(letters, { minLength: 1, maxLength: 4 }), letters, fc.boolean())
  .map(([parts, alias, isOld]) => [
    `${parts.join('')}@gmail.com`,
    ` ${parts.join('.').toUpperCase()}+${alias}@${isOld ? 'googlemail.com' : 'GMAIL.com'}`,
  ]);
const contact = fc.record({
  Name: fc.constantFrom('', 'Ann Lee', 'Lee, Ann', 'Bob Lee', 'Bob Ray', 'Acme'),
  Company: fc.constantFrom('', 'Acme', 'Acme Inc'),
  PhoneKey: fc.constantFrom('', '+12175550143', '+12175550144'),
  AltPhoneKey: fc.constantFrom('', '+12175550143'),
  Email: fc.constantFrom('', 'ann@gmail.com', 'a.nn@gmail.com', 'ann@acme.com', 'ann+x@acme.com'),
  Address1: fc.constantFrom('', '1 Main St', '1 Main Street', '2 Main St'),
  City: fc.constantFrom('', 'Rome'),
  Zip: fc.constantFrom('', '23220', '10001'),
});

describe('likely pairs', () => {
  test('know the mailboxes of Gmail however they are written, and each mailbox as itself', () => {
    fc.assert(
      fc.property(sameOfGmail, ([plain = '', written = '']) => {
        expect(mailboxOf(written)).toBe(plain);
        expect(mailboxOf(mailboxOf(written))).toBe(plain);
      }),
    );
    expect(mailboxOf('ann@constructor')).toBe('ann@constructor');
    fc.assert(fc.property(letters, letters, (local, domain) => mailboxOf(`${local}@${domain}.example`).length > 0));
  });

  test('are the same from both sides, and a copy of a contact with a name that can be reached is one', () => {
    fc.assert(
      fc.property(contact, contact, (one, other) => {
        const [first, second] = [someContact(1, one), someContact(2, other)];
        expect(reasonsOf(first, second)).toEqual(reasonsOf(second, first));
        const isKnown = one.Name !== '' || one.Company !== '';
        const reachable = [one.PhoneKey || one.AltPhoneKey, one.Address1 && (one.Zip || one.City), one.Email];
        const expected = ['phone', 'address', 'email'].filter(
          (reason, index) => reachable[index] && (isKnown || reason === 'email'),
        );
        expect(reasonsOf(first, someContact(3, one))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});
