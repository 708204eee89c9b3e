import type { ProposalRecord } from '../../../lib/entities/proposals.ts';
import Big from 'big.js';
import { expect, test } from 'vitest';
import { price } from '../../../lib/domain/pricing/price.ts';
import type { PriceRequest } from '../../../lib/domain/pricing/types.ts';
import type { LineInput, ProposalInput } from '../../../lib/domain/proposals/input.ts';
import { isSameProposal } from '../../../lib/domain/proposals/price.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { add, money } from '../../../lib/shared/money.ts';
import { references, updatedProposal, toInput, createdProposal } from '../../support/proposals.ts';
import { chance, randomRequest } from '../../support/random/random-pricing.ts';

const RUNS = Number(process.env['PROPOSALS'] ?? 50);

const definitionsOf = ({ customFields = [] }: PriceRequest): CustomField[] =>
  customFields.map(({ Id, Shortcode }) => ({
    Id,
    Name: Shortcode,
    Shortcode,
    FormField: '',
    Value: null,
    Type: 1,
    TableType: 0,
    Phase: null,
    Required: false,
    HelpText: '',
    CustomFieldCategory: '',
    CheckboxListOptionId: null,
    CheckboxListOptionName: '',
    Options: [],
  }));

const lineOf = ({
  id,
  partId,
  quantity,
  unitPrice,
  unitCost,
  ratePercent,
  discount,
  taxable,
  isInternal,
  optionId,
  assemblyLineId,
}: NonNullable<PriceRequest['lines']>[number]): LineInput => ({
  Id: id,
  Part: partId ? { Id: partId } : null,
  Quantity: quantity,
  UnitPrice: unitPrice,
  UnitCost: unitCost,
  RatePercent: ratePercent,
  Discount: discount,
  Taxable: taxable,
  IsInternal: isInternal,
  AssemblyLineId: assemblyLineId ?? null,
  SortIndex: 0,
  ProposalOption: optionId ? { Name: `Option ${optionId}` } : null,
});

/** A random proposal by the rules of pricing, as a request to create, with all it refers to. */
function randomProposal(seed: number) {
  const generated = randomRequest(seed);
  // A quantity of 0 is ignored or removes the line; IsInternal of an item may repeat what its assembly makes of it.
  const overrides = (generated.lines ?? []).map(({ customFields: _, isZeroPrice: __, ...line }) => ({
    ...line,
    quantity: line.quantity === 0 ? 1 : line.quantity,
    isInternal: line.assemblyLineId ? null : line.isInternal,
  }));
  const request = {
    ...generated,
    lines: overrides,
    quantity: generated.quantity === 0 ? null : generated.quantity,
    discount: null,
  };
  const { service, parts, quantity, taxRate, taxable, customFields = [], selectedOptionIds = [] } = request;
  const lines = overrides
    .map(lineOf)
    .map((line) => ({
      ...line,
      ProposalOption: line.ProposalOption && {
        ...line.ProposalOption,
        Selected: selectedOptionIds.some((id) => line.ProposalOption?.Name === `Option ${id}`),
      },
    }));
  const of = references({
    service,
    parts,
    definitions: definitionsOf(request),
    taxRates: [{ Id: 1, Name: 'Tax', TaxRate: taxRate ?? 0, Parts: [] }],
    contact: { CustomFields: [...customFields], NamedTaxRateId: 1, AccountingClass: null, Zip: '' },
  });
  const input: ProposalInput = { Quantity: quantity, Taxable: taxable, ProposalLines: lines };
  return { request, of, input, lines };
}

const totals = ({
  Subtotal,
  Tax,
  TaxableSubtotal,
  ServiceTax,
  Duration,
  BasePrice,
  UnitPrice,
  Quantity,
}: ProposalRecord) => ({ Subtotal, Tax, TaxableSubtotal, ServiceTax, Duration, BasePrice, UnitPrice, Quantity });

const forManySeeds = (run: (seed: number) => void): void => {
  for (let seed = 1; seed <= RUNS; seed++) {
    try {
      run(seed);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
};

test('Subtotal and Tax are those of the service and the lines that count, to the cent', () => {
  forManySeeds((seed) => {
    const { of, input } = randomProposal(seed);
    const proposal = createdProposal(input, of);
    const { Lines, BasePrice, UnitPrice, Quantity, Subtotal, Tax, ServiceTax } = proposal;
    const counted = Lines.filter(({ Counts }) => Counts);
    expect(Subtotal).toBe(
      add(
        money(new Big(UnitPrice).times(Quantity).plus(BasePrice)),
        ...counted.map(({ ExtendedTotal }) => ExtendedTotal),
      ),
    );
    expect(Tax).toBe(add(ServiceTax, ...counted.map(({ LineTax }) => LineTax)));
  });
});

test('the totals are those of the pricing engine for the same request', () => {
  forManySeeds((seed) => {
    const { request, of, input } = randomProposal(seed);
    const result = price(request);
    if (Array.isArray(result)) throw new Error(JSON.stringify(result));
    expect(createdProposal(input, of)).toMatchObject({
      Subtotal: result.net,
      Tax: result.tax,
      TaxableSubtotal: result.taxableSubtotal,
      Duration: result.durationMinutes,
    });
  });
});

test('sending back the answer changes nothing', () => {
  forManySeeds((seed) => {
    const { of, input } = randomProposal(seed);
    const proposal = createdProposal(input, of);
    expect(
      isSameProposal(
        proposal,
        updatedProposal(proposal, toInput(proposal, of), { ...of, service: undefined, parts: new Map() }),
      ),
    ).toBe(true);
  });
});

test('pricing again after another change gives the same totals', () => {
  forManySeeds((seed) => {
    const { of, input } = randomProposal(seed);
    const proposal = createdProposal(input, of);
    const again = updatedProposal(
      proposal,
      { ...toInput(proposal, of), Date: '2027-02-01' },
      { ...of, service: undefined, parts: new Map() },
    );
    expect({ ...again, Date: proposal.Date }).toEqual(proposal);
  });
});

test('the order of lines changes no total', () => {
  forManySeeds((seed) => {
    const { of, input, lines } = randomProposal(seed);
    const dice = chance(seed);
    const shuffled = lines
      .map((line) => ({ line, at: dice() }))
      .sort((a, b) => a.at - b.at)
      .map(({ line }) => line);
    expect(totals(createdProposal({ ...input, ProposalLines: shuffled }, of))).toEqual(
      totals(createdProposal(input, of)),
    );
  });
});
