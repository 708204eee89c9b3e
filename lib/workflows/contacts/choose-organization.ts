import type { ContactRecord } from '../../entities/contacts.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { PostalOwner } from '../../domain/postal-ownership.ts';
import { type FieldError, conflict } from '../../shared/failure.ts';
import { fold } from '../../shared/text/text.ts';
import { findRefusesOwnedCodes } from '../../store/accounts/accounts.ts';
import { listAllClasses } from '../../store/organizations/accounting-classes.ts';
import { findLocation, findRecentOrganization } from '../../store/organizations/organizations.ts';
import { closedReason } from '../organizations/require-open.ts';
import type { ContactUpsert, UpsertContext } from './match-contacts.ts';

/** What decides where a contact belongs. */
interface Placing {
  readonly upsert: ContactUpsert;
  /** The contact that the input refers to, if it exists. */
  readonly before: ContactRecord | undefined;
  readonly postalOwner: PostalOwner | null | undefined;
}

interface Choice {
  readonly id: number | undefined;
  readonly reason?: string;
}

interface Placed {
  readonly organization: OrganizationRecord;
  /** A sentence about the choice, or `''`. */
  readonly reason: string;
  readonly errors: readonly FieldError[];
}

/**
 * The organization of a contact, and the reason for a distributed lead. If it has none, that is an error, and the
 * caller's own organization validates the other fields, so that the response has all errors. Throws conflict for a new
 * contact whose postal code another organization owns, if the account refuses that.
 */
export async function placeContact(placing: Placing, context: UpsertContext): Promise<Placed> {
  const { store } = context;
  const { before } = placing;
  const { id, reason = '' } = before ? { id: before.OrganizationId } : await chooseOrganization(placing, context);
  const organization = id === undefined ? undefined : await findRecentOrganization(store, id);
  const closed = !before && organization && closedReason(organization);
  if (organization && !closed) {
    const owned = before ? '' : await describeOwner(placing, organization, context);
    return { organization, reason: reason || owned, errors: [] };
  }
  const problem =
    id === undefined
      ? ({ code: 'required', message: 'is required, because the account has several organizations' } as const)
      : closed
        ? ({ code: 'inactive', message: `must be the Id of an existing organization that is open. ${closed}` } as const)
        : ({ code: 'not_found', message: 'must be the Id of an existing organization' } as const);
  return { organization: context.defaultOrganization, reason: '', errors: [{ field: 'OrganizationId', ...problem }] };
}

/**
 * Who else owns the postal code of a new contact, for a key of one organization. Throws conflict if the account refuses
 * that.
 */
async function describeOwner(
  { upsert: { input, distribute }, postalOwner }: Placing,
  organization: OrganizationRecord,
  { store, caller }: UpsertContext,
): Promise<string> {
  const id = postalOwner?.OrganizationId;
  if (caller.organizationId === null || !id || id === organization.Id) return '';
  const owner = await findRecentOrganization(store, id);
  if (!owner || closedReason(owner)) return '';
  const sentence = `Postal code ${input.Zip} belongs to ${owner.PublicName}.`;
  if (distribute === 'asked' || (await findRefusesOwnedCodes(store)))
    throw conflict('postal_code_owned', `${sentence} Nothing is stored; send the lead to that organization.`);
  return sentence;
}

/** The organization of a new contact: that of the key, that of the input, or the one it is distributed to. */
async function chooseOrganization(placing: Placing, context: UpsertContext): Promise<Choice> {
  const { input, distribute } = placing.upsert;
  const { caller, onlyOrganizationId } = context;
  if (caller.organizationId !== null) return { id: caller.organizationId };
  if (input.OrganizationId) return { id: input.OrganizationId };
  if (!distribute || (distribute === 'always' && onlyOrganizationId !== undefined)) return { id: onlyOrganizationId };
  return (
    (await findByLocation(placing, context)) ??
    (await findByTerritory(placing, context)) ??
    findByPostalCode(placing, context)
  );
}

const findOpen = async (id: number | undefined, { store }: UpsertContext) => {
  const found = id === undefined ? undefined : await findRecentOrganization(store, id);
  return found && closedReason(found) === undefined ? found : undefined;
};

async function findByLocation({ upsert: { input } }: Placing, context: UpsertContext): Promise<Choice | undefined> {
  const location = input.LocationID?.trim();
  if (!location) return undefined;
  const found = await findOpen(await findLocation(context.store, location), context);
  return found && { id: found.Id, reason: `Organization ${found.Id} has the LocationID ${location}.` };
}

/**
 * Finds the organization by an accounting class of that territory; if several organizations have one, the code decides.
 */
async function findByTerritory({ upsert: { input } }: Placing, context: UpsertContext): Promise<Choice | undefined> {
  const territory = fold((input.TerritoryID ?? '').trim());
  if (!territory) return undefined;
  const classes = await listAllClasses(context.store);
  const ids = new Set(
    classes.filter(({ TerritoryID }) => fold(TerritoryID) === territory).map(({ OrganizationId }) => OrganizationId),
  );
  const [id] = ids;
  const found = ids.size === 1 ? await findOpen(id, context) : undefined;
  return found && { id: found.Id, reason: `Organization ${found.Id} has the territory ${input.TerritoryID?.trim()}.` };
}

async function findByPostalCode({ upsert: { input }, postalOwner }: Placing, context: UpsertContext): Promise<Choice> {
  const { store, defaultOrganization } = context;
  const code = input.Zip ? `postal code ${input.Zip}` : 'an address without postal code';
  const owner = postalOwner?.OrganizationId;
  const found = owner ? await findRecentOrganization(store, owner) : undefined;
  const nobody = found ? closedReason(found) : `No organization owns ${code}`;
  if (nobody === undefined) return { id: found?.Id, reason: `Organization ${owner} owns ${code}.` };
  const cause = found ? `${nobody} and owns ${code}` : nobody;
  return { id: defaultOrganization.Id, reason: `${cause}; the lead goes to organization ${defaultOrganization.Id}.` };
}
