import type { Options } from '../../../lib/client/caller.ts';
import { fieldServiceOf } from '../../../lib/client/field-service.ts';
import { operationTable } from '../../client/described-operations.ts';
import { loadDocument } from '#api-document';
import type { Remote } from './profile.ts';

/** Short, because somebody is waiting at the screen. */
const RETRY_FOR = 15_000;

/** An API client that retries for 15 seconds. */
export async function connectTo({ url, key }: Remote, more: Pick<Options, 'fetch'> = {}) {
  const FieldService = fieldServiceOf(operationTable(await loadDocument()));
  return new FieldService({ url, key, retryFor: RETRY_FOR, ...more });
}

export type Api = Awaited<ReturnType<typeof connectTo>>;

/** The records of a list with pages, page after page. */
export const readList = <Record>(fs: Api, group: string, operation: string, body: object): AsyncIterable<Record> =>
  fs[group]?.[operation]?.(body) as unknown as AsyncIterable<Record>;
