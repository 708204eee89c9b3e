import Big from 'big.js';
import { expect, test } from 'vitest';
import { price } from '../../../lib/domain/pricing/price.ts';
import type { PriceRequest } from '../../../lib/domain/pricing/types.ts';
import type { LineInput, ProposalInput } from '../../../lib/domain/proposals/input.ts';
import { isSameProposal } from '../../../lib/domain/proposals/price.ts';
import type { ProposalRecord } from '../../../lib/domain/proposals/record.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { add, money } from '../../../lib/shared/money.ts';
import { around, changed, echoed, made } from '../../support/proposals.ts';
import { chance, randomRequest } from '../../support/random-pricing.ts';

const RUNS = 300;

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

/** A random proposal by the rules of pricing, as create is asked for it; with all it draws on. */
function random(seed: number) {
  const drawn = randomRequest(seed);
  // 0 says nothing, or takes away; an item that says it is internal may only say what its assembly makes of it.
  const said = (drawn.lines ?? []).map(({ customFields: _, isZeroPrice: __, ...line }) => ({
    ...line,
    quantity: line.quantity === 0 ? 1 : line.quantity,
    isInternal: line.assemblyLineId ? null : line.isInternal,
  }));
  const request = { ...drawn, lines: said, quantity: drawn.quantity === 0 ? null : drawn.quantity, discount: null };
  const { service, parts, quantity, taxRate, taxable, customFields = [], selectedOptionIds = [] } = request;
  const lines = said
    .map(lineOf)
    .map((line) => ({
      ...line,
      ProposalOption: line.ProposalOption && {
        ...line.ProposalOption,
        Selected: selectedOptionIds.some((id) => line.ProposalOption?.Name === `Option ${id}`),
      },
    }));
  const of = around({
    service,
    parts,
    definitions: definitionsOf(request),
    taxRates: [{ Id: 1, Name: 'Tax', TaxRate: taxRate ?? 0 }],
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

const onMany = (run: (seed: number) => void): void => {
  for (let seed = 1; seed <= RUNS; seed++) {
    try {
      run(seed);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
};

test('Subtotal is the service and the lines that count, Tax theirs, to the cent; as the engine has it', () => {
  onMany((seed) => {
    const { of, input } = random(seed);
    const proposal = made(input, of);
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

test('it comes to what the engine says of the same request', () => {
  onMany((seed) => {
    const { request, of, input } = random(seed);
    const priced = price(request);
    if (Array.isArray(priced)) throw new Error(JSON.stringify(priced));
    expect(made(input, of)).toMatchObject({
      Subtotal: priced.net,
      Tax: priced.tax,
      TaxableSubtotal: priced.taxableSubtotal,
      Duration: priced.durationMinutes,
    });
  });
});

test('sending back what was answered changes nothing', () => {
  onMany((seed) => {
    const { of, input } = random(seed);
    const proposal = made(input, of);
    expect(
      isSameProposal(
        proposal,
        changed(proposal, echoed(proposal, of), { ...of, service: undefined, parts: new Map() }),
      ),
    ).toBe(true);
  });
});

test('priced again because something else changed, it comes to the same', () => {
  onMany((seed) => {
    const { of, input } = random(seed);
    const proposal = made(input, of);
    const again = changed(
      proposal,
      { ...echoed(proposal, of), Date: '2027-02-01' },
      { ...of, service: undefined, parts: new Map() },
    );
    expect({ ...again, Date: proposal.Date }).toEqual(proposal);
  });
});

test('the order of lines changes no total', () => {
  onMany((seed) => {
    const { of, input, lines } = random(seed);
    const dice = chance(seed);
    const shuffled = lines
      .map((line) => ({ line, at: dice() }))
      .sort((a, b) => a.at - b.at)
      .map(({ line }) => line);
    expect(totals(made({ ...input, ProposalLines: shuffled }, of))).toEqual(totals(made(input, of)));
  });
});
