import type { AttributeValue, _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { AttributeValue as LambdaValue, DynamoDBRecord } from 'aws-lambda';
import { table } from '../table.ts';

type Image = Record<string, AttributeValue>;
type LambdaImage = Record<string, LambdaValue>;

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A value as Lambda writes it into an event: bytes as base64, all else as it is. */
function lambdaValue(value: AttributeValue): LambdaValue {
  if (value.B) return { B: text(value.B) };
  if (value.BS) return { BS: value.BS.map(text) };
  if (value.L) return { L: value.L.map(lambdaValue) };
  if (value.M) return { M: lambdaImage(value.M) };
  return value as LambdaValue;
}

const lambdaImage = (image: Image): LambdaImage =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, lambdaValue(value)]));

/**
 * Who has made the change, where it was the table itself: a removal at or after the item's own time, for which the
 * engine, unlike DynamoDB, needs us (time-to-live.ts), so that it names nobody.
 */
function byTheTable({ eventName, dynamodb }: StreamRecord): DynamoDBRecord['userIdentity'] {
  const { OldImage, ApproximateCreationDateTime: at } = dynamodb ?? {};
  const time = OldImage?.[table.timeToLive]?.N;
  const isOver = eventName === 'REMOVE' && time !== undefined && at && Number(time) * 1000 <= at.getTime();
  return isOver ? { type: 'Service', principalId: 'dynamodb.amazonaws.com' } : undefined;
}

/** A record as the stream's own interface gives it, as Lambda hands it to a function. */
export function lambdaRecord(record: StreamRecord, streamArn: string): DynamoDBRecord {
  const { eventID, eventName, eventVersion, awsRegion, dynamodb = {} } = record;
  const named = record.userIdentity;
  const userIdentity = named ? { type: named.Type, principalId: named.PrincipalId } : byTheTable(record);
  const { ApproximateCreationDateTime, Keys, NewImage, OldImage, SequenceNumber, SizeBytes, StreamViewType } = dynamodb;
  return {
    ...(eventID ? { eventID } : {}),
    ...(eventName ? { eventName } : {}),
    ...(eventVersion ? { eventVersion } : {}),
    eventSource: 'aws:dynamodb',
    ...(awsRegion ? { awsRegion } : {}),
    dynamodb: {
      ...(ApproximateCreationDateTime
        ? { ApproximateCreationDateTime: ApproximateCreationDateTime.getTime() / 1000 }
        : {}),
      ...(Keys ? { Keys: lambdaImage(Keys) } : {}),
      ...(NewImage ? { NewImage: lambdaImage(NewImage) } : {}),
      ...(OldImage ? { OldImage: lambdaImage(OldImage) } : {}),
      ...(SequenceNumber ? { SequenceNumber } : {}),
      ...(SizeBytes ? { SizeBytes } : {}),
      ...(StreamViewType ? { StreamViewType } : {}),
    },
    eventSourceARN: streamArn,
    ...(userIdentity ? { userIdentity } : {}),
  };
}

export const sequenceOf = (record: DynamoDBRecord | undefined): string => record?.dynamodb?.SequenceNumber ?? '';

/** When a record came to be, in milliseconds since 1970. */
export const createdAt = (record: DynamoDBRecord | undefined): number =>
  (record?.dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;
