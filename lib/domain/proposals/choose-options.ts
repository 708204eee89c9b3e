import { ProposalStatus } from '../../entities/proposal-status.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { InternalError } from '../../shared/failure.ts';
import { formatMoney } from '../../shared/money.ts';
import type { OptionTotals } from '../pricing/types.ts';
import { type Minimum, missingMinimum } from './acceptance.ts';
import { priceProposal } from './price.ts';
import { selectedOptionIds } from './record.ts';

/**
 * How the client chooses among the options of a proposal. If the company selected several itself, or the service
 * requires several (MinimumOptions), any number may be chosen; a single option may be added or not. Otherwise they are
 * alternatives, and the client chooses one.
 */
export function choiceOf(proposal: Pick<ProposalRecord, 'Options' | 'Book'>): 'one' | 'any' {
  const { MinimumOptions = null } = proposal.Book.Service;
  if (proposal.Options.length === 1) return 'any';
  return selectedOptionIds(proposal).length > 1 || (MinimumOptions ?? 0) > 1 ? 'any' : 'one';
}

/** A proposal with the client's choice, and its totals with each option alone. */
export interface ChosenProposal {
  readonly proposal: ProposalRecord;
  readonly options: readonly OptionTotals[];
}

/**
 * An open proposal with the options that its client chose, priced by its own book. Unknown option ids are ignored, and
 * of alternatives only the first counts. `undefined` keeps the company's selection and its amounts.
 */
export function withChosenOptions(
  before: ProposalRecord,
  chosen: readonly number[] | undefined,
  definitions: readonly CustomField[],
): ChosenProposal {
  if (!before.Options.length) return { proposal: before, options: [] };
  const wanted = chosen?.filter((id) => before.Options.some(({ Id }) => Id === id)) ?? selectedOptionIds(before);
  const ids = new Set(choiceOf(before) === 'one' ? wanted.slice(0, 1) : wanted);
  const options = before.Options.map((option) => ({ ...option, Selected: ids.has(option.Id) }));
  // Its assemblies became lines when it was stored, so pricing adds none.
  const priced = priceProposal({ ...before, Options: options }, { definitions, lineIds: [] });
  if (priced.kind === 'invalid') throw new InternalError(`proposal ${before.Id} cannot be priced again`);
  const isSame = before.Options.every(({ Id, Selected }) => Selected === ids.has(Id));
  return { proposal: isSame ? before : priced.proposal, options: priced.options };
}

/**
 * The minimum of its service that a proposal cannot reach, whatever its client chooses: it has fewer options than
 * MinimumOptions, or less than MinimumSubtotal even with the most expensive options.
 */
export function unreachableMinimum(proposal: ProposalRecord, definitions: readonly CustomField[]): Minimum | undefined {
  const missing = missingMinimum(proposal);
  if (missing?.kind === 'options' && proposal.Options.length < missing.minimum) return missing;
  if (!missing) return undefined;
  const { proposal: without, options } = withChosenOptions(proposal, [], definitions);
  const dearest = options.toSorted((one, other) => other.net - one.net).slice(0, 1);
  const chosen = choiceOf(proposal) === 'one' ? dearest : options.filter(({ net }) => net >= without.Subtotal);
  const ids = chosen.map(({ optionId }) => optionId);
  const most = missingMinimum(withChosenOptions(proposal, ids, definitions).proposal);
  return most?.kind === 'subtotal' ? most : undefined;
}

/** Why a proposal cannot be open: nobody could accept it. `undefined` if it is not open, or can be accepted. */
export function openingError(proposal: ProposalRecord, definitions: readonly CustomField[]): string | undefined {
  if (proposal.Status !== ProposalStatus.Open) return undefined;
  const unreachable = unreachableMinimum(proposal, definitions);
  if (!unreachable) return undefined;
  const { kind, minimum } = unreachable;
  const reason =
    kind === 'options'
      ? `the MinimumOptions of its service is ${minimum}, and the options are ${proposal.Options.length}`
      : `the MinimumSubtotal of its service is ${formatMoney(minimum)}, and no choice of options comes to it`;
  return `cannot be Open, as nobody could accept the proposal: ${reason}. Add lines first`;
}
