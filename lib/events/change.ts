import type { Stored } from '../entities/declaration/read.ts';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import { type Actor, accountOfKey, attributes, parseActor } from '../store/keys.ts';
import { isEqual } from '../shared/objects.ts';
import { InternalError } from '../shared/failure.ts';
import { nounOf } from '../entities/nouns.ts';

/** An item as DynamoDB writes it: each value with its type. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A record of the table's stream, reduced to what is used here; Lambda's own type fits. */
export interface StreamRecord {
  readonly userIdentity?: { readonly principalId?: string };
  readonly dynamodb?:
    | {
        /** Seconds since 1970. */
        readonly ApproximateCreationDateTime?: number | undefined;
        readonly Keys?: Attributes | undefined;
        readonly NewImage?: Attributes | undefined;
        readonly OldImage?: Attributes | undefined;
        readonly SequenceNumber?: string | undefined;
      }
    | undefined;
}

/** One committed change of one record of an account. Both images are absent for a change after an erasure. */
export interface Change {
  readonly account: string;
  /** What changed: Contact, Call, … */
  readonly entity: string;
  readonly id: number;
  /** The record's version after the change; together with entity and id it identifies the change. */
  readonly version: number;
  readonly at: Date;
  /** Who made the change; `undefined` for a removal, and for records stored before actors were. */
  readonly actor: Actor | undefined;
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
}

/** Whether DynamoDB removed the item when its time to live ended. */
export const isExpiry = ({ userIdentity }: StreamRecord): boolean =>
  userIdentity?.principalId === 'dynamodb.amazonaws.com';

/** Whether this version of the record causes no event (attributes.silentVersion). */
export function isSilent({ dynamodb }: StreamRecord): boolean {
  const silent = dynamodb?.NewImage?.[attributes.silentVersion]?.N;
  return silent !== undefined && silent === dynamodb?.NewImage?.[attributes.version]?.N;
}

/**
 * The kind of the changed record; `undefined` for index entries, counters, the queue and other items without a kind.
 */
export function entityKindOf(record: StreamRecord): string | undefined {
  if (isExpiry(record)) return undefined;
  const { dynamodb } = record;
  return (dynamodb?.NewImage ?? dynamodb?.OldImage)?.[attributes.entity]?.S;
}

/** The account a record belongs to. */
export function changeAccount({ dynamodb }: StreamRecord): string {
  const account = accountOfKey({ PK: dynamodb?.Keys?.['PK']?.S ?? '' });
  if (!account) throw new InternalError('a stream record without account');
  return account;
}

function positiveInteger(image: Attributes, name: string): number {
  const value = Number(image[name]?.N);
  if (!Number.isInteger(value) || value < 1) throw new InternalError(`a stream record without a whole ${name}`);
  return value;
}

/** Who wrote the version of the record in a stream record. */
export function recordActor({ dynamodb }: StreamRecord): Actor | undefined {
  return parseActor(dynamodb?.NewImage?.[attributes.actor]?.L?.map(({ S }) => S));
}

/**
 * Parses the change in a stream record; an entity without events has no images. Throws if Id is missing or the version
 * does not grow, and throws RecordError.
 */
export function parseChange(record: StreamRecord, entity: string): Change {
  const { NewImage, OldImage, ApproximateCreationDateTime } = record.dynamodb ?? {};
  const latest = NewImage ?? OldImage;
  if (!latest || !ApproximateCreationDateTime) throw new InternalError('a stream record without image or time');
  const latestVersion = positiveInteger(latest, attributes.version);
  const version = NewImage ? latestVersion : latestVersion + 1;
  // A write that does not raise the version would look like a change already queued, and be lost silently.
  if (NewImage && OldImage && version <= positiveInteger(OldImage, attributes.version))
    throw new InternalError(`a change of ${entity} with the same version`);
  return {
    account: changeAccount(record),
    entity,
    id: positiveInteger(latest, 'Id'),
    version,
    at: new Date(ApproximateCreationDateTime * 1000),
    actor: recordActor(record),
    before: readExisting(entity, OldImage),
    after: readExisting(entity, NewImage),
  };
}

/** What is left of an erased contact is not a record: its erasure is a deletion, and later changes are not events. */
const readExisting = (entity: string, image: Attributes | undefined): Stored | undefined =>
  image === undefined || image['ErasedAt'] !== undefined
    ? undefined
    : nounOf(entity)?.readDeclared(unmarshall(image as Parameters<typeof unmarshall>[0]));

/** The names of the fields that differ, sorted; both records have every field of the resource. */
export function changedFields(before: Stored, after: Stored): string[] {
  const changed: string[] = [];
  for (const name in after) {
    const [one, other] = [before[name], after[name]];
    if (one !== other && !isEqual(one, other)) changed.push(name);
  }
  return changed.sort();
}
