import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import type { NamedClient } from '../../../lib/domain/imports/named-client.ts';
import { findContacts } from '../../../lib/store/contacts/contacts.ts';
import { contactOf } from './clients.ts';
import { RowError, type SystemRun } from './run.ts';

/** The references of a client, and of its contact at the address of a row. */
interface FoundClient {
  readonly client: string;
  readonly contact: string;
}

/** The client that a row names: one of the files, else of earlier imports. */
export async function findClient(run: SystemRun, named: NamedClient): Promise<FoundClient> {
  const { clients, addEarlierClients } = run;
  let found = clients.find(named);
  if ('problem' in found && found.isNone) {
    await addEarlierClients();
    found = clients.find(named);
  }
  if (!('problem' in found)) return found;
  const same = await onlyContact(run, found.references);
  if (same) return same;
  const who = [named.name, ...named.emails, ...named.phones].filter(Boolean).join(', ') || named.reference || 'The row';
  throw new RowError([{ column: 'client', reason: `${who} ${found.problem}` }]);
}

/** Several clients that are one contact because their contacts were merged. */
async function onlyContact(run: SystemRun, references: readonly string[]): Promise<FoundClient | undefined> {
  const ids = new Set(await Promise.all(references.map((reference) => contactOf(run, reference))));
  const [client] = references;
  return client === undefined || ids.size > 1 || ids.has(undefined) ? undefined : { client, contact: client };
}

/** The contact of an imported client or property. */
export async function requireContact(run: SystemRun, { client, contact }: FoundClient): Promise<ContactRecord> {
  const id = (await contactOf(run, contact)) ?? (await contactOf(run, client));
  const [found] = id === undefined ? [] : await findContacts(run.store, [id]);
  if (!found) throw new RowError([{ column: 'client', reason: `${client} was not imported` }]);
  return found;
}
