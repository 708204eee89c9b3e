import type { ProposalRecord } from '../../entities/proposals.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import { InternalError } from '../../shared/failure.ts';
import { priceProposal } from './price.ts';
import { selectedOptionIds } from './record.ts';

/**
 * How many options of a proposal its client chooses. Where the company selected several itself, or the service asks for
 * several (MinimumOptions), any may be chosen; a single option may be added or not. Otherwise they are alternatives,
 * and the client chooses one.
 */
export function choiceOf(proposal: Pick<ProposalRecord, 'Options' | 'Book'>): 'one' | 'any' {
  const { MinimumOptions = null } = proposal.Book.Service;
  if (proposal.Options.length === 1) return 'any';
  return selectedOptionIds(proposal).length > 1 || (MinimumOptions ?? 0) > 1 ? 'any' : 'one';
}

/** A proposal as its client chose, with the total of each of its options alone. */
export interface ChosenProposal {
  readonly proposal: ProposalRecord;
  readonly optionTotals: ReadonlyMap<number, number>;
}

/**
 * An open proposal with the options that its client chose, priced by its own book. Ids of other options are left
 * out, and of alternatives the first counts. `undefined` keeps the company's selection, and its amounts.
 */
export function withChosenOptions(
  before: ProposalRecord,
  chosen: readonly number[] | undefined,
  definitions: readonly CustomField[],
): ChosenProposal {
  if (!before.Options.length) return { proposal: before, optionTotals: new Map() };
  const wanted = chosen?.filter((id) => before.Options.some(({ Id }) => Id === id)) ?? selectedOptionIds(before);
  const ids = new Set(choiceOf(before) === 'one' ? wanted.slice(0, 1) : wanted);
  const options = before.Options.map((option) => ({ ...option, Selected: ids.has(option.Id) }));
  // Its assemblies became lines when it was stored: pricing makes none.
  const priced = priceProposal({ ...before, Options: options }, { definitions, lineIds: [] });
  if (priced.kind === 'invalid') throw new InternalError(`proposal ${before.Id} cannot be priced again`);
  const isSame = before.Options.every(({ Id, Selected }) => Selected === ids.has(Id));
  return {
    proposal: isSame ? before : priced.proposal,
    optionTotals: new Map(priced.options.map(({ optionId, total }) => [optionId, total])),
  };
}
