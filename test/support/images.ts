import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';

/** An item as a stream record writes it. */
export const written = (item: object): Record<string, AttributeValue> =>
  marshall(item, { removeUndefinedValues: true }) as Record<string, AttributeValue>;
