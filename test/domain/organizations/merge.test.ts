import { describe, expect, test } from 'vitest';
import { blankOrganization, applyOrganizationInput } from '../../../lib/domain/organizations.ts';

const fresh = blankOrganization({ Id: 1, PublicName: 'Springfield' });
const stored = { ...fresh, V: 3, Timezone: 'America/Chicago', PostalCodes: '62701', CancelDate: 5, Suspended: true };

describe('an organization with a request laid over it', () => {
  test.each([
    [
      'the zone given',
      fresh,
      { Timezone: 'America/St_Johns', StartAddress: { State: 'CO', Zip: '80202' } },
      'America/St_Johns',
    ],
    ['a new one that of its address', fresh, { StartAddress: { State: 'co', Zip: '80202-1234' } }, 'America/Denver'],
    ['a new one without address that of the account', fresh, {}, 'America/New_York'],
    [
      'one there was its own, whatever its address',
      stored,
      { StartAddress: { State: 'CO', Zip: '80202' } },
      'America/Chicago',
    ],
  ])('has %s', (_, before, input, zone) => {
    expect(applyOrganizationInput(before, input).organization.Timezone).toBe(zone);
  });

  test('with nothing given is the same', () => {
    expect(applyOrganizationInput(stored, {})).toEqual({ organization: stored, errors: [] });
  });

  test('has each postal code once, normalised, and none where null is given', () => {
    expect(
      applyOrganizationInput(stored, { PostalCodes: ' 62702-0001,62702;K1A 0B1,, \n62703' }).organization.PostalCodes,
    ).toBe('62702,K1A0B1,62703');
    expect(applyOrganizationInput(stored, { PostalCodes: null }).organization.PostalCodes).toBe('');
    expect(applyOrganizationInput(stored, { PostalCodes: '62702 and 62703' }).errors).toEqual([
      { field: 'PostalCodes', message: 'must contain only postal codes. Correct or remove "62702 and 62703"' },
    ]);
  });

  test('is open again with OpenSince, read in its zone, and only then', () => {
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

  test('keeps what an address had where a part of it is given', () => {
    const before = {
      ...stored,
      BillingAddress: { Address1: '1 Main', Address2: '', City: 'Springfield', State: 'IL', Zip: '62701' },
    };
    expect(
      applyOrganizationInput(before, { BillingAddress: { Zip: '62702', City: null } }).organization.BillingAddress,
    ).toEqual({ ...before.BillingAddress, Zip: '62702', City: '' });
  });

  test.each([
    [{ Name: '' }, 'Name'],
    [{ Name: null }, 'Name'],
    [{ Email: 'a@' }, 'Email'],
    [{ PrimaryPhone: 'none' }, 'PrimaryPhone'],
    [{ Timezone: 'EST5' }, 'Timezone'],
    [{ Website: 'javascript:alert(1)' }, 'Website'],
    [{ OpenSince: '2026-02-30' }, 'OpenSince'],
  ])('%j is at fault', (input, field) => {
    expect(applyOrganizationInput(stored, input).errors.map((fault) => fault.field)).toEqual([field]);
  });
});
