import { type AttributeValue, type Attributes, isNested, isSame, parseValue } from './attribute-values.ts';
import { isEqual } from '../../shared/objects.ts';
import { InternalError } from '../../shared/failure.ts';
import { once } from '../../shared/caches.ts';
import type { Fields, Flat, ObjectOf, StoredType } from './fields.ts';

/** An item of the table, an image of its stream, or a part of one. */
export type Stored = Readonly<Record<string, unknown>>;

/** A stored field is not what its declaration says. Names the record and the field, never a value. */
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

/** What a new object needs: its required fields, and any other. It was last changed when it was made. */
export type New<Of extends Fields> = Pick<ObjectOf<Of>, Exclude<RequiredNames<Of>, 'Updated'> & keyof ObjectOf<Of>> &
  Partial<ObjectOf<Of>>;

type OutputOf<Of> = Of extends { toOutput?(value: never): infer Output } ? Output : never;

type ResourceName<Name, Options> = Options extends { readonly resource: infer As }
  ? As extends string
    ? As
    : Name
  : never;

/** The fields of a resource that are those of the record. */
type ResourceOf<Of extends Fields> = Flat<{
  [Name in keyof Of as ResourceName<Name, Of[Name]['options']> & string]: OutputOf<Of[Name]>;
}>;

/** Reads some fields of an item that was read in part. */
interface PartReader<Of extends Fields, Name extends keyof Of & keyof ObjectOf<Of>> {
  readonly names: readonly Name[];
  read(stored: Stored): Pick<ObjectOf<Of>, Name>;
}

/** A kind of stored record, declared once. */
export interface Entity<Of extends Fields = Fields> {
  readonly name: string;
  readonly fields: Of;
  /**
   * The record of an item, the same object: absent fields get their value, and what is not declared stays, so that a
   * version that is rolled back loses nothing of a newer one. Throws RecordError.
   */
  read(stored: Stored): ObjectOf<Of>;
  /**
   * The same without what is not declared, a new object: for a record that is shown, and changed by updates of single
   * attributes, which keep all others.
   */
  readDeclared(stored: Stored): ObjectOf<Of>;
  /**
   * The record of an image of the stream, without what is not declared. A list or map that `other` has too is the same
   * object in both records: what is made of it is made once. Throws RecordError.
   */
  readImage(image: Attributes, other?: ReadImage): ObjectOf<Of>;
  /** The same of these fields alone. */
  part<Name extends keyof Of & keyof ObjectOf<Of> & string>(...names: readonly Name[]): PartReader<Of, Name>;
  /** A new record: what `values` do not say has the value of an absent field. */
  blank(values: New<Of>): ObjectOf<Of>;
  /** The fields of an item that stores the record. */
  write(record: ObjectOf<Of>): object;
  /**
   * The fields that the resource has as they are stored, still without their values. A resource with other fields
   * begins with a copy, at a place of its own in the code, where V8 learns the copy's shape.
   */
  readonly resource: ResourceOf<Of>;
  /** Gives `target`, which begins with a copy of `resource`, the fields that the resource has as they are stored. */
  toResource(record: ObjectOf<Of>): ResourceOf<Of>;
  toResource<Resource extends ResourceOf<Of>>(record: ObjectOf<Of>, target: Resource): Resource;
  /** The fields that its events have besides the resource. */
  eventFields(record: ObjectOf<Of>): Stored;
}

/** An image of a record, and the record that was read of it. */
export interface ReadImage {
  readonly image: Attributes;
  readonly record: Stored;
}

export type RecordOf<Of> = Of extends { readonly fields: infer Declared extends Fields } ? ObjectOf<Declared> : never;

/** A field, made ready for reading. */
interface Step {
  readonly name: string;
  /** `undeclared`: an attribute of an image that no field declares. */
  readonly stored: StoredType | 'undeclared';
  readonly isRequired: boolean;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  readonly absent: unknown;
  /** Its value in a blank object of its plan. */
  readonly initial: unknown;
  /** Of an object, or of every entry of a list or map. */
  readonly inner: Plan | undefined;
  /** What came next in the last image: most images of a kind have the same order, and some a few attributes more. */
  next: Step | undefined;
}

/** The fields of an object in parallel lists: one pass over plain values takes a third of the time that steps take. */
interface Plan {
  readonly names: readonly string[];
  /** What `typeof` says of a value that needs no other look. */
  readonly types: readonly string[];
  readonly steps: readonly Step[];
  readonly byName: ReadonlyMap<string, Step>;
  /** Comes before the first attribute of an image. */
  readonly start: Step;
  readonly required: readonly Step[];
  /** Makes an object with all fields that it must have, with their values when absent. */
  blank(): Record<string, unknown>;
  /** Whether an object lacks most fields. */
  readonly isSparse: boolean;
}

const isPlain = (stored: Step['stored']): boolean => ['string', 'number', 'boolean'].includes(stored);

function toPlan(fields: Fields): Plan {
  const steps = Object.entries(fields).map(([name, { stored, options, absent, fields: inner }]): Step => {
    const plan = inner && toPlan(inner);
    return {
      name,
      stored,
      isRequired: options.required === true,
      isOptional: options.optional === true,
      isNullable: options.nullable === true,
      initial: options.required || options.optional ? undefined : absent,
      // One that every object has, or may lack, needs no value.
      absent:
        stored === 'object' && absent !== null && plan && !options.required && !options.optional
          ? fill({}, plan)
          : absent,
      inner: plan,
      next: undefined,
    };
  });
  return planOf(steps);
}

/** V8 turns an object that gets more fields than this by computed names into a dictionary. */
const MAX_ADDED_FIELDS = 12;

function planOf(steps: readonly Step[]): Plan {
  const present = steps.filter(({ isOptional }) => !isOptional);
  const blank = once(() =>
    objectOf(present.map(({ name, isRequired, absent }) => [name, isRequired ? undefined : absent])),
  );
  return {
    names: steps.map(({ name }) => name),
    types: steps.map(({ stored }) => (isPlain(stored) ? stored : 'looked at')),
    steps,
    byName: new Map(steps.map((step) => [step.name, step])),
    start: undeclared(''),
    required: steps.filter(({ isRequired }) => isRequired),
    blank: () => ({ ...blank() }),
    isSparse: steps.length - present.length > MAX_ADDED_FIELDS,
  };
}

/**
 * An object to be copied by `{ ...it }` and then filled by computed names, each of which it has: V8 makes an object
 * slow that grows that way. It copies one of JSON.parse in 70 ns, however many fields it has, and one of
 * Object.fromEntries in 1,200 from 48 fields on. Fields that hold `null` at first may get values of any type later.
 */
function objectOf(entries: readonly (readonly [string, unknown])[]): Stored {
  const fields = JSON.parse(JSON.stringify(Object.fromEntries(entries.map(([name]) => [name, null])))) as Stored;
  return Object.assign(fields, Object.fromEntries(entries));
}

/** Records are changed by copying them, but no two records share an object. */
function copyOf(absent: unknown): unknown {
  if (typeof absent !== 'object' || absent === null) return absent;
  return Array.isArray(absent) ? [...(absent as unknown[])] : { ...absent };
}

/** A field that is not as declared, with the path to it. */
class Mismatch {
  readonly path: string;
  readonly reason: string;

  constructor(path: string, reason: string) {
    this.path = path;
    this.reason = reason;
  }

  within(path: string): Mismatch {
    return new Mismatch(this.path ? `${path}.${this.path}` : path, this.reason);
  }
}

const describeType = (value: unknown): string => (Array.isArray(value) ? 'a list' : `of type ${typeof value}`);

function isOfType(value: unknown, stored: Step['stored']): boolean {
  if (stored === 'any') return true;
  if (stored === 'list') return Array.isArray(value);
  if (stored === 'bytes') return value instanceof Uint8Array;
  if (stored === 'object' || stored === 'map') return typeof value === 'object' && !Array.isArray(value);
  return typeof value === stored;
}

/** Gives an object the values of its absent fields and checks the others. Throws Mismatch. */
function fill(of: Record<string, unknown>, plan: Plan): Record<string, unknown> {
  const { names, types, steps } = plan;
  if (plan.isSparse) return fillSparse(of, plan);
  for (let index = 0; index < names.length; index++) {
    const value = of[names[index] as string];
    if (typeof value !== types[index]) fillField(of, steps[index] as Step, value);
  }
  return of;
}

/** The same of an object that lacks most fields: V8 looks long for what is not there. */
function fillSparse(of: Record<string, unknown>, { byName, steps }: Plan): Record<string, unknown> {
  for (const name of Object.keys(of)) {
    const step = byName.get(name);
    if (step && typeof of[name] !== step.stored) fillField(of, step, of[name]);
  }
  for (const step of steps) if (!step.isOptional) fillField(of, step, of[step.name]);
  return of;
}

/** Stands for an attribute that a plan does not have. */
const undeclared = (name: string): Step => ({
  name,
  stored: 'undeclared',
  isRequired: false,
  isOptional: true,
  isNullable: true,
  absent: undefined,
  initial: undefined,
  inner: undefined,
  next: undefined,
});

/** What `fill` gives of the parsed image, in one pass: each field is parsed as what it is declared to be. */
function readAttributes(image: Attributes, plan: Plan, other: ReadImage | undefined): Stored {
  const { required } = plan;
  const record = plan.blank();
  let requiredFields = 0;
  let previous = plan.start;
  // Not over the declared names: V8 loads what for…in finds twice as fast.
  for (const name in image) {
    let step = previous.next;
    if (step?.name !== name) previous.next = step = plan.byName.get(name) ?? undeclared(name);
    previous = step;
    const { stored } = step;
    if (stored === 'undeclared') continue;
    if (step.isRequired) requiredFields++;
    const attribute = image[name] as AttributeValue;
    // Each letter in a place of its own, which then sees attributes of one shape.
    let value: unknown;
    if (stored === 'string' && attribute.S !== undefined) value = attribute.S;
    else if (stored === 'number' && attribute.N !== undefined) value = Number(attribute.N);
    else if (stored === 'boolean' && attribute.BOOL !== undefined) value = attribute.BOOL;
    else if (attribute.NULL && step.isNullable) value = null;
    else {
      readNested(record, step, attribute, other);
      continue;
    }
    // The record has it: a comparison takes a tenth of a store under a computed name.
    if (value !== step.initial) record[name] = value;
  }
  if (requiredFields < required.length) for (const step of required) fillField(record, step, record[step.name]);
  return record;
}

function readNested(
  record: Record<string, unknown>,
  step: Step,
  attribute: AttributeValue,
  other: ReadImage | undefined,
): void {
  const { name, stored, inner } = step;
  if (other && isNested(attribute) && isSame(attribute, other.image[name])) {
    record[name] = other.record[name];
  } else if (inner && !inner.isSparse && attribute.L && stored === 'list') {
    record[name] = readList(name, attribute.L, inner);
  } else if (inner && !inner.isSparse && attribute.M && stored === 'object') {
    record[name] = within(name, () => readEntry(attribute, inner));
  } else {
    record[name] = parseValue(attribute);
    fillField(record, step, record[name]);
  }
}

const readList = (name: string, list: readonly AttributeValue[], plan: Plan): Stored[] =>
  list.length === 0 ? [] : within(name, () => list.map((entry) => readEntry(entry, plan)));

function readEntry({ M: attributes }: AttributeValue, plan: Plan): Stored {
  if (!attributes) throw new Mismatch('', 'has an entry that is not an object');
  return readAttributes(attributes, plan, undefined);
}

function within<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof Mismatch ? error.within(name) : error;
  }
}

function fillField(of: Record<string, unknown>, step: Step, value: unknown): void {
  const { name, stored, inner } = step;
  if (value === undefined) {
    if (step.isRequired) throw new Mismatch(name, 'is missing');
    if (!step.isOptional) of[name] = copyOf(step.absent);
  } else if (value === null) {
    if (!step.isNullable && stored !== 'any') throw new Mismatch(name, 'is null');
  } else if (!isOfType(value, stored)) {
    throw new Mismatch(name, `is ${describeType(value)}`);
  } else if (inner) {
    fillEntries(name, stored === 'object' ? [value] : Object.values(value), inner);
  }
}

function fillEntries(name: string, entries: readonly unknown[], plan: Plan): void {
  for (const entry of entries) {
    if (typeof entry !== 'object' || entry === null) throw new Mismatch(name, 'has an entry that is not an object');
    within(name, () => fill(entry as Record<string, unknown>, plan));
  }
}

const plans = new WeakMap<Fields, Plan>();

/** The plan of fields, made once. */
function planFor(fields: Fields): Plan {
  const known = plans.get(fields);
  if (known) return known;
  const plan = toPlan(fields);
  plans.set(fields, plan);
  return plan;
}

/** A new object in a record: what `values` do not say has the value of an absent field. Throws Mismatch. */
export const blankOf = <const Of extends Fields>(fields: Of, values: New<Of>): ObjectOf<Of> =>
  fill({ ...values }, planFor(fields)) as ObjectOf<Of>;

/** The fields of a resource or an event that are those of the record. */
interface PlainFields {
  readonly blank: Stored;
  /** A copy of `blank`. */
  start(): Record<string, unknown>;
  /** Gives `target`, a copy of `blank`, the fields as they are in the record. */
  copy(record: Stored, target: Record<string, unknown>): Record<string, unknown>;
}

function plainFields(fields: Fields, option: 'resource' | 'event'): PlainFields {
  const plain = Object.entries(fields).flatMap(([from, { options, absent, toOutput }]) => {
    const name = options[option];
    return name === undefined ? [] : [{ from, to: name === true ? from : name, absent, toOutput }];
  });
  const converted = plain.filter(({ toOutput }) => toOutput);
  const [from, to] = [plain.map((field) => field.from), plain.map((field) => field.to)];
  const initial = plain.map(({ absent }) => (typeof absent === 'object' && absent !== null ? undefined : absent));
  const blank = objectOf(to.map((name, index) => [name, initial[index]]));
  return {
    blank,
    start: () => ({ ...blank }),
    copy(record, target) {
      for (let index = 0; index < from.length; index++) {
        const value = record[from[index] as string];
        if (value !== initial[index]) target[to[index] as string] = value;
      }
      for (const field of converted) target[field.to] = field.toOutput?.(record[field.from]);
      return target;
    },
  };
}

const onlyDeclared = (stored: Stored, fields: Fields): Stored =>
  Object.fromEntries(Object.entries(stored).filter(([field]) => Object.hasOwn(fields, field)));

/**
 * Declares a kind of record. `name` is its noun in keys, events and messages. `compact`: an item does not hold the
 * fields that have the value of an absent one, where that makes it smaller by a write unit.
 */
export function entity<const Of extends Fields>(
  name: string,
  fields: Of,
  { compact = false }: { readonly compact?: boolean } = {},
): Entity<Of> {
  const ofResource = once(() => plainFields(fields, 'resource'));
  const ofEvent = once(() => plainFields(fields, 'event'));

  const named = (id: unknown, error: unknown): unknown =>
    error instanceof Mismatch ? new RecordError(name, id, error.path, error.reason) : error;
  const readFields = (stored: Stored, plan: Plan): Stored => {
    try {
      return fill(stored as Record<string, unknown>, plan);
    } catch (error) {
      throw named(stored['Id'], error);
    }
  };
  const ofImage = once(() => planFor(fields));

  const updated = (values: Stored) => ('Updated' in fields ? { Updated: values['Created'] } : {});

  const isAbsent = (field: string, value: unknown): boolean => {
    const declared = fields[field];
    return declared !== undefined && declared.options.required !== true && isEqual(value, declared.absent);
  };

  return {
    name,
    fields,
    read: (stored) => readFields(stored, planFor(fields)) as ObjectOf<Of>,
    readDeclared: (stored) => readFields(onlyDeclared(stored, fields), planFor(fields)) as ObjectOf<Of>,
    readImage: (image, other) => {
      try {
        return readAttributes(image, ofImage(), other) as ObjectOf<Of>;
      } catch (error) {
        throw named(Number(image['Id']?.N), error);
      }
    },
    part: (...names) => {
      const plan = once(() =>
        planOf(planFor(fields).steps.filter((step) => (names as readonly string[]).includes(step.name))),
      );
      return { names, read: (stored) => readFields(stored, plan()) as never };
    },
    blank: (values) => readFields({ ...updated(values), ...values }, planFor(fields)) as ObjectOf<Of>,
    write: (record) =>
      compact
        ? (Object.fromEntries(
            Object.entries(record).filter(([field, value]) => !isAbsent(field, value)),
          ) as typeof record)
        : record,
    get resource() {
      return ofResource().blank as ResourceOf<Of>;
    },
    toResource: (record: ObjectOf<Of>, target: Stored = ofResource().start()) =>
      ofResource().copy(record, target) as never,
    eventFields: (record) => ofEvent().copy(record, ofEvent().start()),
  };
}
