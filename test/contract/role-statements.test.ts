import { describe, expect, test } from 'vitest';
import { type Statement, bucketAccess, isAllowed, isLike, tableAccess } from '../prove/permissions.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/t';
const ofAccounts = (actions: string[], resource = TABLE): Statement => ({
  Effect: 'Allow',
  Action: actions,
  Resource: resource,
  Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['A#*'] } },
});
const key = (PK: string) => ({ PK: { S: PK }, SK: { S: 'X' } });

/** Whether every part of a request is allowed. */
const allows = (statements: Statement[], operation: string, request: object): boolean =>
  tableAccess(operation, { TableName: 't', ...request }).every((access) => isAllowed(statements, access));

describe('the proof of containers refuses what IAM refuses', () => {
  test.each([
    ['A#*', 'A#1#TASK#2', true],
    ['A#*', 'KEY#1', false],
    ['A#*#CURSOR#*', 'A#1#CURSOR#x', true],
    ['A#?', 'A#12', false],
    ['a.c', 'abc', false],
  ])('%s is like %s: %s', (pattern, text, expected) => expect(isLike(pattern, text)).toBe(expected));

  test.each([
    ['an item', 'GetItem', { Key: key('A#1') }, true],
    ['an item of another prefix', 'GetItem', { Key: key('KEY#1') }, false],
    ['another action', 'PutItem', { Item: key('A#1') }, false],
    ['a batch', 'BatchGetItem', { RequestItems: { t: { Keys: [key('A#1'), key('A#2')] } } }, false],
    ['a query', 'Query', partition('PK', 'A#1'), true],
    ['a query of another prefix', 'Query', partition('PK', 'RATE#1'), false],
    ['a query of an index without a statement', 'Query', { IndexName: 'GSI1', ...partition('GSI1PK', 'A#1') }, false],
  ])('%s', (_, operation, request, expected) =>
    expect(allows([ofAccounts(['dynamodb:GetItem', 'dynamodb:Query'])], operation, request)).toBe(expected),
  );

  test('a transaction needs the permission of each of its parts, and all keys of a batch a prefix', () => {
    const put = { Put: { TableName: 't', Item: key('A#1') } };
    const check = { ConditionCheck: { TableName: 't', Key: key('A#1') } };
    const statements = [ofAccounts(['dynamodb:PutItem', 'dynamodb:BatchWriteItem'])];
    expect(allows(statements, 'TransactWriteItems', { TransactItems: [put] })).toBe(true);
    expect(allows(statements, 'TransactWriteItems', { TransactItems: [put, check] })).toBe(false);
    // Whether AWS compares the keys of a part or of the whole: one statement has to allow all of them.
    const due = { Put: { TableName: 't', Item: key('DUE#1') } };
    const ofDue: Statement = {
      ...ofAccounts(['dynamodb:PutItem']),
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['DUE#*'] } },
    };
    expect(allows([...statements, ofDue], 'TransactWriteItems', { TransactItems: [put, due] })).toBe(false);
    const batch = (...keys: string[]) => ({
      RequestItems: { t: keys.map((of) => ({ DeleteRequest: { Key: key(of) } })) },
    });
    expect(allows(statements, 'BatchWriteItem', batch('A#1', 'A#2'))).toBe(true);
    expect(allows(statements, 'BatchWriteItem', batch('A#1', 'KEY#2'))).toBe(false);
  });

  test('a denial stands over a permission, and objects are allowed by their prefix', () => {
    const allow: Statement = { Effect: 'Allow', Action: 's3:PutObject', Resource: 'arn:aws:s3:::b/parked/*' };
    expect(isAllowed([allow], bucketAccess('PUT', '/b/parked/1.json'))).toBe(true);
    expect(isAllowed([allow], bucketAccess('PUT', '/b/files/1.json'))).toBe(false);
    expect(isAllowed([allow], bucketAccess('GET', '/b/parked/1.json'))).toBe(false);
    expect(isAllowed([allow, { ...allow, Effect: 'Deny' }], bucketAccess('PUT', '/b/parked/1.json'))).toBe(false);
  });
});

function partition(attribute: string, value: string): object {
  return {
    KeyConditionExpression: `${attribute} = :partition AND SK BETWEEN :low AND :high`,
    ExpressionAttributeValues: { ':partition': { S: value } },
  };
}
