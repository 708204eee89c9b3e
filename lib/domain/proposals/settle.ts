import { alike } from '../alike.ts';
import type { Fault } from '../faults.ts';
import { bytesOf, bytesText } from '../sizes.ts';
import type { ToldProposal } from './merge.ts';
import { priceProposal, type PricedProposal, type Pricing } from './price.ts';
import type { ProposalLineRecord, ProposalRecord } from './record.ts';

/** An item holds 400 KB; what the client adds and the table's own attributes need some room. */
const MOST_BYTES = 350_000;

/** What of a proposal its prices follow from; of its lines and options see below. */
const PRICED_BY = ['Date', 'Book', 'AskedQuantity', 'Taxable', 'NamedTaxRate', 'CustomFields'] as const;
const LINE_PRICED_BY = [
  'Id',
  'AskedQuantity',
  'AskedPrice',
  'UnitCost',
  'RatePercent',
  'MaxDiscount',
  'Discount',
  'Taxable',
  'IsInternal',
  'AssemblyLineId',
  'OptionId',
  'CustomFields',
] as const;

const selectedOf = ({ Options }: ProposalRecord): number[] =>
  Options.filter(({ Selected }) => Selected).map(({ Id }) => Id);

const isAskedAlike = (one: ProposalLineRecord, other: ProposalLineRecord | undefined): boolean =>
  other !== undefined && LINE_PRICED_BY.every((name) => alike(one[name], other[name]));

/**
 * Whether it must be priced: what was quoted is not, so that no later change of the account's fields or ours changes
 * it.
 */
const isToBePriced = (before: ProposalRecord, after: ProposalRecord): boolean =>
  before.V === 0 ||
  before.Lines.length !== after.Lines.length ||
  PRICED_BY.some((name) => !alike(before[name], after[name])) ||
  !alike(selectedOf(before), selectedOf(after)) ||
  before.Lines.some((line, place) => !isAskedAlike(line, after.Lines[place]));

/** What of a proposal is bookkeeping, or its contact's. */
const ASIDE: ReadonlySet<string> = new Set<keyof ProposalRecord>(['V', 'Updated', 'AccountingClass']);

/** Whether two states of a proposal are the same, bookkeeping and the contact's accounting class aside. */
export const isSameProposal = (one: ProposalRecord, other: ProposalRecord): boolean =>
  (Object.keys(other) as (keyof ProposalRecord)[]).every((name) => ASIDE.has(name) || alike(one[name], other[name]));

/** Faults of pricing by the request's places: lines that it did not tell anything are named by their id. */
function asTold(
  faults: readonly Fault[],
  lines: readonly ProposalLineRecord[],
  places: ReadonlyMap<number, number>,
): Fault[] {
  return faults.map(({ field, message }) => {
    const [, place, rest = ''] = /^ProposalLines\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
    const id = place === undefined ? undefined : lines[Number(place)]?.Id;
    if (id === undefined) return { field, message };
    const index = places.get(id);
    return index === undefined
      ? { field: 'ProposalLines', message: `cannot be priced: of line ${id}${rest ? ` ${rest}` : ''} ${message}` }
      : { field: `ProposalLines[${index}]${rest ? `.${rest}` : ''}`, message };
  });
}

/** A proposal that is too large to be kept. */
function sizeFaults(proposal: ProposalRecord): Fault[] {
  if (bytesOf(proposal) <= MOST_BYTES) return [];
  const most = `at most ${bytesText(MOST_BYTES)} of JSON are kept`;
  return [
    {
      field: 'ProposalLines',
      message: `make the proposal too large with its parts, notes and linked proposals: ${most}`,
    },
  ];
}

/** A proposal as it was told, priced where that changes what it comes to; with every fault there is. */
export function settleProposal(
  before: ProposalRecord,
  { proposal, places, faults }: ToldProposal,
  pricing: Pricing,
): PricedProposal {
  const priced: PricedProposal = isToBePriced(before, proposal)
    ? priceProposal(proposal, pricing)
    : { kind: 'priced', proposal, options: [] };
  const all = [
    ...faults,
    ...(priced.kind === 'faults' ? asTold(priced.faults, proposal.Lines, places) : sizeFaults(priced.proposal)),
  ];
  return all.length ? { kind: 'faults', faults: all } : priced;
}
