import type { Options } from '../../../lib/client/caller.ts';
import { fieldServiceOf } from '../../../lib/client/field-service.ts';
import { operationTable } from '../../client/described-operations.ts';
import { loadDocument } from '#api-document';
import { type Remote, type RemoteOptions, requireRemote } from './profile.ts';

/** Somebody waits in front of the screen. */
const RETRY_FOR = 15_000;

/** A client of the API, which repeats calls for 15 seconds. */
export async function connectTo({ url, key }: Remote, more: Pick<Options, 'fetch'> = {}) {
  const FieldService = fieldServiceOf(operationTable(await loadDocument()));
  return new FieldService({ url, key, retryFor: RETRY_FOR, ...more });
}

export const connect = (options: RemoteOptions, more: Pick<Options, 'fetch'> = {}) =>
  connectTo(requireRemote(options), more);
export type Api = Awaited<ReturnType<typeof connect>>;

/** The records of a list, page after page. Its operation has pages. */
export const readList = <Record>(fs: Api, group: string, operation: string, body: object): AsyncIterable<Record> =>
  fs[group]?.[operation]?.(body) as unknown as AsyncIterable<Record>;
