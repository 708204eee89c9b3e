import type { AddOnPart } from '../../../lib/entities/appointments.ts';
import { expect, test } from 'vitest';
import { findAddedParts } from '../../../lib/domain/proposals/sold-work.ts';

const soldProposal = (PartId: number, Quantity: number, more: Partial<AddOnPart> = {}): AddOnPart => ({
  Id: PartId,
  PartId,
  Name: `Part ${PartId}`,
  UnitOfMeasure: '',
  RangePricing: false,
  Quantity,
  UnitPrice: 5,
  Discount: null,
  ...more,
});

test.each([
  ['no lines add nothing', [soldProposal(1, 2)], [], []],
  [
    'the answered lines add nothing',
    [soldProposal(1, 2), soldProposal(2, 1, { Discount: 3 })],
    [
      { PartId: 1, Quantity: 2, UnitPrice: 5 },
      { PartId: 2, Quantity: 1, Discount: 3 },
    ],
    [],
  ],
  ['a part without values is the sold one', [soldProposal(1, 2)], [{ PartId: 1 }], []],
  ['a price of 0 is ignored', [soldProposal(1, 2)], [{ PartId: 1, UnitPrice: 0 }], []],
  ['another part is added', [soldProposal(1, 2)], [{ PartId: 3, Quantity: 4 }], [0]],
  [
    'more of a part is added if all that was sold of it is repeated, in any order',
    [soldProposal(1, 2)],
    [
      { PartId: 1, Quantity: 1 },
      { PartId: 1, Quantity: 2 },
    ],
    [0],
  ],
  [
    'a second equal line is added',
    [soldProposal(1, 2)],
    [
      { PartId: 1, Quantity: 2 },
      { PartId: 1, Quantity: 2 },
    ],
    [1],
  ],
])('%s', (_, of, lines, indexes) => {
  expect(findAddedParts(of, lines)).toEqual({ kind: 'added', lines: indexes.map((index) => lines[index]), indexes });
});

test.each([
  ['another quantity', { PartId: 1, Quantity: 3 }],
  ['another price', { PartId: 1, UnitPrice: 6 }],
  ['a discount', { PartId: 1, Discount: 1 }],
])('%s of a sold part is a change', (_, line) => {
  expect(findAddedParts([soldProposal(1, 2)], [line])).toEqual({ kind: 'changed', part: soldProposal(1, 2) });
});
