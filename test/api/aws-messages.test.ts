import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { staticMessage } from '../../lib/api/aws-messages.ts';

describe('of a message of AWS, the log keeps', () => {
  test.each([
    [
      'One or more parameter values were invalid: Global secondary index GSI3 does not project [Q]',
      'One or more parameter values were invalid: Global secondary index GSI3 does not project [Q]',
    ],
    [
      'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ValidationError]',
      'Transaction cancelled, please refer cancellation reasons for specific reasons …',
    ],
    [
      'Invalid FilterExpression: Syntax error; token: "Quentin", near: "= Quentin Zweig"',
      'Invalid FilterExpression: Syntax error …',
    ],
    [
      'Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: Name',
      'Invalid KeyConditionExpression: Attribute name is a reserved keyword …',
    ],
    [
      'User: arn:aws:sts::123456789012:assumed-role/x/y is not authorized to perform: dynamodb:Query on resource: ' +
        'arn:aws:dynamodb:us-east-1:123456789012:table/t because no identity-based policy allows the dynamodb:Query action',
      '… is not authorized to perform … because no identity-based policy allows …',
    ],
    [
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        'The AttributeValue for a key attribute cannot contain an empty string value. IndexName: GSI1, IndexKey: GSI1PK',
      'One or more parameter values are not valid A value specified for a secondary index key is not supported ' +
        'The AttributeValue for a key attribute cannot contain an empty string value IndexName: GSI1 IndexKey: GSI1PK',
    ],
    ['The conditional request failed', 'The conditional request failed'],
    ['Item size has exceeded the maximum allowed size', 'Item size has exceeded the maximum allowed size'],
  ])('%s', (message, kept) => {
    expect(staticMessage(message)).toBe(kept);
  });

  test.each([
    ['Quentin Zweig, q.zweig@example.com', undefined],
    ['', undefined],
    ['Unexpected token Q in JSON', undefined],
    ['Missing the key Quentin in the item', 'Missing the key …'],
    ['Global secondary index Zweig does not project [Notes]', 'Global secondary index … does not project …'],
    ['does not project [Q](217) 778-8012', 'does not project [Q] …'],
    ['Key: A#acme', undefined],
    ['Key: Z-778', undefined],
    ['\u001b[31mRate exceeded\n{"Level":"error"}', '… Rate exceeded …'],
  ])('nothing of the customer: %s', (message, kept) => {
    expect(staticMessage(message)).toBe(kept);
  });
});

test('whatever surrounds the static parts, none of it is kept', () => {
  const data = fc.oneof(fc.string(), fc.constantFrom('Zweig', '(217) 778-8012', '[Zweig]', '{name}', ' PK ', 'A#1'));
  const part = fc.constantFrom('Rate exceeded', 'Access Denied', 'Syntax error');
  fc.assert(
    fc.property(fc.array(fc.tuple(data, part), { maxLength: 20 }), data, (pieces, last) => {
      const message = pieces.flat().join('') + last;
      const kept = staticMessage(message) ?? '';
      expect(kept.replaceAll(/Rate exceeded|Access Denied|Syntax error/g, '')).toMatch(/^[ :…]*$/);
      expect(kept.length).toBeLessThan(200);
    }),
  );
});
