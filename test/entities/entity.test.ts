import type { Fields } from '../../lib/entities/declaration/field.ts';
import { describe, expect, test } from 'vitest';
import { appointmentEntity } from '../../lib/entities/appointments.ts';
import { entity, shownOf } from '../../lib/entities/declaration/entity.ts';
import {
  computed,
  flag,
  given,
  id,
  json,
  listOf,
  mapOf,
  moment,
  number,
  object,
  text,
  texts,
  word,
} from '../../lib/entities/declaration/fields.ts';
import { baseNames } from '../../lib/entities/declaration/marks.ts';
import { both } from '../../lib/entities/declaration/options.ts';
import { baseOf, reducedOf, resourceOf } from '../../lib/entities/declaration/resource.ts';
import { nouns } from '../../lib/entities/nouns.ts';
import { flag as flagOf, nullable, text as textOf } from '../../lib/resources/fields.ts';
import { InternalError } from '../../lib/shared/failure.ts';

const thing = entity(
  'Thing',
  {
    Id: id({ resource: true }),
    Name: text({ resource: 'Title' }),
    Size: number({ absent: 7, resource: true }),
    IsNew: flag(),
    Color: word(['red', 'green']),
    At: moment({ nullable: true, resource: true }),
    Since: moment({ optional: true }),
    Tags: texts(),
    Lines: listOf({ Id: id(), Note: text(), IsDone: flag(), Rate: number({ nullable: true }) }),
    ByName: mapOf({ Count: number() }),
    Address: object({ City: text() }, { nullable: true }),
    Any: json(),
    V: number(),
  },
  { compact: true },
);

const blank = {
  Id: 1,
  Name: '',
  Size: 7,
  IsNew: false,
  Color: 'red',
  At: null,
  Tags: [],
  Lines: [],
  ByName: {},
  Address: null,
  Any: null,
  V: 0,
};

describe('a record', () => {
  test('has the declared value of every field that its item lacks, in the objects that it contains too', () => {
    expect(thing.read({ Id: 1 })).toEqual(blank);
    const nested = { Id: 1, Lines: [{ Id: 2 }], ByName: { a: {} }, Address: {} };
    expect(thing.read(nested)).toEqual({
      ...blank,
      Lines: [{ Id: 2, Note: '', IsDone: false, Rate: null }],
      ByName: { a: { Count: 0 } },
      Address: { City: '' },
    });
  });

  test('shares no list or object with another', () => {
    const [one, other] = [thing.read({ Id: 1 }), thing.read({ Id: 2 })];
    expect(one.Tags === other.Tags || one.ByName === other.ByName).toBe(false);
  });

  test('keeps what is not declared, in the objects that it contains too', () => {
    const item = { Id: 1, Later: [1], Lines: [{ Id: 2, Later: true }] };
    expect(thing.read(item)).toMatchObject(item);
  });

  test.each<[string, object, string]>([
    ['another type', { Name: 7731 }, 'Thing 1: Name is of type number'],
    ['a list for an object', { Address: [] }, 'Thing 1: Address is a list'],
    ['an object for a list', { Tags: {} }, 'Thing 1: Tags is of type object'],
    ['null', { Size: null }, 'Thing 1: Size is null'],
    ['an entry of another type', { Lines: [{ Id: 'x7731' }] }, 'Thing 1: Lines.Id is of type string'],
    ['an entry without its id', { Lines: [{}] }, 'Thing 1: Lines.Id is missing'],
  ])('with %s is an error that names record and field, and no value', (_, fields, message) => {
    const item = { Id: 1, ...fields };
    expect(() => thing.read(item)).toThrow(InternalError);
    expect(() => thing.read(item)).toThrow(message);
  });

  test('is written without the values of absent fields where its entity is compact, and read back', () => {
    const record = thing.blank({ Id: 1, Name: 'Mulch' });
    expect(thing.write(record)).toEqual({ Id: 1, Name: 'Mulch' });
    expect(thing.read({ ...thing.write(record) })).toEqual(record);
  });

  test('gives its resource the declared fields under their names, moments as UTC', () => {
    const at = Date.UTC(2026, 2, 8, 14);
    const record = thing.read({ Id: 1, Name: 'Mulch', At: at, Later: 1 });
    expect(thing.toResource(record)).toEqual({ Id: 1, Title: 'Mulch', Size: 7, At: '2026-03-08T14:00:00Z' });
    const plain = thing.read({ Id: 2 });
    expect(thing.toResource(plain)).toEqual({ Id: 2, Title: '', Size: 7, At: null });
  });
});

describe('a record with two resources', () => {
  const product = entity(
    'Product',
    {
      Id: id({ ...both }),
      IsTaxed: flag({ resource: true, base: 'Taxed', description: 'Whether it is taxed.' }),
      Cost: number({ nullable: true, resource: true, readOnly: true }),
      Since: moment({ base: true }),
      Label: computed(text({ max: 9 })),
      Weight: given(number()),
    },
    { computed: { Label: ({ Id }) => `No. ${Id}` } },
  );
  const record = product.blank({ Id: 1, IsTaxed: true, Cost: 2 });
  const Detailed = resourceOf(product, { title: 'ProductDetailed' });
  const Base = baseOf(product, () => ({ Taxed: nullable(flagOf()), Name: textOf() }));

  test('has the fields of each under their names there', () => {
    expect(product.toResource(record, { Weight: 3 })).toEqual({
      Id: 1,
      IsTaxed: true,
      Cost: 2,
      Label: 'No. 1',
      Weight: 3,
    });
    expect(product.toBase(record, { Name: 'a' })).toEqual({
      Id: 1,
      Taxed: true,
      Since: '1970-01-01T00:00:00Z',
      Name: 'a',
    });
    expect(shownOf(product.fields, record, {}, 'base')).toEqual({ Id: 1, Taxed: true, Since: '1970-01-01T00:00:00Z' });
    expect(baseNames(product.fields)).toEqual({ IsTaxed: 'Taxed' });
  });

  test('has a schema for each, in which a field of a form of its own takes the place of its namesake', () => {
    expect(Object.keys(Detailed.shape())).toEqual(['Id', 'IsTaxed', 'Cost', 'Label', 'Weight']);
    expect(Object.keys(Base.shape())).toEqual(['Id', 'Taxed', 'Since', 'Name']);
    expect(Base.output().safeParse({ Id: 1, Taxed: null, Since: '', Name: '' }).success).toBe(true);
    expect(Detailed.output().shape.IsTaxed.description).toBe('Whether it is taxed.');
  });

  test('has a form without some fields, which still ignores the others that are computed', () => {
    const form = reducedOf(Detailed, { title: 'ProductForm', without: ['Label'] }, () => ({ IsTaxed: textOf() }));
    expect(Object.keys(form.shape())).toEqual(['Id', 'IsTaxed', 'Cost', 'Weight']);
    expect(form.computed).toEqual(['Cost']);
    expect(form.input().safeParse({ IsTaxed: 'yes' }).success).toBe(true);
    const none = reducedOf(Detailed, { title: 'ProductCore', without: ['Cost'] });
    expect(none.computed).toEqual([]);
  });
});

test('an appointment that was stored without default values is whole', () => {
  const stored = { Id: 1, OrganizationId: 1, ContactId: 2, Status: 1, HashKey: 'h', Start: 0, Zone: 'UTC', Created: 0 };
  expect(appointmentEntity.read({ ...stored, Updated: 0, V: 1 })).toMatchObject({ Quantity: 1, Notes: '', Sold: null });
});

/**
 * Every item has these since the first version. A field that is added later is not among them: an item that was stored
 * before lacks it, and must be read.
 */
const required: Readonly<Record<string, string>> = {
  Contact: 'Id OrganizationId Hash Created Updated',
  Call: 'Id OrganizationId Created',
  Task: 'Id OrganizationId Created Updated',
  Upload: 'Id OrganizationId ContactId Bytes ContentType Handle Secret Created Updated',
  Appointment: 'Id OrganizationId ContactId Status HashKey Start Zone Created Updated',
  Proposal: 'Id OrganizationId ContactId Status Zone Date Created Updated',
  Invoice: 'Id OrganizationId Number Zone Date Status ContactId Total Paid BalanceDue Created Updated',
  Payment: 'Id OrganizationId InvoiceId ContactId Date Amount Created Updated',
  Message: 'Id OrganizationId Kind Channel State Noun RecordId Due Created Updated',
  Organization: 'Id OrganizationId PublicName',
  ServiceAgent: 'Id OrganizationId Created',
  User: 'Id OrganizationId Created',
  Service: 'Id',
  Part: 'Id',
  Key: 'Id Public Account Role CreatedAt Rate Burst Subscriber',
};

test('no field becomes required', () => {
  const found = Object.entries<{ readonly fields: Fields }>(nouns).map(([name, { fields }]) => [
    name,
    Object.keys(fields)
      .filter((field) => fields[field]?.options.required)
      .sort(),
  ]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(required).map(([name, fields]) => [name, fields.split(' ').sort()])),
  );
});
