import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  POSTAL_SHARDS,
  type PostalShard,
  assignCodes,
  findClasses,
  classifyCodes,
  describeEntries,
  emptyShard,
  entriesFor,
  findOwner,
  parsePostalCodes,
  servesCode,
  shardOfCode,
} from '../../lib/domain/postal-ownership.ts';

const code = fc.constantFrom('62701', '6270', '2701', '62702', '62703', 'K1A0B1', '27016', '70162');
const list = fc.uniqueArray(code);

describe("a shard of the account's postal codes", () => {
  test('is one of 32, always the same for a code, and all have about the same number of US codes', () => {
    const counts = Array.from({ length: POSTAL_SHARDS }, () => 0);
    for (let zip = 1000; zip < 99_950; zip++) {
      const shard = shardOfCode(String(zip).padStart(5, '0'));
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(2_500);
    expect(Math.max(...counts)).toBeLessThan(3_700);
  });

  test('after assignments in any order gives each code the one owner whose assignment succeeded last', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ organization: fc.integer({ min: 1, max: 4 }), codes: list }), { maxLength: 30 }),
        (assignments) => {
          let shard: PostalShard = emptyShard;
          const owned = new Map<string, number>();
          for (const { organization, codes } of assignments) {
            const assignment = assignCodes(shard, organization, codes);
            const rivals = codes.filter((one) => (owned.get(one) ?? organization) !== organization);
            if (assignment.kind === 'taken') {
              expect(assignment.taken).toEqual(rivals.map((one) => ({ code: one, by: owned.get(one) })));
            } else {
              expect(rivals).toEqual([]);
              shard = assignment.shard;
              for (const [one, by] of owned) if (by === organization) owned.delete(one);
              for (const one of codes) owned.set(one, organization);
            }
            for (const one of ['62701', '6270', '2701', '62702', 'K1A0B1', '27016', '70162', '99999'])
              expect(findOwner(shard, one)).toBe(owned.get(one) ?? null);
          }
        },
      ),
    );
  });

  test("has at most one class of an organization for a code, with the class's present name", () => {
    const north = { OrganizationId: 1, Id: 1, AccountingClass: 'North', TerritoryID: 'N' };
    const first = classifyCodes(emptyShard, north, ['62701', '62702']);
    if (first.kind === 'taken') throw new Error('taken');
    expect(classifyCodes(first.shard, { ...north, Id: 2, AccountingClass: 'South' }, ['62703', '62702'])).toEqual({
      kind: 'taken',
      taken: [{ code: '62702', by: 1, name: 'North' }],
    });
    const other = classifyCodes(first.shard, { ...north, OrganizationId: 2, Id: 2, AccountingClass: 'South' }, [
      '62702',
    ]);
    if (other.kind === 'taken') throw new Error('taken');
    expect(
      findClasses(other.shard, '62702').map(({ OrganizationId, AccountingClass }) => [OrganizationId, AccountingClass]),
    ).toEqual([
      [1, 'North'],
      [2, 'South'],
    ]);
    const renamed = classifyCodes(other.shard, { ...north, AccountingClass: 'Far North' }, ['62702']);
    if (renamed.kind === 'taken') throw new Error('taken');
    expect(
      findClasses(renamed.shard, '62702')
        .map(({ AccountingClass }) => AccountingClass)
        .sort(),
    ).toEqual(['Far North', 'South']);
    expect(findClasses(renamed.shard, '62701')).toEqual([]);
  });
});

describe('a list of postal codes', () => {
  test.each<[string, string[], string[]]>([
    [
      'codes as they are written',
      ['62701-1234', ' k1a 0b1', 'K1A-0B1', 'SW1A 1AA', '1010'],
      ['62701', 'K1A0B1', 'SW1A1AA', '1010'],
    ],
    ['a range of US codes as its codes', ['10001-10004', '10003'], ['10001', '10002', '10003', '10004']],
    ['a range over spaces and a dash', ['02138 – 02140'], ['02138', '02139', '02140']],
    ['beginnings of codes', ['K1B', 'sw1a', 'E1', '100'], ['K1B', 'SW1A', 'E1', '100']],
    ['codes of other countries with hyphens', ['100-0001', '01310-100', '00-950'], ['1000001', '01310100', '00950']],
  ])('has %s', (_, input, codes) => {
    expect(parsePostalCodes(input)).toEqual({ codes });
  });

  test.each(['10010-10001', '00001-99999', 'K1A-K1C', 'SW1A-SW1E', '1010-1020', '100-102', 'ANYWHERE', 'K', '1'])(
    'that has %j is refused, and says what it may have',
    (text) => {
      const { codes, error } = parsePostalCodes(['62701', text]);
      expect([codes, error]).toEqual([['62701'], expect.stringMatching(/^must contain only .* "[^"]+"$/)]);
    },
  );

  test.each<[string, string, boolean]>([
    ['100', '10001', true],
    ['100', '11001', false],
    ['K1B', 'K1B2C3', true],
    ['K1', 'K1B2C3', true],
    ['K1B', 'K1C2C3', false],
    ['SW1A', 'SW1A1AA', true],
    ['SW1', 'SW1A1AA', true],
    ['SW1', 'SW101AA', false],
    ['E1', 'E16AN', true],
    ['E1', 'E106AN', false],
    ['D02', 'D02AF30', true],
    ['1010', '1010', true],
    ['1010', '10101', false],
  ])('with %s: whether it serves %s is %s', (entry, one, isServed) => {
    expect(servesCode([entry], one)).toBe(isServed);
    expect(entriesFor(one)[0]).toBe(one);
  });

  test('says what its ranges and beginnings stand for', () => {
    expect(describeEntries(['62701', '10001-10010', 'k1b', 'SW1A'])).toEqual([
      '10001-10010 is 10 postal codes.',
      'K1B, SW1A stand for all codes that begin so.',
    ]);
    expect(describeEntries(['62701', 'K1A 0B1'])).toEqual([]);
  });
});
