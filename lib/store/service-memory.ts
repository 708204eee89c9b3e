import type { ServiceRecord } from '../domain/pricebook/records.ts';
import { fold } from '../domain/words.ts';
import type { TableReader } from './client.ts';
import { Memory } from './memory.ts';
import { findService, findServiceNamed } from './services.ts';

interface Viewer {
  readonly accountId: string;
  readonly organizationId: number;
}

const services = new Memory<ServiceRecord | undefined>();

/** A service, by its id or its name, where the organization has it; up to 30 seconds old, as every search and booking asks for it. */
export const cachedService = (
  table: TableReader,
  viewer: Viewer,
  named: { readonly id?: number | null | undefined; readonly name?: string | null | undefined },
  now: Date,
): Promise<ServiceRecord | undefined> => {
  const { id, name = '' } = named;
  const known = `${viewer.accountId}#${viewer.organizationId}#${id ? `id ${id}` : `name ${fold((name ?? '').trim())}`}`;
  return services.recall(known, now, () =>
    id ? findService(table, viewer, id) : findServiceNamed(table, viewer, name ?? ''),
  );
};
