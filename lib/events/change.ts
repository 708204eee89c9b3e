import { imageOf, type AttributeValue, type Image } from './image.ts';

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
export function entityOf(record: StreamRecord): string | undefined {
  if (isExpiry(record)) return undefined;
  const { dynamodb } = record;
  return (dynamodb?.NewImage ?? dynamodb?.OldImage)?.['E']?.S;
}

/** The account a record belongs to. */
export function accountOf({ dynamodb }: StreamRecord): string {
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
export function changeOf(record: StreamRecord, entity: string): Change {
  const { NewImage, OldImage, ApproximateCreationDateTime } = record.dynamodb ?? {};
  const before = OldImage && imageOf(OldImage);
  const after = NewImage && imageOf(NewImage);
  const latest = after ?? before;
  if (!latest || !ApproximateCreationDateTime) throw new TypeError('a stream record without image or time');
  const version = after ? whole(after, 'V') : whole(latest, 'V') + 1;
  // A write that forgets V would look like a change already told of, and be lost in silence.
  if (before && version <= whole(before, 'V')) throw new TypeError(`a change of ${entity} that leaves V as it was`);
  return {
    account: accountOf(record),
    entity,
    id: whole(latest, 'Id'),
    version,
    at: new Date(ApproximateCreationDateTime * 1000),
    before,
    after,
  };
}
