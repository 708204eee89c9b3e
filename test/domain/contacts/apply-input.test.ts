import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ContactFacts,
  type ContactInput,
  changedFields,
  findContradictions,
  applyContactInput,
} from '../../../lib/domain/contacts/apply-input.ts';
import { flagFields, textFields } from '../../../lib/domain/contacts/record.ts';
import { blankOrganization } from '../../../lib/domain/organizations.ts';
import { someContact } from '../../support/contacts.ts';

const organization = blankOrganization({ Id: 1, PublicName: 'Springfield' });
const facts: ContactFacts = { organization, postalOwner: undefined, at: Date.UTC(2026, 10, 21) };
const ann = someContact(5, {
  Name: 'Ann',
  Phone: '(217) 555-0143',
  PhoneKey: '+12175550143',
  Email: 'ann@example.com',
  DoNotText: true,
  PmtOnFileKind: 'Visa',
  PmtOnFileLast4: '4242',
});
const merge = (contactInput: ContactInput, from: Partial<ContactFacts> = {}) =>
  applyContactInput(ann, contactInput, { ...facts, ...from });

describe('a plain field', () => {
  test('absent stays, null clears, text is stored as typed without surrounding space', () => {
    const { contact, errors } = merge({
      Nickname: ' <b>Annie</b> =1+1 ',
      Email: null,
      Company: undefined,
      DoNotText: null,
      Unsubscribed: true,
    });
    expect(errors).toEqual([]);
    expect(contact).toEqual({ ...ann, Nickname: '<b>Annie</b> =1+1', Email: '', DoNotText: false, Unsubscribed: true });
  });

  test('CustomerSince is the first time that IsCustomer is set, and never changes', () => {
    const [first, later] = [Date.UTC(2026, 0, 5), Date.UTC(2026, 5, 5)];
    expect(merge({ Name: 'Anna' }).contact.CustomerSince).toBeUndefined();
    const customer = merge({ IsCustomer: true }, { at: first }).contact;
    expect(customer.CustomerSince).toBe(first);
    const none = applyContactInput(customer, { IsCustomer: false }, { ...facts, at: later }).contact;
    const again = applyContactInput(none, { IsCustomer: true }, { ...facts, at: later }).contact;
    expect([none.CustomerSince, again.CustomerSince]).toEqual([first, first]);
    const known = { ...ann, IsCustomer: true, CustomerSince: first };
    expect(applyContactInput(known, { IsCustomer: true }, { ...facts, at: later }).contact).toEqual(known);
  });

  test('an empty input changes nothing', () => {
    expect(changedFields(ann, merge({}).contact)).toEqual([]);
  });

  test('null clears every text and flag; channel and campaign are applied apart', () => {
    const texts = textFields.filter((name) => name !== 'Channel' && name !== 'Campaign');
    const full = {
      ...ann,
      ...Object.fromEntries(texts.map((name) => [name, '1234'])),
      ...Object.fromEntries(flagFields.map((name) => [name, true])),
    };
    const { contact } = applyContactInput(
      full,
      Object.fromEntries([...texts, ...flagFields].map((name) => [name, null])),
      facts,
    );
    expect([...texts.map((name) => contact[name]), ...flagFields.map((name) => contact[name])]).toEqual([
      ...texts.map(() => ''),
      ...flagFields.map(() => false),
    ]);
  });

  test('computed fields are not taken from a caller', () => {
    const wish = {
      Id: 9,
      Hash: 'x',
      LocationID: 'x',
      IsValid: true,
      HasIdentifyingInfo: false,
      UpdatePaymentOnFileUrl: 'https://evil.example',
      PhoneKey: 'x',
      V: 9,
      Created: 1,
    };
    const records = { OpenInvoices: [{ Id: 1 }], ContactPictures: [{ Id: 1 }], AccountingClass: { Id: 1 } };
    expect(merge({ ...wish, ...records } as unknown as ContactInput).contact).toEqual(ann);
  });

  test('the payment on file is not cleared by the empty text of a response; null clears it', () => {
    expect(merge({ PmtOnFileKind: '', PmtOnFileLast4: '' }).contact).toEqual(ann);
    expect(merge({ PmtOnFileKind: null, PmtOnFileLast4: '1111' }).contact).toMatchObject({
      PmtOnFileKind: '',
      PmtOnFileLast4: '1111',
    });
  });
});

describe('invalid fields', () => {
  test.each<[string, ContactInput]>([
    ['Email', { Email: 'ann at example' }],
    ['Phone', { Phone: '12' }],
    ['AltPhone', { AltPhone: 'none' }],
    ['PmtOnFileLast4', { PmtOnFileLast4: '42' }],
  ])('%s: %j', (field, contactInput) => {
    expect(merge(contactInput).errors).toEqual([
      { field, code: 'format', message: expect.stringMatching(/^must be/) as string },
    ]);
  });

  test('are all reported at once', () => {
    expect(merge({ Email: '@', Phone: '1', AltPhone: '2' }).errors.map(({ field }) => field)).toEqual([
      'Email',
      'Phone',
      'AltPhone',
    ]);
  });

  test('include the Hash and organization of another contact', () => {
    expect(findContradictions(ann, { Id: 5, Hash: ann.Hash, OrganizationId: 1 })).toEqual([]);
    expect(findContradictions(ann, { Id: 5 })).toEqual([]);
    expect(findContradictions(ann, { Id: 5, Hash: 'other', OrganizationId: 2 }).map(({ field }) => field)).toEqual([
      'Hash',
      'OrganizationId',
    ]);
  });
});

describe('phones are stored as typed and matched by', () => {
  test.each([
    ['GB', '', '020 7946 0958', '+442079460958'],
    ['US', 'GB', '020 7946 0958', '+442079460958'],
    ['US', 'gb', '020 7946 0958', '+442079460958'],
    ['GB', 'United Kingdom', '020 7946 0958', '+442079460958'],
    ['GB', 'US', '(217) 555-0143', '+12175550143'],
    ['GB', '', '+1 217 555 0143', '+12175550143'],
  ])('the country: organization %s, contact %j: %s is %s', (Country, own, Phone, key) => {
    const { contact } = merge({ Phone, AltPhone: Phone, Country: own }, { organization: { ...organization, Country } });
    expect(contact).toMatchObject({ Phone, AltPhone: Phone, PhoneKey: key, AltPhoneKey: key });
  });

  test('nothing after the phone is removed', () => {
    expect(merge({ Phone: null }).contact).toMatchObject({ Phone: '', PhoneKey: '' });
  });
});

describe('the postal code', () => {
  const booked = { Id: 3, AccountingClass: 'North', TerritoryID: 'N1' };
  const owner = {
    OrganizationId: 2,
    Classes: [
      { ...booked, OrganizationId: 1 },
      { Id: 4, AccountingClass: 'South', TerritoryID: 'S1', OrganizationId: 2 },
    ],
  };

  test("sets the class and territory that the contact's organization has for it, whoever owns the code", () => {
    expect(merge({ Zip: '62701' }, { postalOwner: owner }).contact).toMatchObject({
      AccountingClass: booked,
      TerritoryID: 'N1',
    });
  });

  test('leaves class and territory if the input has no postal code', () => {
    const was = { ...ann, AccountingClass: booked, TerritoryID: 'N1' };
    expect(applyContactInput(was, { Name: 'Anna' }, facts).contact).toMatchObject({
      AccountingClass: booked,
      TerritoryID: 'N1',
    });
  });

  test('without a class removes the class, and the territory that it had set', () => {
    const was = { ...ann, AccountingClass: booked, TerritoryID: 'N1' };
    expect(applyContactInput(was, { Zip: '99999' }, { ...facts, postalOwner: null }).contact).toMatchObject({
      AccountingClass: null,
      TerritoryID: '',
    });
    expect(
      applyContactInput(was, { Zip: '99999', TerritoryID: 'own' }, { ...facts, postalOwner: null }).contact,
    ).toMatchObject({ AccountingClass: null, TerritoryID: 'own' });
  });

  test('of a class without territory leaves the typed territory', () => {
    const plain = { OrganizationId: 1, Classes: [{ ...booked, TerritoryID: '', OrganizationId: 1 }] };
    expect(merge({ Zip: '62701', TerritoryID: 'own' }, { postalOwner: plain }).contact).toMatchObject({
      TerritoryID: 'own',
      AccountingClass: { Id: 3 },
    });
  });
});

test('applying an input again changes nothing', () => {
  const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 20 }), { nil: null });
  const input = fc.record(
    {
      Name: text,
      Email: text,
      Phone: text,
      Zip: text,
      Country: text,
      DoNotEmail: fc.option(fc.boolean(), { nil: null }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(input, (contactInput) => {
      const once = merge(contactInput as ContactInput).contact;
      expect(changedFields(once, applyContactInput(once, contactInput as ContactInput, facts).contact)).toEqual([]);
    }),
  );
});

test('fields are changed if their values differ; the order of names in an object does not count', () => {
  const before = { ...ann, Notes: [{ Id: 1, Title: 'a', Body: 'b' }] };
  expect(changedFields(before, { ...before, Notes: [{ Body: 'b', Title: 'a', Id: 1 }], V: 9, Updated: 9 })).toEqual([]);
  expect(changedFields(before, { ...before, Notes: [], Name: 'B' })).toEqual(['Name', 'Notes']);
});
