type Item = Readonly<Record<string, AttributeValue>>;

/** A record of the table's stream, as far as it matters here; Lambda's own type fits. */
export interface StreamRecord {
  readonly userIdentity?: { readonly principalId?: string };
  readonly dynamodb?:
    | {
        /** Seconds since 1970. */
        readonly ApproximateCreationDateTime?: number | undefined;
        readonly Keys?: Item | undefined;
        readonly NewImage?: Item | undefined;
        readonly OldImage?: Item | undefined;
        readonly SequenceNumber?: string | undefined;
      }
    | undefined;
}

/** One committed change of one thing of an account. At least one of `before` and `after` is there. */
export interface Change {
  readonly account: string;
  /** What changed: Contact, Call, … */
  readonly entity: string;
  readonly id: number;
  /** Version the thing had after the change; with entity and id it names the change for ever. */
  readonly version: number;
  readonly at: Date;
  readonly before: Image | undefined;
  readonly after: Image | undefined;
}

/** Whether the table itself has removed the item, because its time was over. */
export const isExpiry = ({ userIdentity }: StreamRecord): boolean =>
  userIdentity?.principalId === 'dynamodb.amazonaws.com';

/**
 * The kind of thing a record is about; `undefined` for index entries, leases, answers, the queue itself and whatever
 * else is no thing of its own.
 */
export function entityKindOf(record: StreamRecord): string | undefined {
  if (isExpiry(record)) return undefined;
  const { dynamodb } = record;
  return (dynamodb?.NewImage ?? dynamodb?.OldImage)?.['E']?.S;
}

/** The account a record belongs to. */
export function changeAccount({ dynamodb }: StreamRecord): string {
  const partition = String(dynamodb?.Keys?.['PK']?.S ?? '');
  const [start, account] = partition.split('#', 2);
  if (start !== 'A' || !account) throw new TypeError('a stream record of no account');
  return account;
}

function whole(image: Image, name: string): number {
  const value = image[name];
  if (!Number.isInteger(value) || (value as number) < 1) throw new TypeError(`a stream record without a whole ${name}`);
  return value as number;
}

/**
 * The change a record tells of. Throws where the record breaks the rules of things: Id, and V, which grows by one with
 * every change.
 */
export function parseChange(record: StreamRecord, entity: string): Change {
  const { NewImage, OldImage, ApproximateCreationDateTime } = record.dynamodb ?? {};
  const before = OldImage && parseImage(OldImage);
  const after = NewImage && parseImage(NewImage);
  const latest = after ?? before;
  if (!latest || !ApproximateCreationDateTime) throw new TypeError('a stream record without image or time');
  const version = after ? whole(after, 'V') : whole(latest, 'V') + 1;
  // A write that forgets V would look like a change already told of, and be lost in silence.
  if (before && version <= whole(before, 'V')) throw new TypeError(`a change of ${entity} that leaves V as it was`);
  return {
    account: changeAccount(record),
    entity,
    id: whole(latest, 'Id'),
    version,
    at: new Date(ApproximateCreationDateTime * 1000),
    before,
    after,
  };
}

/** A value as a stream record writes it: a single type letter and the value. */
export interface AttributeValue {
  readonly S?: string | undefined;
}

type Written = Readonly<Record<string, AttributeValue>>;

/** An item's own fields, without its keys. */
export type Image = Readonly<Record<string, unknown>>;

/** Attributes of the table, its indexes and its writes, not of the thing. */
const ofTheTable: ReadonlySet<string> = new Set(['PK', 'SK', 'E', 'F', 'W', 'TTL']);

function valueOf(written: AttributeValue): unknown {
  // A cheap look first: most values are text.
  if (written.S !== undefined) return written.S;
  for (const type in written) {
    const value = (written as Readonly<Record<string, unknown>>)[type];
    switch (type) {
      case 'N':
        return Number(value);
      case 'BOOL':
        return value;
      case 'NULL':
        return null;
      case 'L':
        return (value as AttributeValue[]).map(valueOf);
      case 'M':
        return mapOf(value as Written);
      case 'SS':
        return value;
      case 'NS':
        return (value as string[]).map(Number);
      default:
        throw new TypeError(`a stream record holds a value of type ${type}`);
    }
  }
  throw new TypeError('a stream record holds a value without type');
}

function mapOf(written: Written): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name in written) {
    const value = valueOf(written[name] as AttributeValue);
    // A custom name from outside may be __proto__; assigning it would change the object's prototype and lose the field.
    if (name === '__proto__')
      Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
    else fields[name] = value;
  }
  return fields;
}

/** The fields of an item in a stream record. Throws on what no item of ours holds, like binary. */
export function parseImage(written: Written): Image {
  const image: Record<string, unknown> = {};
  for (const name in written) {
    if (ofTheTable.has(name) || name.startsWith('GSI')) continue;
    image[name] = valueOf(written[name] as AttributeValue);
  }
  return image;
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether two JSON values are alike; the order of an object's names is chance in a stream record. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return false;
  const [one, other] = [a as Fields, b as Fields];
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]))
  );
}

/** Names of the fields that differ, sorted; both hold every field of the resource. */
export const changedFields = (before: Fields, after: Fields): string[] =>
  Object.keys(after)
    .filter((name) => !same(before[name], after[name]))
    .sort();
