import { fieldServiceOf } from '../../../../lib/client/field-service.ts';
import { type Api, readList } from '../../remote/connect.ts';
import type { Remote } from '../../remote/profile.ts';

/**
 * The operations that the commands for people call. The table of all operations requires the whole document, which
 * takes a second to load.
 */
const OPERATIONS = {
  appointments: { query: 'Appointments', find: 0, slotsearch: 0, book: 1, update: 1, dayplan: 1 },
  contacts: { locate: 'Matches' },
  invoice: { query: 'Invoices' },
  proposal: { query: 'Proposals' },
  services: { all: 0 },
  task: { query: 'Tasks' },
} as const;

/** Short, because somebody is waiting at the screen. */
const RETRY_FOR = 15_000;

export function connectForPeople({ url, key }: Remote): Api {
  const FieldService = fieldServiceOf(OPERATIONS);
  return new FieldService({ url, key, retryFor: RETRY_FOR });
}

/** Every record of a list. */
export async function readAll<Record>(fs: Api, operation: string, body: object): Promise<Record[]> {
  const [group = '', name = ''] = operation.split('/');
  const records: Record[] = [];
  for await (const record of readList<Record>(fs, group, name, body)) records.push(record);
  return records;
}
