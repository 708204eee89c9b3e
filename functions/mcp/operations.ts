import type { Operation } from '../../lib/api/operation.ts';
import { assistantGroups } from '../call-operation.ts';

/** An assistant must not sign for a client; the others belong to groups of their own, which take files. */
const NOT_FOR_ASSISTANTS: ReadonlySet<string> = new Set(['proposal/accept', 'contacts/upload', 'proposal/upload']);

/** Whether assistants reach its group and it is not excluded by name. */
export const isReached = (name: string): boolean =>
  Object.hasOwn(assistantGroups, name.split('/')[0] ?? '') && !NOT_FOR_ASSISTANTS.has(name);

/** The operation, if assistants may call it: none that changes permissions. */
export async function findOperation(name: string): Promise<Operation | undefined> {
  const [group = ''] = name.split('/');
  const load = isReached(name) ? assistantGroups[group] : undefined;
  const operation = (await load?.())?.operations.find((each) => each.name === name);
  return operation?.access === 'admin' ? undefined : operation;
}
