import { NO_LINKS } from '../../../lib/domain/client-pages.ts';
import { contactEntity } from '../../../lib/entities/contacts.ts';
import { type ProposalRecord, Proposal } from '../../../lib/entities/proposals.ts';
import { expect, test } from 'vitest';
import { price } from '../../../lib/domain/pricing/price.ts';
import type { LineRequest, PriceRequest } from '../../../lib/domain/pricing/types.ts';
import { applyProposalInput } from '../../../lib/domain/proposals/apply-input.ts';
import type { LineInput, ProposalInput } from '../../../lib/domain/proposals/input.ts';
import { countNewIds } from '../../../lib/domain/proposals/lines.ts';
import { type PricedProposal, countNewItems, finalizeProposal } from '../../../lib/domain/proposals/price.ts';
import { type QuoteReferences, priceQuote } from '../../../lib/domain/proposals/quote.ts';
import { blankProposal, proposalToResource } from '../../../lib/domain/proposals/record.ts';
import type { CustomField } from '../../../lib/resources/custom-fields.ts';
import { randomRequest } from '../../support/random/random-pricing.ts';

const REQUESTS = Number(process.env['QUOTES'] ?? 60);
const NOW = Date.UTC(2026, 2, 8, 12);

const blank = blankProposal({
  Id: 0,
  OrganizationId: 1,
  ContactId: 1,
  Zone: 'America/New_York',
  Date: '2026-03-08',
  Created: NOW,
});

/**
 * What a proposal supports: a quantity of 0 would remove a line, and it has no free lines and no overall discount. An
 * internal item is one that its assembly makes internal, as a quote answers it.
 */
function withoutUnsupported(request: PriceRequest): PriceRequest {
  const lines = (request.lines ?? []).map((line): LineRequest => ({
    ...line,
    quantity: line.quantity || null,
    isZeroPrice: false,
    isInternal: line.assemblyLineId ? null : line.isInternal,
  }));
  return { ...request, discount: null, quantity: request.quantity || null, lines };
}

/** Line fields belong to lines, all others to the contact. */
const definition = ({ Id, Shortcode }: { Id: number; Shortcode: string }): CustomField => ({
  Id,
  Shortcode,
  Name: Shortcode,
  FormField: '',
  Value: null,
  Type: 1,
  TableType: Shortcode === 'own' ? 3 : 0,
  Phase: null,
  Required: false,
  HelpText: '',
  CustomFieldCategory: '',
  CheckboxListOptionId: null,
  CheckboxListOptionName: '',
  Options: [],
});

function toReferences({ service, parts, taxRate, customFields = [] }: PriceRequest): QuoteReferences {
  const contact = contactEntity.blank({ Id: 1, Hash: '', OrganizationId: 1, LocationID: '', Created: NOW });
  return {
    now: NOW,
    country: 'US',
    service,
    parts,
    templates: new Map(),
    definitions: customFields.map(definition),
    owners: [],
    agentIds: new Set(),
    agentAdvice: '',
    allowLoopback: false,
    taxRates: [{ Id: 1, Name: 'State', TaxRate: taxRate ?? 0, Parts: [] }],
    contact: { ...contact, NamedTaxRateId: 1, CustomFields: customFields.map(({ Id, Value }) => ({ Id, Value })) },
  };
}

function toInput({ lines = [], quantity, taxable, selectedOptionIds = [] }: PriceRequest): ProposalInput {
  const ProposalLines = lines.map((line): LineInput => ({
    Id: line.id,
    Part: line.partId ? { Id: line.partId } : null,
    Quantity: line.quantity,
    UnitPrice: line.unitPrice,
    UnitCost: line.unitCost ?? undefined,
    RatePercent: line.ratePercent,
    Discount: line.discount,
    Taxable: line.taxable ?? undefined,
    IsInternal: line.isInternal ?? undefined,
    AssemblyLineId: line.assemblyLineId,
    ProposalOption: line.optionId
      ? { Name: `Option ${line.optionId}`, Selected: selectedOptionIds.includes(line.optionId) }
      : undefined,
    CustomFields: line.customFields?.map(({ Id, Value }) => ({ Id, Value: Value as number })),
  }));
  return { Quantity: quantity, Taxable: taxable ?? undefined, ProposalLines };
}

/** As proposal/create does it, with ids of an account. */
function create(input: ProposalInput, references: QuoteReferences): PricedProposal {
  const needs = countNewIds(blank, input);
  const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
  const result = applyProposalInput({ ...blank, Id: 77 }, input, {
    ...references,
    ids: { lines: ids(501, needs.lines), options: ids(901, needs.options), notes: [] },
  });
  return finalizeProposal(blank, result, {
    definitions: references.definitions,
    lineIds: ids(5001, countNewItems(result.proposal)),
  });
}

function record(result: PricedProposal): ProposalRecord {
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.errors));
  return result.proposal;
}

const sortedRows = (rows: readonly (readonly unknown[])[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
const figures = ({ Subtotal, Tax, TaxableSubtotal, Quantity, Duration, Lines }: ProposalRecord) => ({
  Subtotal,
  Tax,
  TaxableSubtotal,
  Quantity,
  Duration,
  lines: sortedRows(
    Lines.map((line) => [line.PartId, line.Quantity, line.ExtendedTotal, line.LineTax, line.Duration, line.Counts]),
  ),
});

/** In its answer the items of an assembly come first, so that the option that SelectedSolution names is the second. */
const SECOND_OPTION_SEED = 1_746;
const seeds = [...Array.from({ length: REQUESTS }, (_, index) => index + 1), SECOND_OPTION_SEED];

function forManyRequests(run: (request: PriceRequest) => void): void {
  for (const seed of seeds) {
    try {
      run(withoutUnsupported(randomRequest(seed)));
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
}

test('a quote costs what the pricing engine calculates, to the cent', () => {
  forManyRequests((request) => {
    const result = price({ ...request, paths: { lines: 'ProposalLines', part: 'Part.Id' } });
    if (Array.isArray(result)) throw new Error(JSON.stringify(result));
    const lines = result.lines.map((line) => [
      line.partId ?? 0,
      line.quantity,
      line.net,
      line.tax,
      line.duration,
      line.counts,
    ]);
    expect(
      figures(record(priceQuote(blank, { template: undefined, input: toInput(request) }, toReferences(request)))),
    ).toEqual({
      Subtotal: result.net,
      Tax: result.tax,
      TaxableSubtotal: result.taxableSubtotal,
      Quantity: result.quantity,
      Duration: result.durationMinutes,
      lines: sortedRows(lines),
    });
  });
});

test('a quote costs the same when it is created, to the cent', () => {
  forManyRequests((request) => {
    const references = toReferences(request);
    expect(figures(record(create(toInput(request), references)))).toEqual(
      figures(record(priceQuote(blank, { template: undefined, input: toInput(request) }, references))),
    );
  });
});

/**
 * An answer contains quantities and prices as priced, not as requested: a service's QuantityFormula would be calculated
 * twice, a part that follows the quantity of a service that counts parts has the requested one, and quantity prices and
 * assemblies hide a price requested within a range.
 */
function withAnswerableInput(request: PriceRequest): PriceRequest {
  const parts = new Map(
    [...request.parts].map(([id, part]) => [
      id,
      { ...part, RangePricing: part.RangePricing && !part.QtyPricing.length },
    ]),
  );
  const isChosen = ({ assemblyLineId, partId }: LineRequest) =>
    !assemblyLineId && !parts.get(partId ?? 0)?.QtyPricing.length;
  const lines = (request.lines ?? []).map((line) => (isChosen(line) ? line : { ...line, unitPrice: null }));
  const service = { ...request.service, QuantityFormula: '', QuantityOverridePartCategoryId: null };
  return { ...request, service, parts, lines };
}

test('the answer of a quote, sent to create, costs the same to the cent', () => {
  const schema = Proposal.input();
  let sent = 0;
  forManyRequests((input) => {
    const request = withAnswerableInput(input);
    const references = toReferences(request);
    const quoted = record(priceQuote(blank, { template: undefined, input: toInput(request) }, references));
    // A line with a quantity of 0 by a field or formula would be removed.
    if (quoted.Lines.some(({ Quantity }) => Quantity === 0)) return;
    const answered: unknown = JSON.parse(
      JSON.stringify(
        proposalToResource(quoted, { now: NOW, contact: null, definitions: references.definitions, link: NO_LINKS }),
      ),
    );
    expect(figures(record(create(schema.parse(answered), references)))).toEqual(figures(quoted));
    sent++;
  });
  expect(sent).toBeGreaterThan(REQUESTS * 0.9);
});

test('lines and options of a quote are numbered from 1 without gaps', () => {
  forManyRequests((request) => {
    const { Lines, Options } = record(
      priceQuote(blank, { template: undefined, input: toInput(request) }, toReferences(request)),
    );
    const counted = (records: readonly { Id: number }[]) =>
      expect(records.map(({ Id }) => Id).sort((a, b) => a - b)).toEqual(records.map((_, index) => index + 1));
    counted(Lines);
    counted(Options);
  });
});

test('SelectedSolution in create contradicts lines that select several options, unless it names the first', () => {
  const references = toReferences(randomRequest(1));
  const ProposalLines = ['Good', 'Better', 'Best'].map((Name, index) => ({
    UnitPrice: 10,
    ProposalOption: { Name, Selected: index < 2 },
  }));
  const kindOf = (Name: string) => create({ ProposalLines, SelectedSolution: { Name } }, references).kind;
  expect(['Good', 'Better', 'Best'].map(kindOf)).toEqual(['priced', 'invalid', 'invalid']);
});
