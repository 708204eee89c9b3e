import type { ContactRecord } from '../../entities/contacts.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { findContacts } from '../../store/contacts/contacts.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import type { WriteContext } from '../context.ts';
import { type ClientContext, toWriteContext } from './client.ts';

/** The person who books: a client on the page of its own link, or a stranger on that of an organization. */
export interface Booker extends ClientContext {
  readonly organization: OrganizationRecord;
  /** `undefined` for a stranger. */
  readonly client: ContactRecord | undefined;
}

/** The current state of the person who books by a link, so that a revoked link is dead at once. */
export async function findBooker(context: ClientContext): Promise<Booker | undefined> {
  const { store, target } = context;
  const isOwn = target.page === 'rebook';
  const [client] = isOwn ? await findContacts(store, [target.id]) : [];
  const organizationId = isOwn ? client?.OrganizationId : target.id;
  const organization = organizationId ? await findOrganization(store, organizationId) : undefined;
  const linked = isOwn ? client : organization;
  if (!organization || (linked?.LinksRevoked ?? 0) !== target.generation) return undefined;
  return { ...context, organization, client };
}

/** The context in which the workflows of operations run for a client of one organization. */
export function organizationContext(booker: Booker): WriteContext & { readonly sourceIp: string } {
  const writing = toWriteContext(booker);
  return { ...writing, caller: { ...writing.caller, organizationId: booker.organization.Id } };
}
