import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeContact, partContact } from '../../../lib/domain/contacts/merge.ts';
import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { someContact } from '../../support/contacts.ts';

type Given = Partial<ContactRecord>;
const facts = { customFields: [{ Id: 1, Name: 'Gate' }] as CustomField[], noteId: 99, at: 1_000 };
const merged = (one: Given, other: Given) =>
  mergeContact(someContact(1, { Name: 'Ann Lee', ...one }), someContact(2, { Name: 'Ann Lee', ...other }), facts);
const lines = (one: Given, other: Given) => merged(one, other).kept.Notes.at(-1)?.Body.split('\n');
const NOTHING = ['Nothing else differed.'];

describe('the contact that stays', () => {
  test.each<[string, Given, Given, Given, string[]]>([
    ['takes an e-mail that it lacks', {}, { Email: 'a@b.co' }, { Email: 'a@b.co' }, NOTHING],
    ['keeps its own', { Email: 'a@b.co' }, { Email: 'c@d.co' }, { Email: 'a@b.co' }, ['E-mail: c@d.co']],
    ['knows its own in another case', { Email: 'a@b.co' }, { Email: 'A@B.co' }, { Email: 'a@b.co' }, NOTHING],
    ['knows its own name without accents', { Name: 'José' }, { Name: 'JOSE' }, { Name: 'José' }, NOTHING],
    [
      'takes a whole address',
      {},
      { Address1: '1 Main St', City: 'Rome', Zip: '1' },
      { Address1: '1 Main St', City: 'Rome', Zip: '1' },
      NOTHING,
    ],
    ['mixes no two addresses', { Zip: '1' }, { Address1: '1 Main St' }, { Address1: '' }, ['Address: 1 Main St']],
    [
      'takes a second phone',
      { Phone: '1', PhoneKey: '+1' },
      { Phone: '2', PhoneKey: '+2', PhoneLabel: 'Mobile' },
      { Phone: '1', AltPhone: '2', AltPhoneKey: '+2', AltPhoneLabel: 'Mobile' },
      NOTHING,
    ],
    [
      'knows its phone in other signs',
      { Phone: '1', PhoneKey: '+1' },
      { AltPhone: '(1)', AltPhoneKey: '+1' },
      { AltPhone: '' },
      NOTHING,
    ],
    [
      'has no place for a third phone',
      { Phone: '1', PhoneKey: '+1', AltPhone: '2', AltPhoneKey: '+2' },
      { Phone: '3', PhoneKey: '+3', PhoneLabel: 'Shop' },
      { Phone: '1', AltPhone: '2' },
      ['Shop: 3'],
    ],
    [
      'refuses what one of the two refused',
      { DoNotEmail: true },
      { DoNotText: true },
      { DoNotEmail: true, DoNotText: true },
      NOTHING,
    ],
    [
      'is a customer since the first of both',
      { IsCustomer: true, CustomerSince: 9 },
      { IsCustomer: true, CustomerSince: 5 },
      { CustomerSince: 5 },
      NOTHING,
    ],
    [
      'takes custom fields that it lacks',
      { CustomFields: [{ Id: 1, Value: 'left' }] },
      {
        CustomFields: [
          { Id: 1, Value: 'right' },
          { Id: 2, Value: 7 },
        ],
      },
      {
        CustomFields: [
          { Id: 1, Value: 'left' },
          { Id: 2, Value: 7 },
        ],
      },
      ['Gate: right'],
    ],
    [
      'says nothing of a card',
      { PmtOnFileKind: 'Visa' },
      { PmtOnFileKind: 'Amex', PmtOnFileLast4: '1234' },
      { PmtOnFileKind: 'Visa', PmtOnFileLast4: '' },
      NOTHING,
    ],
    [
      'does not refer itself',
      {},
      { ReferredByContactId: 1, ManagedByContactId: 3 },
      { ReferredByContactId: null, ManagedByContactId: 3 },
      NOTHING,
    ],
    [
      'is not referred by itself',
      { ReferredByContactId: 2, ReferredByHash: 'hash-2' },
      {},
      { ReferredByContactId: null, ReferredByHash: '' },
      NOTHING,
    ],
  ])('%s', (_, one, other, after, note) => {
    expect(merged(one, other).kept).toMatchObject(after);
    expect(lines(one, other)).toEqual(note);
  });
});

const text = fc.constantFrom('', 'a', 'b');
const notes = (from: number) =>
  fc
    .array(fc.constantFrom('x', 'y'), { maxLength: 3 })
    .map((bodies) => bodies.map((Body, index) => ({ Id: from + index, Title: '', Body, At: 10 * index + from })));
const contact = (from: number) =>
  fc.record({
    Nickname: text,
    Company: text,
    Email: text,
    Phone: text,
    AltPhone: text,
    Address1: text,
    Zip: text,
    Tags: fc.uniqueArray(fc.constantFrom(1, 2, 3)).map((ids) => ids.map((Id) => ({ Id, Name: `Tag ${Id}` }))),
    CustomFields: fc.uniqueArray(fc.constantFrom(1, 2)).map((ids) => ids.map((Id) => ({ Id, Value: `${from} ${Id}` }))),
    Notes: notes(from),
  });

describe('two contacts', () => {
  test('lose no value by a merge: each is in the contact that stays or in its note', () => {
    fc.assert(
      fc.property(contact(10), contact(20), (one, other) => {
        const { kept } = merged(one, other);
        const all = JSON.stringify(kept);
        for (const { Value } of other.CustomFields) expect(all).toContain(Value);
        for (const name of ['Company', 'Email', 'Address1', 'Phone'] as const)
          expect(JSON.stringify([kept, lines(one, other)])).toContain(other[name]);
        expect(kept.Notes.map(({ Id }) => Id).sort()).toEqual(
          [...one.Notes, ...other.Notes, { Id: 99 }].map(({ Id }) => Id).sort(),
        );
        expect(new Set(kept.Tags.map(({ Id }) => Id))).toEqual(
          new Set([...one.Tags, ...other.Tags].map(({ Id }) => Id)),
        );
      }),
    );
  });

  test('are what they were after a merge and its undo', () => {
    fc.assert(
      fc.property(contact(10), contact(20), (one, other) => {
        const [first, second] = [someContact(1, one), someContact(2, other)];
        const after = mergeContact(first, second, facts);
        const { kept, merged: parted } = partContact(after.kept, after.merged, after.merge);
        expect({ ...kept, OldestNote: undefined }).toEqual({ ...first, OldestNote: undefined });
        expect(parted).toEqual(second);
      }),
    );
  });

  test.each<[string, Given, Given, Given, [Given, Given]]>([
    ['one that came with the merge', {}, { DoNotText: true }, {}, [{ DoNotText: true }, { DoNotText: true }]],
    ['one that was there', { DoNotEmail: true }, {}, {}, [{ DoNotEmail: true }, { DoNotEmail: true }]],
    ['one of the time between', {}, {}, { Unsubscribed: true }, [{ Unsubscribed: true }, { Unsubscribed: true }]],
    [
      'not one that was given up',
      {},
      { DoNotText: true },
      { DoNotText: false },
      [{ DoNotText: false }, { DoNotText: true }],
    ],
  ])('both keep every refusal of messages when they are parted: %s', (_, one, other, since, parted) => {
    const after = merged(one, other);
    const result = partContact({ ...after.kept, ...since }, after.merged, after.merge);
    expect([result.kept, result.merged]).toMatchObject(parted);
  });

  test.each([
    [0, 0, 0, undefined],
    [0, 0, 2, 2],
    [1, 0, 1, undefined],
    [1, 3, 2, 4],
  ])(
    'links of %i and %i times revoked, then %i: those of the parted one are revoked too',
    (one, other, now, parted) => {
      const after = merged(one ? { LinksRevoked: one } : {}, other ? { LinksRevoked: other } : {});
      const kept = now ? { ...after.kept, LinksRevoked: now } : after.kept;
      expect(partContact(kept, after.merged, after.merge).merged.LinksRevoked).toBe(parted);
    },
  );

  test('keep what somebody changed since, and each its new notes', () => {
    const after = merged({}, { Email: 'a@b.co', Company: 'Acme', Notes: [{ Id: 20, Title: '', Body: 'Old' }] });
    const changed = {
      ...after.kept,
      Email: 'new@b.co',
      Notes: [...after.kept.Notes.map((note) => ({ ...note, Body: 'Edited' })), { Id: 30, Title: '', Body: 'New' }],
    };
    const parted = partContact(changed, after.merged, after.merge);
    expect(parted.kept).toMatchObject({ Email: 'new@b.co', Company: '', Notes: [{ Id: 30 }] });
    expect(parted.merged).toMatchObject({ Email: 'a@b.co', Notes: [{ Id: 20, Body: 'Edited' }] });
    expect(parted.merged.MergedInto).toBeUndefined();
  });
});
