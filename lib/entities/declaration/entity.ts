import { isEqual } from '../../shared/objects.ts';
import { InternalError } from '../../shared/failure.ts';
import { type ComputedNames, type Field, type Fields, type Flat, type ObjectOf, storedFields } from './field.ts';
import { Mismatch, type Stored, readFields } from './read.ts';

/** Thrown if a stored field does not match its declaration. Names the record and the field, never a value. */
class RecordError extends InternalError {
  override readonly name = 'RecordError';
  readonly entity: string;
  readonly field: string;

  constructor(entity: string, id: unknown, field: string, reason: string) {
    super(`${entity} ${typeof id === 'number' ? id : 'without Id'}: ${field} ${reason}`);
    this.entity = entity;
    this.field = field;
  }
}

type RequiredNames<Of extends Fields> = {
  [Name in keyof Of]: Of[Name]['options'] extends { readonly required: true } ? Name : never;
}[keyof Of];

/** What a new object needs: its required fields, and optionally others. It counts as last changed when it is made. */
export type New<Of extends Fields> = Pick<ObjectOf<Of>, Exclude<RequiredNames<Of>, 'Updated'> & keyof ObjectOf<Of>> &
  Partial<ObjectOf<Of>>;

type OutputOf<Of> = Of extends { toOutput?(value: never): infer Output } ? Output : never;

/** Some records have two resources: the whole one, and a smaller base variant. */
export type Variant = 'resource' | 'base';

/** The name of a field in a resource or a request: its own, or that which the option says. */
export type NameIn<Option extends Variant | 'input', Name, Options> = Options extends {
  readonly [_ in Option]: infer As;
}
  ? As extends string
    ? As
    : Name
  : never;

/** The fields of a resource that the record stores in the same form or computes. */
type ShownOf<Of extends Fields, Option extends Variant> = Flat<{
  [
    Name in keyof Of as Of[Name]['options'] extends PassedIn[Option]
      ? never
      : NameIn<Option, Name, Of[Name]['options']> & string
  ]: OutputOf<Of[Name]>;
}>;

/** The options of fields that the maker of a resource passes in. The entity computes fields for the whole one only. */
interface PassedIn {
  readonly resource: { readonly given: true };
  readonly base: { readonly given: true } | { readonly computed: true };
}

/** How fields of the resource that are not stored are derived from the record. */
type Computations<Of extends Fields> = {
  readonly [Name in ComputedNames<Of>]: (record: ObjectOf<Of>) => OutputOf<Of[Name]>;
};

/** The place of a record in the lists of its kind. */
export interface ListEntry {
  /** Lists are ordered by it, then by id; records without a date come last. */
  readonly date: number | null;
  /** The calendar date behind the date; `''` for a moment. */
  readonly day?: string;
  /** The organization's zone when the record was written; `''` if unknown. */
  readonly zone?: string;
  /** Whether something remains to be done; open records have a range of their own. */
  readonly open: boolean;
  /** Other facts that lists are filtered by. */
  readonly facts: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** How records of a kind are listed: by contact, by date, by the time of their last change, and open ones. */
export interface Listing<RecordType> {
  /** The table's names for the facts, which are short because each byte is paid for in every item. */
  readonly facts: Readonly<Record<string, string>>;
  entry(record: RecordType): ListEntry;
}

interface EntityOptions<Of extends Fields> {
  /** An item omits fields that have their default value, if that saves a write unit. */
  readonly compact?: boolean;
  readonly listed?: Listing<ObjectOf<Of>>;
}

/** Reads some fields of a partially read item. */
interface PartReader<Of extends Fields, Name extends keyof Of & keyof ObjectOf<Of>> {
  readonly names: readonly Name[];
  read(stored: Stored): Pick<ObjectOf<Of>, Name>;
}

/** A kind of stored record, declared once. */
export interface Entity<Of extends Fields = Fields> {
  readonly name: string;
  /** The stored fields. */
  readonly fields: Of;
  /** The stored fields and those computed for the resource, in the resource's order. */
  readonly declared: Of;
  readonly listed?: Listing<ObjectOf<Of>> | undefined;
  /**
   * The record of an item. Absent fields get their defaults. Undeclared fields are kept, so that a version that is
   * rolled back loses nothing that a newer one wrote. Throws RecordError.
   */
  read(stored: Stored): ObjectOf<Of>;
  /**
   * The same without undeclared fields: for records that are shown, and changed by updates of single attributes, which
   * keep all others.
   */
  readDeclared(stored: Stored): ObjectOf<Of>;
  /** The same for these fields only. */
  part<Name extends keyof Of & keyof ObjectOf<Of> & string>(...names: readonly Name[]): PartReader<Of, Name>;
  /** A new record; fields that `values` leaves out get their defaults. */
  blank(values: New<Of>): ObjectOf<Of>;
  /** The fields of the item that stores the record. */
  write(record: ObjectOf<Of>): object;
  /** The fields that the resource has in their stored form, and `others`. */
  toResource(record: ObjectOf<Of>): ShownOf<Of, 'resource'>;
  toResource<Others extends object>(record: ObjectOf<Of>, others: Others): Flat<ShownOf<Of, 'resource'> & Others>;
  /** The same for the base variant of the resource. */
  toBase<Others extends object>(record: ObjectOf<Of>, others: Others): Flat<ShownOf<Of, 'base'> & Others>;
  /** The fields that its events have in addition to the resource. */
  eventFields(record: ObjectOf<Of>): Stored;
}

export type RecordOf<Of> = Of extends { readonly fields: infer Declared extends Fields } ? ObjectOf<Declared> : never;

const pickFields = (stored: Stored, fields: Fields): Stored =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => Object.hasOwn(fields, name)));

/** A new object in a record; fields that `values` leaves out get their defaults. Throws Mismatch. */
export const blankOf = <const Of extends Fields>(fields: Of, values: New<Of>): ObjectOf<Of> =>
  readFields(storedFields(fields), values) as ObjectOf<Of>;

/** The fields that a resource has of an object in a record in their stored form, and `others`. */
export const shownOf = <
  const Of extends Fields,
  Others extends object = Record<never, never>,
  Option extends Variant = 'resource',
>(
  fields: Of,
  object: ObjectOf<Of>,
  others = {} as Others,
  variant = 'resource' as Option,
): Flat<ShownOf<Of, Option> & Others> => ({ ...outputFields(object, fields, variant), ...others }) as never;

type Shown = Pick<Field, 'toOutput'> & { readonly name: string; readonly as: string };
const shownFields: Readonly<Record<Variant | 'event', WeakMap<Fields, readonly Shown[]>>> = {
  resource: new WeakMap(),
  base: new WeakMap(),
  event: new WeakMap(),
};

/** The stored fields that a resource or an event takes over; found once, because answers have thousands of objects. */
function shownFieldsOf(fields: Fields, option: Variant | 'event'): readonly Shown[] {
  const known = shownFields[option].get(fields);
  if (known) return known;
  const shown = Object.entries(storedFields(fields)).flatMap(([name, { options, toOutput }]): Shown[] => {
    const as = options[option];
    return as === undefined ? [] : [{ name, as: as === true ? name : as, ...(toOutput ? { toOutput } : {}) }];
  });
  shownFields[option].set(fields, shown);
  return shown;
}

/** The fields that a resource or an event takes over from a record in their stored form, under their names there. */
function outputFields(record: Stored, fields: Fields, option: Variant | 'event'): Stored {
  const output: Record<string, unknown> = {};
  for (const { name, as, toOutput } of shownFieldsOf(fields, option))
    output[as] = toOutput ? toOutput(record[name]) : record[name];
  return output;
}

type Declared<Of extends Fields> = EntityOptions<Of> &
  ([ComputedNames<Of>] extends [never] ? object : { readonly computed: Computations<Of> });

/** Declares a kind of record. `name` is its noun in keys, events and messages. */
export function entity<const Of extends Fields>(
  name: string,
  declared: Of,
  ...[options]: [ComputedNames<Of>] extends [never] ? [Declared<Of>?] : [Declared<Of>]
): Entity<Of> {
  const { compact = false, listed, computed = {} }: EntityOptions<Of> & { computed?: object } = options ?? {};
  const fields = storedFields(declared);
  const computations = Object.entries(computed) as [string, (record: ObjectOf<Of>) => unknown][];
  const read = (stored: Stored, declared: Fields = fields): ObjectOf<Of> => {
    try {
      return readFields(declared, stored) as ObjectOf<Of>;
    } catch (error) {
      throw error instanceof Mismatch ? new RecordError(name, stored['Id'], error.path, error.reason) : error;
    }
  };
  const updated = (values: Stored) => ('Updated' in fields ? { Updated: values['Created'] } : {});
  const isAbsent = (field: string, value: unknown): boolean => {
    const declared = fields[field];
    return declared !== undefined && declared.options.required !== true && isEqual(value, declared.absent);
  };

  return {
    name,
    fields,
    declared,
    listed,
    read: (stored) => read(stored),
    readDeclared: (stored) => read(pickFields(stored, fields)),
    part: (...names) => {
      const some = Object.fromEntries(names.map((each) => [each, fields[each] as Field]));
      return { names, read: (stored) => read(stored, some) as never };
    },
    blank: (values) => read({ ...updated(values), ...values }),
    write: (record) =>
      compact
        ? (Object.fromEntries(
            Object.entries(record).filter(([field, value]) => !isAbsent(field, value)),
          ) as typeof record)
        : record,
    toResource: (record: ObjectOf<Of>, others: object = {}) =>
      ({
        ...outputFields(record, fields, 'resource'),
        ...Object.fromEntries(computations.map(([field, compute]) => [field, compute(record)])),
        ...others,
      }) as never,
    toBase: (record, others) => ({ ...outputFields(record, fields, 'base'), ...others }) as never,
    eventFields: (record) => outputFields(record, fields, 'event'),
  };
}
