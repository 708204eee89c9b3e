import { expect, test } from 'vitest';
import { groups } from '../../functions/index.ts';
import { suggestField } from '../../lib/api/suggest-field.ts';

/** The name without one of its letters, and with two neighbors swapped, near its beginning, middle and end. */
function typosOf(name: string): string[] {
  const typos = new Set<string>();
  for (const index of [1, Math.floor(name.length / 2), name.length - 2]) {
    const [before, letter, next, after] = [name.slice(0, index), name[index], name[index + 1], name.slice(index + 2)];
    typos.add(`${before}${next}${after}`).add(`${before}${next}${letter}${after}`);
  }
  return [...typos].filter((typo) => typo !== name);
}

test('a typo in a field of any operation suggests that field', () => {
  const operations = groups.flatMap((group) => group.operations);
  const asked = operations.flatMap(({ request }) => {
    const fields = Object.keys(request());
    return fields
      .filter((field) => field.length >= 4)
      .flatMap((field) => typosOf(field).map((typo) => ({ field, typo, found: suggestField(typo, fields) })));
  });
  expect(asked.length).toBeGreaterThan(3_000);
  expect(asked.filter(({ found }) => found === undefined)).toEqual([]);
  // `Sip` may be Zip or Skip, and `Paymentd` Payment or PaymentId.
  expect(asked.filter(({ field, found }) => found !== field).length).toBeLessThan(asked.length / 100);
});

test.each([
  ['Emial', ['EmailSearch', 'NameSearch'], 'EmailSearch'],
  ['Nmae', ['EmailSearch', 'NameSearch'], 'NameSearch'],
  ['Limt', ['Skip', 'Take'], 'Take'],
  ['CustmerId', ['ContactId', 'TaskId'], 'ContactId'],
  ['Technican', ['Name', 'ServiceAgentId'], undefined],
  ['Rate', ['Due', 'Description'], undefined],
  ['InvoiceId', ['InvoiceType', 'ServiceId'], undefined],
])('%s of %j is %s', (name, fields, found) => expect(suggestField(name, fields)).toBe(found));
