import { PROPOSAL_STATUSES } from '../../domain/proposals/status.ts';
import { fold } from '../../shared/text.ts';

const SCOPES: readonly string[] = PROPOSAL_STATUSES.map((name) => name.toLowerCase());

/** What a Scope may be, for a refusal. */
export const SCOPE_HELP = `must be empty for all, or one of ${SCOPES.join(', ')}`;

/** The status that a Scope asks for, however it is written; `'all'` of an empty one, `undefined` of an unknown one. */
export function parseScope(scope: string | null | undefined): number | 'all' | undefined {
  const word = fold((scope ?? '').trim());
  if (!word) return 'all';
  const status = SCOPES.indexOf(word);
  return status < 0 ? undefined : status;
}
