import { Contact } from '../../entities/contacts.ts';
import type { ContactInput } from '../../domain/contacts/apply-input.ts';
import type { ContactSearchFields } from '../../domain/contacts/search.ts';
import { type Failure, conflict, forbidden, invalid, notFound } from '../../shared/failure.ts';
import { pick } from '../../shared/objects.ts';
import { findOnlyOrganization } from '../../store/accounts/accounts.ts';
import type { CallerScope } from '../../store/store.ts';
import type { WriteContext } from '../context.ts';
import { loadContactResources } from './load-contact.ts';
import { type ContactUpsert, MAX_CANDIDATES, loadCriteria } from './match-contacts.ts';
import { type UpsertPlan, type UpsertedContacts, planUpserts } from './save-contacts.ts';

export const MAX_CONTACTS = 25;

/** The request of contacts/addupdate: contacts in Matches, perhaps one of them at the top level, and search fields. */
type UpsertRequest = ContactInput &
  ContactSearchFields & { readonly Matches?: readonly ContactInput[] | null | undefined };

/**
 * Adds the contacts of a request, or updates existing ones: all of them or none. Throws invalid with the path of every
 * invalid field, forbidden for another organization than the key's, notFound for an unknown Id or Hash, and conflict
 * with the candidates in Matches. Writes nothing: returns the changes.
 */
export async function upsertContacts(request: UpsertRequest, context: WriteContext): Promise<UpsertedContacts> {
  const contacts = requestedContacts(request);
  checkOrganizations(contacts, context.caller);
  // The plan needs the only organization too, so it is read in the round of the criteria.
  const { store } = context;
  const [criteria] = await Promise.all([loadCriteria(request, context), findOnlyOrganization(store)]);
  const hasCriteria = Object.keys(criteria).length > 0;
  if (hasCriteria && contacts.length > 1)
    throw invalid({
      field: 'Matches',
      code: 'too_long',
      message: 'must hold only one contact if the request has search fields',
    });

  const upserts = contacts.map(({ input }): ContactUpsert => ({
    input,
    criteria: hasCriteria ? criteria : undefined,
    distribute: request.DistributeLead ? 'asked' : false,
  }));
  const plan = await planUpserts(upserts, context);
  if (plan.kind !== 'ready') throw await toFailure(plan, contacts, context, request.ReturnPmtOnFile ?? false);
  return plan;
}

/** A contact of the request with the path of its fields: `Matches[2].`, or nothing at the top level. */
interface RequestedContact {
  readonly input: ContactInput;
  readonly path: string;
}

function requestedContacts(request: UpsertRequest): RequestedContact[] {
  const listed = (request.Matches ?? []).map((input, index) => ({ input, path: `Matches[${index}].` }));
  const single = topLevelContact(request, listed.length === 0);
  const contacts = [...(single ? [{ input: single, path: '' }] : []), ...listed];
  if (contacts.length === 0)
    throw invalid({ field: 'Matches', code: 'required', message: 'must hold at least one contact' });
  if (contacts.length > MAX_CONTACTS) {
    const message = `must hold at most ${MAX_CONTACTS} contacts, including the one at the top level`;
    throw invalid({ field: 'Matches', code: 'too_long', message });
  }
  return contacts;
}

/** Typed clients send such values in every field that they do not set. */
const isBlank = (value: unknown): boolean => !value || (Array.isArray(value) && !value.length);

/** The contact at the top level, if any of its fields is not blank or, as the only contact, if it has any field. */
function topLevelContact(request: UpsertRequest, isOnly: boolean): ContactInput | undefined {
  const names = Object.keys(Contact.shape()) as (keyof ContactInput)[];
  const fields = names.filter((name) => request[name] !== undefined);
  return fields.some((name) => isOnly || !isBlank(request[name])) ? pick(request, ...fields) : undefined;
}

function checkOrganizations(contacts: readonly RequestedContact[], { organizationId }: CallerScope): void {
  const foreign = contacts.find(
    ({ input }) => organizationId !== null && input.OrganizationId && input.OrganizationId !== organizationId,
  );
  if (foreign)
    throw forbidden(
      'organization_forbidden',
      `This key belongs to organization ${organizationId} and cannot use another one.`,
      `${foreign.path}OrganizationId`,
    );
}

async function toFailure(
  plan: Exclude<UpsertPlan, { kind: 'ready' }>,
  contacts: readonly RequestedContact[],
  context: WriteContext,
  paymentOnFile: boolean,
): Promise<Failure> {
  const pathOf = (index: number) => contacts[index]?.path ?? '';
  switch (plan.kind) {
    case 'invalid':
      return invalid(
        ...plan.errors.map(({ index, ...error }) => ({ ...error, field: `${pathOf(index)}${error.field}` })),
      );
    case 'missing': {
      const { Id, Hash } = contacts[plan.index]?.input ?? {};
      return notFound('contact', `${pathOf(plan.index)}${Id ? 'Id' : 'Hash'}`, Id || Hash);
    }
    case 'ambiguous': {
      const { store, caller, now } = context;
      const view = { caller, now, paymentOnFile };
      const Matches = await loadContactResources(store, plan.candidates, view);
      const count = Matches.length < MAX_CANDIDATES ? `${Matches.length}` : `${MAX_CANDIDATES} or more`;
      return conflict('ambiguous', `${count} contacts match; Matches lists them. Repeat the call with one Id.`, {
        Matches,
      });
    }
  }
}
