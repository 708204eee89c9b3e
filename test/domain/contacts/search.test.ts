import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tagNameKey } from '../../../lib/domain/contacts/record.ts';
import {
  type ContactSearchFields,
  parseCriteria,
  matchesCriteria,
  searchKeys,
} from '../../../lib/domain/contacts/search.ts';
import { blankOrganization } from '../../../lib/domain/organizations.ts';
import { normalizePhone } from '../../../lib/shared/text/phones.ts';
import { someContact } from '../../support/contacts.ts';

const homeOrganization = blankOrganization({ Id: 1, PublicName: 'Springfield', Timezone: 'America/New_York' });

const jose = someContact(7, {
  Name: 'José García Núñez',
  Nickname: 'Pepe',
  Company: "O'Brien & Söhne",
  Email: 'Jose@Example.com',
  Address1: '12 North Main Street',
  Address2: 'Suite 4',
  City: 'Saint Paul',
  Zip: '62701-1234',
  PhoneKey: '+12175550143',
  AltPhoneKey: '+12175550199',
  DigitalTrackingId: 'GA1.2.x',
  Category: 'Lead',
  Tags: [
    { Id: 1, Name: 'Wartungsverträge' },
    { Id: 2, Name: 'VIP' },
  ],
  Created: Date.UTC(2026, 2, 8, 12),
});

function finds(contact: ContactRecord, fields: ContactSearchFields, organization = homeOrganization): boolean {
  const reading = parseCriteria(fields, organization);
  if ('errors' in reading) throw new Error(JSON.stringify(reading.errors));
  return matchesCriteria(contact, reading.criteria);
}

describe('a contact is found by', () => {
  test.each<[ContactSearchFields]>([
    [{ NameSearch: 'garc' }],
    [{ NameSearch: 'NUNEZ jo' }],
    [{ NameSearch: 'núñ' }],
    [{ NameSearch: 'pepe' }],
    [{ NameSearch: 'obrien' }],
    [{ NameSearch: 'sohne' }],
    [{ PhoneSearch: '217.555.0143' }],
    [{ PhoneSearch: '+1 (217) 555-0199 x5' }],
    [{ EmailSearch: ' JOSE@EXAMPLE.COM' }],
    [{ AddressSearch: '12 n. main st' }],
    [{ AddressSearch: 'st paul' }],
    [{ AddressSearch: 'Saint Paul' }],
    [{ AddressSearch: 'ste' }],
    [{ AddressSearch: '62701' }],
    [{ AddressSearch: '627' }],
    [{ AddressSearch: '62701-9999' }],
    [{ AddressSearch: '627019999' }],
    [{ AddressSearch: 'Main, 62701-1234' }],
    [{ DigitalTrackingIdSearch: ' GA1.2.x ' }],
    [{ CategorySearch: 'lead' }],
    [{ CategorySearch: ' LEAD ' }],
    [{ TagSearch: ['vip'] }],
    [{ TagSearch: ['Wartungsvertrage', ' VIP '] }],
    [{ IdSearch: 7 }],
    [{ CreatedFrom: '2026-03-08', CreatedThrough: '2026-03-08' }],
    [{ CreatedFrom: '3/8/2026 8:00 AM' }],
    [{ CreatedThrough: '2026-03-08T12:00:00Z' }],
  ])('%j', (fields) => {
    expect(finds(jose, fields)).toBe(true);
  });
});

describe('a contact is not found by', () => {
  test.each<[ContactSearchFields]>([
    [{ NameSearch: 'arcia' }],
    [{ NameSearch: 'jose smith' }],
    [{ NameSearch: 'main' }],
    [{ PhoneSearch: '217-555-0144' }],
    [{ EmailSearch: 'jose@example.co' }],
    [{ AddressSearch: 'garcia' }],
    [{ AddressSearch: '1234' }],
    [{ AddressSearch: '62702' }],
    [{ AddressSearch: 'aul' }],
    [{ DigitalTrackingIdSearch: 'ga1.2.x' }],
    [{ CategorySearch: 'Customer' }],
    [{ TagSearch: ['vip', 'other'] }],
    [{ TagSearch: ['vi'] }],
    [{ IdSearch: 8 }],
    [{ CreatedFrom: '2026-03-09' }],
    [{ CreatedThrough: '2026-03-07' }],
    [{ CreatedThrough: '2026-03-08T11:59:59Z' }],
    [{ NameSearch: 'garcia', PhoneSearch: '217 555 0144' }],
    [{ NameSearch: 'smith', PhoneSearch: '217 555 0143' }],
  ])('%j', (fields) => {
    expect(finds(jose, fields)).toBe(false);
  });
});

test.each([
  ['K1A 0B1', ['k1a 0b1', 'K1A0B1', 'K1A', 'k1a-0b1', 'Ottawa k1a 0b1']],
  ['k1a0b1', ['K1A 0B1', 'k1a', 'ottawa']],
  ['SW1A 1AA', ['sw1a 1aa', 'SW1A1AA', 'sw1a', 'sw1']],
  ['62701', ['62701-0001', '62701']],
  ['１２３４５', ['12345']],
])('a zip %j is found in any notation', (Zip, searches) => {
  const contact = someContact(1, { Zip, City: 'Ottawa' });
  expect(searches.filter((AddressSearch) => !finds(contact, { AddressSearch }))).toEqual([]);
});

test.each(['-', '---', ' – '])('a zip of dashes (%j) is not a word', (Zip) => {
  expect(searchKeys(someContact(1, { Zip })).addresses).toEqual([]);
});

test('a long name leaves room for nickname and company, a long street for the city', () => {
  const long = 'Maria de los Angeles Concepcion Fernandez y Gutierrez de la Cruz del Rio Alto';
  const contact = someContact(1, {
    Name: long,
    Nickname: 'Maruja',
    Company: 'Acme',
    Address1: long,
    Address2: long,
    City: 'Toledo',
  });
  expect([finds(contact, { NameSearch: 'maruja acme' }), finds(contact, { AddressSearch: 'toledo' })]).toEqual([
    true,
    true,
  ]);
});

test('the second phone is not indexed if it equals the first', () => {
  const phone = '+12175550143';
  expect(searchKeys(someContact(1, { PhoneKey: phone, AltPhoneKey: phone }))).toMatchObject({ phone, altPhone: '' });
});

describe('criteria', () => {
  test('are empty for absent and blank fields', () => {
    expect(parseCriteria({}, homeOrganization)).toEqual({ criteria: {}, created: expect.anything() as unknown });
    const empty = {
      NameSearch: '',
      PhoneSearch: '',
      EmailSearch: '',
      AddressSearch: '',
      DigitalTrackingIdSearch: '',
      CategorySearch: '',
      TagSearch: [],
    };
    expect(
      parseCriteria({ ...empty, IdSearch: undefined, CreatedFrom: null, CreatedThrough: '' }, homeOrganization),
    ).toEqual({ criteria: {}, created: expect.anything() as unknown });
  });

  test.each<[keyof ContactSearchFields, unknown]>([
    ['NameSearch', ' - '],
    ['NameSearch', '🙂'],
    ['AddressSearch', '#'],
    ['PhoneSearch', '12'],
    ['PhoneSearch', 'call me'],
    ['EmailSearch', '   '],
    ['DigitalTrackingIdSearch', ' '],
    ['CategorySearch', '  '],
    ['CreatedFrom', 'yesterday'],
    ['CreatedThrough', '2026-02-30'],
  ])('%s %j is invalid and does not match everything', (field, value) => {
    const reading = parseCriteria({ [field]: value }, homeOrganization);
    expect(reading).toEqual({ errors: [{ field, code: 'format', message: expect.stringMatching(/\S/) as string }] });
  });

  test('every error is reported, a tag by its place', () => {
    const reading = parseCriteria(
      { NameSearch: '-', PhoneSearch: '1', TagSearch: ['VIP', ' ', '\u0301'] },
      homeOrganization,
    );
    expect('errors' in reading && reading.errors.map(({ field }) => field).sort()).toEqual([
      'NameSearch',
      'PhoneSearch',
      'TagSearch[1]',
      'TagSearch[2]',
    ]);
  });

  test('are read in the zone and country of the organization', () => {
    const london = { ...homeOrganization, Timezone: 'Europe/London', Country: 'GB' };
    expect(
      parseCriteria({ PhoneSearch: '020 7946 0958', CreatedFrom: '2026-07-01', CreatedThrough: '2026-07-01' }, london),
    ).toMatchObject({
      criteria: {
        phone: '+442079460958',
        createdFrom: Date.UTC(2026, 5, 30, 23),
        createdThrough: Date.UTC(2026, 6, 1, 23) - 1,
      },
      created: { firstDay: Date.UTC(2026, 6, 1) / 86_400_000, lastDay: Date.UTC(2026, 6, 1) / 86_400_000 },
    });
  });
});

test('any beginning of a name word, in any case, finds the contact', () => {
  const name = fc.array(
    fc.constantFrom('José', 'Müller', 'Ångström', 'Łódź', 'Straße', "O'Neill", 'Nguyễn', '山田', 'Иванов'),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(name, fc.nat(), fc.integer({ min: 1, max: 8 }), fc.boolean(), (words, which, length, upper) => {
      const prefix = [...(words[which % words.length] ?? '')].slice(0, length).join('');
      expect(
        finds(someContact(1, { Name: words.join(' ') }), { NameSearch: upper ? prefix.toUpperCase() : prefix }),
      ).toBe(true);
    }),
  );
});

test('either phone, with any separators, finds the contact', () => {
  const digits = fc.integer({ min: 2_000_000_000, max: 9_999_999_999 }).map(String);
  fc.assert(
    fc.property(digits, fc.constantFrom('-', '.', ' ', '', ') '), fc.boolean(), (number, between, second) => {
      const key = normalizePhone(number) ?? '';
      const contact = someContact(1, second ? { AltPhoneKey: key } : { PhoneKey: key });
      expect(
        finds(contact, {
          PhoneSearch: `+1 ${number.slice(0, 3)}${between}${number.slice(3, 6)}${between}${number.slice(6)}`,
        }),
      ).toBe(true);
    }),
  );
});

test('the key of a tag is short for any name, and the same in any case', () => {
  expect(new TextEncoder().encode(tagNameKey('\uFDFA'.repeat(100))).length).toBeLessThan(1_024);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (name) => {
      expect(tagNameKey(` ${name.normalize('NFD')} `)).toBe(tagNameKey(name));
    }),
  );
});
