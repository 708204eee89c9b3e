import { attributes } from '../store/keys.ts';

/**
 * Texts in AWS messages that are the same for every caller. `{name}` stands for a name of the table: an index, a key or
 * an attribute. Any other text is not logged, because AWS quotes what it refuses. Built at the first failure.
 */
const staticParts = (): readonly string[] => [
  // Requests to the table.
  'One or more parameter values were invalid',
  'One or more parameter values are not valid',
  'Global secondary index {name}',
  'Global secondary index',
  'does not project [{name}]',
  'does not project',
  'The table does not have the specified index: {name}',
  'The table does not have the specified index',
  'Consistent reads are not supported on global secondary indexes',
  'Invalid ProjectionExpression',
  'Invalid KeyConditionExpression',
  'Invalid FilterExpression',
  'Invalid ConditionExpression',
  'Invalid UpdateExpression',
  'Syntax error',
  'Attribute name is a reserved keyword',
  'An expression attribute name used in the document path is not defined',
  'An expression attribute value used in expression is not defined',
  'Value provided in ExpressionAttributeNames unused in expressions',
  'Value provided in ExpressionAttributeValues unused in expressions',
  'ExpressionAttributeNames must not be empty',
  'ExpressionAttributeValues must not be empty',
  'Two document paths overlap with each other',
  'Two document paths conflict with each other',
  'The document path provided in the update expression is invalid for update',
  'The provided expression refers to an attribute that does not exist in the item',
  'An operand in the update expression has an incorrect data type',
  'Incorrect operand type for operator or function',
  'Expression size has exceeded the maximum allowed size',
  'Filter Expression can only contain non-primary key attributes',
  'Query condition missed key schema element: {name}',
  'Query condition missed key schema element',
  'Query key condition not supported',
  'The provided starting key is outside query boundaries based on provided conditions',
  'The provided starting key is invalid',
  // Written items.
  'The provided key element does not match the schema',
  'Missing the key {name} in the item',
  'Missing the key',
  'Type mismatch for key {name}',
  'Type mismatch for key',
  'Type mismatch for Index Key {name}',
  'The AttributeValue for a key attribute cannot contain an empty string value',
  'A value specified for a secondary index key is not supported',
  'IndexName: {name}',
  'IndexKey: {name}',
  'Key: {name}',
  'An string set  may not be empty',
  'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  'Size of hashkey has exceeded the maximum size limit of2048 bytes',
  'Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
  'Item size has exceeded the maximum allowed size',
  'Item size to update has exceeded the maximum allowed size',
  'Nesting Levels have exceeded supported limits',
  'Attempting to store more than 38 significant digits in a Number',
  'Number overflow. Attempting to store a number with magnitude larger than supported range',
  'The parameter cannot be converted to a numeric value',
  // Transactions and batches.
  'Transaction cancelled, please refer cancellation reasons for specific reasons',
  'Transaction request cannot include multiple operations on one item',
  'Transaction is ongoing for the item',
  'Collection size of items in transaction cannot exceed 4MB',
  'The conditional request failed',
  'Too many items requested for the BatchGetItem call',
  'Too many items requested for the BatchWriteItem call',
  'Provided list of item keys contains duplicates',
  'validation error detected',
  'validation errors detected',
  'failed to satisfy constraint',
  'Member must have length less than or equal to',
  'Member must have length greater than or equal to',
  'Member must not be null',
  // Limits and outages.
  'The level of configured provisioned throughput for the table was exceeded',
  'Throughput exceeds the current capacity of your table or index',
  'Throughput exceeds the current throughput limit for your account',
  'Rate of requests exceeds the allowed throughput',
  'Rate exceeded',
  'Please reduce your request rate',
  'Internal server error',
  'We encountered an internal error. Please try again',
  // Names, permissions and credentials.
  'Requested resource not found',
  'Cannot do operations on a non-existent table',
  'The specified key does not exist',
  'The specified bucket does not exist',
  'The specified upload does not exist',
  'The specified queue does not exist',
  "Secrets Manager can't find the specified secret",
  'At least one of the pre-conditions you specified did not hold',
  'Your proposed upload is smaller than the minimum allowed size',
  'is not authorized to perform',
  'because no identity-based policy allows',
  'because no session policy allows',
  'with an explicit deny in',
  'Access Denied',
  'The security token included in the request is expired',
  'The security token included in the request is invalid',
  'Signature expired',
  'The request signature we calculated does not match the signature you provided',
];

const MAX_SCANNED = 2_000;
const MAX_PARTS = 8;

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function makePattern(): RegExp {
  const names = ['GSI[1-4](?:PK|SK)?', 'PK', 'SK', ...Object.values(attributes)].join('|');
  const parts = staticParts()
    .toSorted((a, b) => b.length - a.length)
    .map((part) => escape(part).replace(escape('{name}'), String.raw`(?:${names})(?![\w#-])`));
  return new RegExp(parts.join('|'), 'g');
}

let pattern: RegExp | undefined;

const isPunctuation = (text: string): boolean => /^[\s:;,.()]*$/.test(text);

/** What to put between two parts: a mark if something was left out. */
function between(left: string): string {
  if (!isPunctuation(left)) return ' … ';
  return left.includes(':') ? ': ' : ' ';
}

/**
 * The static parts of an AWS message, with `…` where something is left out; `undefined` if no part is known. `Invalid
 * FilterExpression: Syntax error; token: "Ann Lee"` → `Invalid FilterExpression: Syntax error …`.
 */
export function staticMessage(message: string): string | undefined {
  const text = message.slice(0, MAX_SCANNED);
  const found = [...text.matchAll((pattern ??= makePattern()))].slice(0, MAX_PARTS);
  if (!found.length) return undefined;
  let end = 0;
  const parts = found.map(({ 0: part, index }, position) => {
    const left = text.slice(end, index);
    end = index + part.length;
    if (position) return between(left) + part;
    return isPunctuation(left) ? part : `… ${part}`;
  });
  return parts.join('') + (isPunctuation(message.slice(end)) ? '' : ' …');
}
