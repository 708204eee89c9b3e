import { type ContactRecord, Contact } from '../../lib/entities/contacts.ts';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type StreamRecord, changeAccount, parseChange, entityKindOf } from '../../lib/events/change.ts';
import { noTransaction, eventPayload, eventText } from '../../lib/events/event-text.ts';
import { toEvent } from '../../lib/events/event.ts';
import { type EventRelations, noRelations } from '../../lib/events/entity-kind.ts';
import { isEqual } from '../../lib/shared/objects.ts';
import { InternalError } from '../../lib/shared/failure.ts';
import { EventPayload } from '../../lib/resources/events.ts';
import { contactItem, someContact } from '../support/contacts.ts';
import { written } from '../support/images.ts';

const relations: EventRelations = {
  ...noRelations,
  lists: {
    customFields: [],
    taxRates: [{ Id: 1, Name: 'No tax', TaxRate: 0, Parts: [] }] as unknown as EventRelations['lists']['taxRates'],
  },
};
const SECOND = Date.UTC(2026, 10, 21, 12, 0, 5) / 1000;

const recordOf = (before: ContactRecord | undefined, after: ContactRecord | undefined): StreamRecord => ({
  dynamodb: {
    ApproximateCreationDateTime: SECOND,
    Keys: { PK: { S: 'A#acme#CONTACT#0000000007' } },
    ...(before ? { OldImage: written(contactItem('acme', before)) } : {}),
    ...(after ? { NewImage: written(contactItem('acme', after)) } : {}),
  },
});
const event = (before: ContactRecord | undefined, after: ContactRecord | undefined) =>
  toEvent(parseChange(recordOf(before, after), 'Contact'), relations);

const first = someContact(7, {
  Email: 'zoe@example.com',
  Notes: [{ Id: 1, Title: 'a', Body: 'b' }],
  NamedTaxRateId: 1,
});
const next = (input: Partial<ContactRecord>): ContactRecord => ({ ...first, ...input, V: first.V + 1 });

describe('a change of a contact', () => {
  test('that is new is contact.created, with the whole contact', () => {
    const { Data, ...rest } = event(undefined, first) ?? {};
    expect(rest).toEqual({
      ...noTransaction,
      Kind: 'contact.created',
      TransactionKind: null,
      Id: 7,
      OrganizationId: 1,
      ContactId: 7,
      At: '2026-11-21T12:00:05Z',
      Actor: null,
      RequestId: '',
      Changed: [],
      Truncated: false,
    });
    expect(Contact.output().strict().parse(Data)).toEqual(Data);
    expect(Data).toMatchObject({ Name: 'Contact 7', Email: 'zoe@example.com', NamedTaxRate: { Id: 1 } });
  });

  test('names who made it and by which request; nobody is known for a removal or an old record', () => {
    const by = { A: { L: [{ S: 'abcdefghijkl' }, { S: 'Web shop' }, { S: 'request-1' }] } };
    const made = (input: StreamRecord) => toEvent(parseChange(input, 'Contact'), relations);
    const update = recordOf(first, next({ Name: 'Zoë' }));
    const image = (of: 'NewImage' | 'OldImage', from: StreamRecord) => ({ [of]: { ...from.dynamodb?.[of], ...by } });
    const expected = { Actor: { Key: 'abcdefghijkl', Name: 'Web shop' }, RequestId: 'request-1', Changed: ['Name'] };
    expect(made({ dynamodb: { ...update.dynamodb, ...image('NewImage', update) } })).toMatchObject(expected);
    const nobody = { Actor: null, RequestId: '' };
    expect(made({ dynamodb: { ...update.dynamodb, ...image('OldImage', update) } })).toMatchObject(nobody);
    const removal = recordOf(first, undefined);
    expect(made({ dynamodb: { ...removal.dynamodb, ...image('OldImage', removal) } })).toMatchObject(nobody);
    expect(eventPayload(JSON.stringify({ Kind: 'contact.created' }))).toMatchObject(nobody);
  });

  test('that is deleted is contact.deleted of TransactionKind 3, without Data', () => {
    expect(event(first, undefined)).toMatchObject({
      Kind: 'contact.deleted',
      TransactionKind: 3,
      Id: 7,
      OrganizationId: 1,
      ContactId: 7,
      Changed: [],
      Data: null,
      Truncated: false,
    });
  });

  test.each<[string, Partial<ContactRecord>, string[]]>([
    ['fields', { Name: 'Zoë', City: 'Troy' }, ['City', 'Name']],
    ['tags', { Tags: [{ Id: 3, Name: 'VIP' }] }, ['Tags']],
    ['the tax rate, by its id in the table', { NamedTaxRateId: null }, ['NamedTaxRate']],
    ['a note and a field', { Name: 'Zoë', Notes: [] }, ['Name', 'Notes']],
    [
      'two notes',
      { Notes: [...first.Notes, { Id: 2, Title: '', Body: '' }, { Id: 3, Title: '', Body: '' }] },
      ['Notes'],
    ],
    ['the payment on file, which is not shown', { PmtOnFileLast4: '4242' }, ['PmtOnFileLast4']],
  ])('of %s is contact.updated and names what changed', (_, input, changed) => {
    const updated = event(first, next(input));
    expect(updated).toMatchObject({ Kind: 'contact.updated', Id: 7, Changed: changed });
    expect(JSON.stringify(updated)).not.toContain('4242');
  });

  test('of one new note is note.created, with the note', () => {
    const note = { Id: 9, Title: 'Gate', Body: 'Code 12' };
    expect(event(first, next({ Notes: [...first.Notes, note] }))).toMatchObject({
      Kind: 'note.created',
      Id: 9,
      ContactId: 7,
      OrganizationId: 1,
      Changed: [],
      Data: note,
    });
    const spilled = event(first, next({ Notes: [note], NotePages: 1 }));
    expect(spilled, 'also when older notes move to a page of their own').toMatchObject({
      Kind: 'note.created',
      Id: 9,
      Data: note,
    });
  });

  test('of one note is note.updated', () => {
    expect(event(first, next({ Notes: [{ Id: 1, Title: 'a', Body: 'c' }] }))).toMatchObject({
      Kind: 'note.updated',
      Id: 1,
      Changed: ['Body'],
    });
  });

  test('of no field of the resource is no event', () => {
    expect(event(first, next({ Updated: first.Updated + 1, PhoneKey: '+15185550100' }))).toBeUndefined();
  });

  test('whose older notes are elsewhere is truncated, not returned in part', () => {
    expect(event(first, next({ Name: 'Zoë', NotePages: 1 }))).toMatchObject({
      Kind: 'contact.updated',
      Data: null,
      Truncated: true,
    });
  });
});

describe('the text of an event', () => {
  const sized = (Body: string) =>
    event(first, next({ Name: 'Zoë', Notes: [{ Id: 1, Title: '', Body }] })) as EventPayload;

  test('leaves out Data of more than 100,000 bytes, counted in UTF-8', () => {
    const ascii = JSON.parse(eventText(sized('x'.repeat(60_000)))) as EventPayload;
    const accented = JSON.parse(eventText(sized('é'.repeat(60_000)))) as EventPayload;
    expect([ascii.Truncated, accented.Truncated, accented.Data]).toEqual([false, true, null]);
    expect(accented).toMatchObject({ Kind: 'contact.updated', Id: 7, Changed: ['Name', 'Notes'] });
  });

  test('is always what the response schema takes, whatever changed', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    const input = fc.record(
      {
        Name: text,
        Email: text,
        DoNotText: fc.boolean(),
        Tags: fc.array(fc.record({ Id: fc.nat(), Name: text }), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(input, input, (before, after) => {
        const previous = { ...first, ...before };
        const current = { ...previous, ...after, V: previous.V + 1 };
        const made = event(previous, current);
        const fields = (Object.keys(after) as (keyof typeof after)[]).filter((name) => {
          const toData = (contact: ContactRecord) =>
            JSON.stringify(name === 'Tags' ? contact.Tags.map(({ Name }) => Name) : contact[name]);
          return toData(previous) !== toData(current);
        });
        const derived = ['IsValid', 'HasIdentifyingInfo'];
        expect((made?.Changed ?? []).filter((name) => !derived.includes(name)).sort()).toEqual(fields.sort());
        if (made) expect(eventPayload(eventText(EventPayload.output().parse(made)))).toEqual(made);
      }),
    );
  });
});

describe('a record of the stream', () => {
  test.each<[string, StreamRecord]>([
    [
      'an index entry',
      { dynamodb: { Keys: { PK: { S: 'A#acme#NAME#z' } }, NewImage: { PK: { S: 'A#acme#NAME#z' } } } },
    ],
    [
      'an item that expired',
      { ...recordOf(first, undefined), userIdentity: { principalId: 'dynamodb.amazonaws.com' } },
    ],
    ['nothing at all', {}],
  ])('of %s concerns nobody', (_, record) => expect(entityKindOf(record)).toBeUndefined());

  const broken = (image: object): StreamRecord => ({
    dynamodb: { ApproximateCreationDateTime: SECOND, Keys: { PK: { S: 'A#acme#X' } }, NewImage: written(image) },
  });
  test.each<[string, StreamRecord]>([
    ['without Id', broken({ E: 'Contact', V: 1 })],
    ['without V', broken({ E: 'Contact', Id: 1 })],
    ['with an Id that is no whole number', broken({ E: 'Contact', Id: 1.5, V: 1 })],
    ['that leaves V as it was', recordOf(first, { ...first, Name: 'Zoë' })],
    ['without time', { dynamodb: { ...recordOf(undefined, first).dynamodb, ApproximateCreationDateTime: undefined } }],
  ])('%s is refused, not passed over', (_, record) =>
    expect(() => parseChange(record, 'Contact')).toThrow(InternalError),
  );

  test('belongs to the account of its key', () => {
    expect(changeAccount(recordOf(undefined, first))).toBe('acme');
    expect(() => changeAccount({ dynamodb: { Keys: { PK: { S: 'KEY#abc' } } } })).toThrow(InternalError);
  });

  const values = [
    fc.string(),
    fc.integer(),
    fc.double({ min: -1e15, max: 1e15, noNaN: true }),
    fc.boolean(),
    fc.constant(null),
  ];
  // The SDK's own marshalling, which writes these, loses __proto__.
  const key = fc.string().filter((name) => name !== '__proto__');
  const json = fc.anything({ key, values, maxDepth: 3 });

  test('compares JSON values as node does, but for the sign of zero', () => {
    const near = json.chain((value) =>
      fc.tuple(fc.constant(value), fc.oneof(fc.constant(structuredClone(value)), json)),
    );
    fc.assert(
      fc.property(near, ([left, right]) => {
        const [one, other] = [left, right].map((value) => JSON.parse(JSON.stringify(value)) as unknown);
        expect(isEqual(one, other)).toBe(isDeepStrictEqual(one, other));
      }),
    );
    const [inherited, none] = [JSON.parse('{"__proto__":{}}') as object, JSON.parse('{"a":1}') as object];
    expect([isEqual(0, -0), isEqual(inherited, none), isEqual([], {}), isEqual({ a: undefined }, {})]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
