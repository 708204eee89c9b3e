import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyOrganizationInput,
  blankOrganization,
  namePrefixes,
  nameStartsWith,
  normalizeName,
} from '../../lib/domain/organizations.ts';

const fresh = blankOrganization({ Id: 1, PublicName: 'Springfield' });
const stored = { ...fresh, V: 3, Timezone: 'America/Chicago', PostalCodes: '62701', CancelDate: 5, Suspended: true };

describe('applying a request to an organization', () => {
  test.each([
    [
      'the zone of the request',
      fresh,
      { Timezone: 'America/St_Johns', StartAddress: { State: 'CO', Zip: '80202' } },
      'America/St_Johns',
    ],
    [
      'for a new one that of its address',
      fresh,
      { StartAddress: { State: 'co', Zip: '80202-1234' } },
      'America/Denver',
    ],
    ['for a new one without address that of the account', fresh, {}, 'America/New_York'],
    [
      'for an existing one its own, whatever its address',
      stored,
      { StartAddress: { State: 'CO', Zip: '80202' } },
      'America/Chicago',
    ],
  ])('sets the zone: %s', (_, before, input, zone) => {
    expect(applyOrganizationInput(before, input).organization.Timezone).toBe(zone);
  });

  test('changes nothing without fields', () => {
    expect(applyOrganizationInput(stored, {})).toEqual({ organization: stored, errors: [] });
  });

  test('stores each postal code once, normalised, and removes all with null', () => {
    expect(
      applyOrganizationInput(stored, { PostalCodes: ' 62702-0001,62702;K1A 0B1,, \n62703' }).organization.PostalCodes,
    ).toBe('62702,K1A0B1,62703');
    expect(applyOrganizationInput(stored, { PostalCodes: null }).organization.PostalCodes).toBe('');
    expect(applyOrganizationInput(stored, { PostalCodes: '62702 and 62703' }).errors).toEqual([
      {
        field: 'PostalCodes',
        code: 'format',
        message: expect.stringMatching(
          /^must contain only postal codes, .*Correct or remove "62702 and 62703"$/,
        ) as string,
      },
    ]);
  });

  test('reopens only with OpenSince, which is read in its zone', () => {
    expect(applyOrganizationInput(stored, { OpenSince: '2026-03-08' }).organization).toMatchObject({
      OpenSince: Date.UTC(2026, 2, 8, 6),
      CancelDate: null,
      Suspended: false,
    });
    expect(applyOrganizationInput(stored, { OpenSince: null, Email: 'a@example.com' }).organization).toMatchObject({
      OpenSince: null,
      CancelDate: 5,
      Suspended: true,
    });
  });

  test('leaves the other fields of an address as they are', () => {
    const before = {
      ...stored,
      BillingAddress: { Address1: '1 Main', Address2: '', City: 'Springfield', State: 'IL', Zip: '62701' },
    };
    expect(
      applyOrganizationInput(before, { BillingAddress: { Zip: '62702', City: null } }).organization.BillingAddress,
    ).toEqual({ ...before.BillingAddress, Zip: '62702', City: '' });
  });

  test.each([{ Name: '' }, { Name: ' ' }, { Name: null }])('%j keeps the name', (input) => {
    const { organization, errors } = applyOrganizationInput(stored, input);
    expect([organization.PublicName, errors]).toEqual([stored.PublicName, []]);
  });

  test.each([
    [{ Email: 'a@' }, 'Email'],
    [{ PrimaryPhone: 'none' }, 'PrimaryPhone'],
    [{ Timezone: 'EST5' }, 'Timezone'],
    [{ Website: 'javascript:alert(1)' }, 'Website'],
    [{ OpenSince: '2026-02-30' }, 'OpenSince'],
  ])('%j is an error of %s', (input, field) => {
    expect(applyOrganizationInput(stored, input).errors.map((error) => error.field)).toEqual([field]);
  });
});

const word = fc.constantFrom('Green', 'Greens', 'green', 'Gr', 'Lawn', 'La', 'Denver', 'É', 'a', 'aa', 'aaa');
const name = fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(' '));

/** How often a search lists the organization. */
const timesListed = (PublicName: string, query: string): number =>
  namePrefixes({ PublicName, InternalName: '' }).filter(
    ({ text, shared }) => text.startsWith(query) && query.length > shared,
  ).length;

test.each([
  ['EST', 'America/New_York'],
  ['mst', 'America/Denver'],
  ['HST', 'Pacific/Honolulu'],
  ['Etc/GMT+5', 'America/New_York'],
  ['Etc/GMT+8', 'America/Los_Angeles'],
])('the zone %s, which has no summer time, is refused with the hint %s', (Timezone, hint) => {
  const { errors } = applyOrganizationInput(fresh, { Name: 'New', Timezone });
  expect(errors).toEqual([
    {
      field: 'Timezone',
      code: 'unknown_value',
      message: `must be the IANA name of a time zone, like America/New_York: ${Timezone} has no summer time. Did you mean "${hint}"?`,
    },
  ]);
  // An organization that has it already can be changed in all else.
  expect(applyOrganizationInput({ ...stored, Timezone }, { Name: 'Other', Timezone }).errors).toEqual([]);
});

describe('the prefixes by which an organization is found', () => {
  test.each([
    ['Green Lawn, Denver', ['denver', 'green lawn denver', 'lawn denver']],
    ['Smith & Smithson', ['smith smithson', 'smithson']],
    ['Ångström', ['angstrom']],
    ['!!!', []],
  ])('%j has %j', (PublicName, texts) => {
    expect(namePrefixes({ PublicName, InternalName: '' }).map(({ text }) => text)).toEqual(texts);
  });

  test('list an organization once for the beginning of its name or a later word, and never for other texts', () => {
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1, max: 12 }), (PublicName, other, length) => {
        for (const query of [normalizeName(PublicName).slice(0, length), normalizeName(other).slice(0, length)]) {
          expect(timesListed(PublicName, query)).toBe(
            nameStartsWith({ PublicName, InternalName: '' }, 'PublicName', query) ? 1 : 0,
          );
        }
      }),
    );
  });

  test('stay below the bytes of a key with any letters', () => {
    const PublicName = 'ﷺ'.repeat(200);
    expect(
      Math.max(...namePrefixes({ PublicName, InternalName: '' }).map(({ text }) => Buffer.byteLength(text))),
    ).toBeLessThan(700);
  });
});
