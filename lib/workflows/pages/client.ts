import { type ClientPage, type LinkTarget, ownLink } from '../../domain/client-pages.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import { type TableWriter, asActor } from '../../store/dynamodb/table.ts';
import { accountCaller } from '../../store/requests/caller.ts';
import type { WriteContext } from '../context.ts';
import { type StoreReader, type StoreWriter, accountStore } from '../../store/store.ts';

/** A client who opened a link. */
export interface ClientContext {
  readonly store: StoreWriter;
  readonly target: LinkTarget;
  readonly now: Date;
  readonly requestId: string;
  readonly sourceIp: string;
}

/** Names the client in events, beside the request, because there is no key. */
const CLIENT = 'Client page';

/** The caller for a client, whose changes name the page and the request. */
export const clientContext = (
  table: TableWriter,
  call: Pick<ClientContext, 'target' | 'now' | 'requestId' | 'sourceIp'>,
): ClientContext => ({
  ...call,
  store: accountStore(asActor(table, { Key: '', Name: CLIENT, RequestId: call.requestId }), call.target.account),
});

/** The context in which the workflows of operations run for a client. */
export const toWriteContext = ({
  store,
  target,
  now,
  sourceIp,
}: ClientContext): WriteContext & { readonly sourceIp: string } => ({
  store,
  caller: accountCaller(target.account, { keyName: CLIENT }),
  now,
  sourceIp,
  isClient: true,
});

/** Pages of contacts, and of none of their records. */
const CONTACT_PAGES: ReadonlySet<ClientPage> = new Set(['overview', 'preferences', 'card', 'rebook']);

/**
 * For a link of a merged contact, the same page of the contact that it became; `undefined` for any other link, and if
 * the links of one of the two have been revoked since.
 */
export async function findMergedTarget(store: StoreReader, target: LinkTarget): Promise<LinkTarget | undefined> {
  if (!CONTACT_PAGES.has(target.page)) return undefined;
  const [merged] = await findContacts(store, [target.id], { asRecorded: true });
  const into = merged?.MergedInto;
  if (merged === undefined || into === undefined || (merged.LinksRevoked ?? 0) !== target.generation) return undefined;
  const [kept] = await findContacts(store, [into], { asRecorded: true });
  const generation = kept?.LinksRevoked ?? 0;
  if (kept === undefined || generation !== (merged.MergedLinksRevoked ?? 0)) return undefined;
  const next = { ...target, id: into, generation, merged: ownLink(target) };
  return kept.MergedInto === undefined ? next : findMergedTarget(store, next);
}

/** The contact of a link; `undefined` if the link was revoked or the contact erased. */
export async function findLinkedContact({
  store,
  target,
}: Pick<ClientContext, 'store' | 'target'>): Promise<ContactRecord | undefined> {
  const [contact] = await findContacts(store, [target.id]);
  return contact && (contact.LinksRevoked ?? 0) === target.generation ? contact : undefined;
}
