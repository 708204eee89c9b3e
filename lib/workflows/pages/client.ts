import type { LinkTarget } from '../../domain/client-pages.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import { type TableWriter, asActor } from '../../store/dynamodb/table.ts';
import { accountCaller } from '../../store/requests/caller.ts';
import type { WriteContext } from '../context.ts';

/** A client who opened a link. */
export interface ClientContext {
  readonly table: TableWriter;
  readonly target: LinkTarget;
  readonly now: Date;
  readonly requestId: string;
  readonly sourceIp: string;
}

/** Names the client in events, beside the request: there is no key. */
const CLIENT = 'Client page';

/** A client, whose changes name the page and the request. */
export const clientContext = (
  table: TableWriter,
  call: Pick<ClientContext, 'target' | 'now' | 'requestId' | 'sourceIp'>,
): ClientContext => ({ ...call, table: asActor(table, { Key: '', Name: CLIENT, RequestId: call.requestId }) });

/** The context in which the workflows of operations run for a client. */
export const toWriteContext = ({
  table,
  target,
  now,
  sourceIp,
}: ClientContext): WriteContext & { readonly sourceIp: string } => ({
  table,
  caller: accountCaller(target.account, { keyName: CLIENT }),
  now,
  sourceIp,
  isClient: true,
});

/** The contact of a link; `undefined` where the link was revoked, or the contact erased. */
export async function findLinkedContact({
  table,
  target,
}: Pick<ClientContext, 'table' | 'target'>): Promise<ContactRecord | undefined> {
  const contact = await findContact(table, { accountId: target.account, organizationId: null }, target.id);
  return contact && (contact.LinksRevoked ?? 0) === target.generation ? contact : undefined;
}
