import { expect, test } from 'vitest';
import { MAX_STEPS } from '../../../lib/domain/pricing/rates.ts';
import { price } from '../../../lib/domain/pricing/price.ts';
import type { PriceRequest } from '../../../lib/domain/pricing/types.ts';
import { inputCountErrors } from '../../../lib/domain/proposals/price.ts';
import { createdProposal, references, tryUpdate } from '../../support/proposals.ts';
import { partsOf, request, tier } from '../../support/pricing.ts';

/** 400 lines of as many parts that always count, and a line of each option. `reads` counts prices looked up. */
function countedRequest(options: number): { readonly input: PriceRequest; readonly reads: () => number } {
  let count = 0;
  const QtyPricing = [tier(0, null, 0, { Formula: 'unit * quantity / 7' })];
  const parts = partsOf(...Array.from({ length: 450 }, (_, index) => ({ UnitPrice: index, Taxable: true })));
  for (const part of parts.values())
    Object.defineProperty(part, 'QtyPricing', {
      get: () => {
        count++;
        return QtyPricing;
      },
    });
  const lines = Array.from({ length: 400 + options }, (_, index) => ({
    partId: index + 1,
    quantity: 1 + (index % 7),
    optionId: index < 400 ? null : index - 399,
  }));
  return { input: request({ BasePrice: 10 }, { parts, lines, taxRate: 8.875 }), reads: () => count };
}

test('common lines are priced once, and not once for each option', () => {
  const [few, many] = [countedRequest(1), countedRequest(50)];
  const [one, fifty] = [price(few.input), price(many.input)];
  expect('options' in one && one.options.length).toBe(1);
  expect('options' in fifty && fifty.options.length).toBe(50);
  expect(many.reads() / few.reads()).toBeLessThan(1.3);
});

test('a pricing takes at most 50,000 steps: more are one error, and nothing more is calculated', () => {
  // 60 values and operations: 61 steps, with those of the line 67.
  const Formula = `unit${' + quantity'.repeat(30)}`;
  const parts = partsOf(
    ...Array.from({ length: 1_000 }, () => ({ UnitPrice: 1, QtyPricing: [tier(0, null, 0, { Formula })] })),
  );
  const withLines = (count: number) =>
    price(request({}, { parts, lines: Array.from({ length: count }, (_, index) => ({ partId: index + 1 })) }));
  expect(withLines(700)).toMatchObject({ lines: { length: 700 } });
  const refused = withLines(1_000);
  expect(refused).toEqual([
    { field: 'AddOnParts', code: 'limit', message: expect.stringMatching(/^take more than 50,000 steps/) as string },
  ]);
  expect(MAX_STEPS).toBe(50_000);
});

test('a service whose quantity depends on the selected option is priced for each, within the same limit', () => {
  const PartCategory = { Id: 5, Name: 'Panes' };
  const following = Array.from({ length: 50 }, (_, index) => ({ UnitPrice: index + 1, SyncQtyWithServiceQty: true }));
  const parts = partsOf(...following, { UnitPrice: 0, PartCategory });
  const lines = [
    ...following.map((_, index) => ({ partId: index + 1 })),
    ...[1, 2].map((optionId) => ({ partId: 51, quantity: 10 * optionId, optionId })),
  ];
  const breakdown = price(request({ UnitPrice: 1, QuantityOverridePartCategoryId: 5 }, { parts, lines }));
  // 1 + 2 + … + 50 = 1,275 for each unit, and the service itself.
  expect('options' in breakdown && breakdown.options.map(({ total }) => total)).toEqual([12_760, 25_520]);
});

test('a proposal has at most 500 lines besides items, and 50 options', () => {
  const lines = (count: number) => Array.from({ length: count }, () => ({ UnitPrice: 1 }));
  const options = (count: number, optionAt: (index: number) => object) =>
    Array.from({ length: count }, (_, index) => ({ UnitPrice: 1, ProposalOption: optionAt(index) }));
  const tooManyLines = {
    field: 'ProposalLines',
    code: 'too_long',
    message: expect.stringContaining('at most 500 lines') as string,
  };
  const tooManyOptions = {
    field: 'ProposalLines',
    code: 'too_long',
    message: expect.stringContaining('at most 50 options') as string,
  };
  expect(inputCountErrors({ ProposalLines: lines(500) })).toEqual([]);
  expect(inputCountErrors({ ProposalLines: lines(501) })).toEqual([tooManyLines]);
  const items = Array.from({ length: 400 }, () => ({ AssemblyLineId: 1 }));
  expect(inputCountErrors({ ProposalLines: [...lines(500), ...items] })).toEqual([]);
  expect(inputCountErrors({ ProposalLines: options(50, (index) => ({ Name: `Option ${index}` })) })).toEqual([]);
  expect(inputCountErrors({ ProposalLines: options(51, (index) => ({ Name: `Option ${index}` })) })).toEqual([
    tooManyOptions,
  ]);
  expect(inputCountErrors({ ProposalLines: options(51, (index) => ({ Id: index + 1 })) })).toEqual([tooManyOptions]);
});

test('an update does not add options beyond 50 to those of a proposal', () => {
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  const of = references({ ids: { lines: ids, options: ids, notes: [] } });
  const optionLine = (name: string) => ({ UnitPrice: 1, ProposalOption: { Name: name } });
  const input = { ProposalLines: Array.from({ length: 50 }, (_, index) => optionLine(`Option ${index}`)) };
  const proposal = createdProposal(input, of);
  expect(proposal.Options).toHaveLength(50);
  const more = references({ ids: { lines: [200], options: [200], notes: [] } });
  expect(tryUpdate(proposal, { ProposalLines: [optionLine('Option 50')] }, more)).toEqual([
    { field: 'ProposalLines', code: 'too_long', message: 'must have at most 50 options, not 51' },
  ]);
  expect(tryUpdate(proposal, { ProposalLines: [optionLine('Option 49')] }, more)).toMatchObject({
    Options: { length: 50 },
  });
});
