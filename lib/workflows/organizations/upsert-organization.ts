import type { UserRecord } from '../../entities/users.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import { applyOrganizationInput, blankOrganization } from '../../domain/organizations.ts';
import { type MissedVisits, findDeactivatedAgents, findLeavers } from '../../domain/leavers.ts';
import { type TakenCode, describeEntries, describeTaken, splitPostalCodes } from '../../domain/postal-ownership.ts';
import { emptyBook } from '../../domain/pricebook/record.ts';
import { isOfSignIn } from '../../domain/users.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { OrganizationForm, OrganizationInput } from '../../resources/organizations.ts';
import { toKeyText } from '../../shared/text/text.ts';
import { isEqual } from '../../shared/objects.ts';
import type { CodeOf } from '../../shared/failure-codes.ts';
import { type FieldError, conflict, forbidden, invalid } from '../../shared/failure.ts';
import { isZone, toLocalDate } from '../../shared/time/time.ts';
import { callerOrganization, movedZoneChange, organizationCountChange } from '../../store/accounts/accounts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { findLocation, findOrganizations, organizationChanges } from '../../store/organizations/organizations.ts';
import { type PostalChanges, postalOwnershipChanges } from '../../store/organizations/postal-ownership.ts';
import { listOwnServices } from '../../store/pricebook/services.ts';
import { listSettingsWithVersions } from '../../store/settings.ts';
import type { WriteContext } from '../context.ts';
import { type PriceBookPlan, type ReadyPriceBook, planPriceBook } from '../pricebook/import-price-book.ts';
import {
  type WholeOrganization,
  loadWholeOrganization,
  requireOrganization,
  wholeOrganizationToForm,
} from './load-organization.ts';
import { MAX_REQUEST_CHANGES } from '../../shared/limits.ts';
import type { Actor, PlanScope } from './plan-scope.ts';
import { planCustomFields } from './plan-custom-fields.ts';
import { planMissedVisits } from './missed-visits.ts';
import { planAgents, planUsers, withRevokedCalendars } from './plan-people.ts';
import type { CalendarRules } from './read-busy-from.ts';
import { type StoreReader, type StoreWriter } from '../../store/store.ts';

interface Context extends Pick<WriteContext, 'store' | 'caller' | 'now' | 'remark'> {
  readonly calendars?: CalendarRules;
}

export interface OrganizationSave {
  readonly organization: OrganizationForm;
  readonly changes: readonly Change[];
  /** Users whose sign-in must be updated: new ones, and those with another name, address or Active. */
  readonly signIns: readonly UserRecord[];
  /** Departing agents with visits after their last day. */
  readonly missed: readonly MissedVisits[];
}

/** Creates an organization with everything in the request. Throws invalid or conflict. */
export async function createOrganization(input: OrganizationInput, context: Context): Promise<OrganizationSave> {
  const { store, caller, now, calendars } = context;
  const [{ Timezone, Country }, [Id = 0], fields] = await Promise.all([
    callerOrganization(store),
    reserveIds(store, 'Organization', 1),
    listSettingsWithVersions<CustomField>(store, 'CustomField'),
  ]);
  const organization = blankOrganization({ Id, PublicName: '', Timezone, Country, Created: now.getTime() });
  const plan = requireReady(
    await planOrganization(store, { organization, agents: [], users: [], fields }, { input, now, calendars }),
  );
  remarkOnCodes(input, context);
  return {
    organization: wholeOrganizationToForm(plan.whole, plan.services ?? [], { reader: caller }),
    changes: [...plan.changes, organizationCountChange(store)],
    signIns: plan.whole.users,
    missed: [],
  };
}

/** Applies a request to the organization that it names. Throws notFound, invalid or conflict. */
export async function updateOrganization(input: OrganizationInput, context: Context): Promise<OrganizationSave> {
  const { store, caller, now, calendars } = context;
  const organization = await requireOrganization(context, input, { mayRename: true });
  const [whole, services] = await Promise.all([
    loadWholeOrganization(store, organization),
    listOwnServices(store, organization.Id),
  ]);
  const { role, organizationId } = caller;
  const plan = requireReady(
    await planOrganization(store, whole, { input, now, by: { role, organizationId }, calendars }),
  );
  remarkOnCodes(input, context);
  const known = new Map(whole.users.map((user) => [user.Id, user]));
  return {
    organization: wholeOrganizationToForm(plan.whole, plan.services ?? services, { reader: caller }),
    changes: plan.changes,
    signIns: plan.whole.users.filter((user) => isOfSignIn(known.get(user.Id), user)),
    missed: plan.missed,
  };
}

/** Explains what ranges and prefixes of postal codes stand for, also in the hours of agents. */
function remarkOnCodes({ PostalCodes, ServiceAgents }: OrganizationInput, { remark }: Context): void {
  const slots = (ServiceAgents ?? []).flatMap(({ TimeSlots }) => TimeSlots ?? []);
  const lists = [PostalCodes, ...slots.map((slot) => slot.PostalCodes)];
  for (const sentence of describeEntries(lists.flatMap((list) => splitPostalCodes(list ?? '')))) remark?.(sentence);
}

/** `taken`: another organization or user already has a unique value. */
export type OrganizationPlan =
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | {
      readonly kind: 'forbidden';
      readonly code: CodeOf<403>;
      readonly field: 'PostalCodes' | 'LocationId' | 'Users';
      readonly message: string;
    }
  | { readonly kind: 'taken'; readonly errors: readonly [FieldError, ...FieldError[]] }
  | ReadyOrganization;

interface ReadyOrganization {
  readonly kind: 'ready';
  readonly whole: WholeOrganization;
  /** The resulting services of the organization; `undefined` if the request has none. */
  readonly services: readonly ServiceRecord[] | undefined;
  /** Departing agents with visits after their last day. */
  readonly missed: readonly MissedVisits[];
  /** For one transaction. */
  readonly changes: readonly Change[];
}

function requireReady(plan: OrganizationPlan): ReadyOrganization {
  if (plan.kind === 'invalid') throw invalid(...plan.errors);
  if (plan.kind === 'forbidden') throw forbidden(plan.code, plan.message, plan.field);
  if (plan.kind === 'taken') throw conflict('already_exists', plan.errors[0].message);
  return plan;
}

const ACCOUNT_OWNER: Actor = { role: 'Owner', organizationId: null };

interface PlanRequest {
  readonly input: OrganizationInput;
  readonly now: Date;
  readonly by?: Actor;
  readonly calendars?: CalendarRules | undefined;
}

/**
 * Applies a request to an organization (new if its version is 0) and to everything that belongs to it. People, services
 * and custom fields that the request does not name stay. `by` is the key, by default one of the account that may do
 * everything: a key of an organization changes neither its territory nor what belongs to the whole account, and nobody
 * assigns a role above their own.
 */
export async function planOrganization(
  store: StoreWriter,
  whole: WholeOrganization,
  { input, now, by = ACCOUNT_OWNER, calendars }: PlanRequest,
): Promise<OrganizationPlan> {
  const before = whole.organization;
  const { organization, errors } = applyOrganizationInput(before, input);
  const scope = { store, organization, accountWide: by.organizationId === null, by, now, calendars };
  const customFields = planCustomFields(scope, whole.fields, input.CustomFields ?? []);
  const [locationOwner, postal, requested, book] = await Promise.all([
    findLocationOwner(scope, before),
    planPostalCodes(scope, before),
    planAgents(scope, whole.agents, input.ServiceAgents ?? []),
    planServices(scope, input.Services ?? []),
  ]);
  const users = await planUsers(scope, whole.users, input.Users ?? [], requested.people);
  const deactivated = findDeactivatedAgents(whole.users, users.people);
  const agents = withRevokedCalendars(scope, whole.agents, requested, deactivated);

  const bookErrors = book.kind === 'invalid' ? book.errors : [];
  const all = [...errors, ...customFields.errors, ...agents.errors, ...bookErrors, ...users.errors];
  if (all.length || book.kind === 'invalid') return { kind: 'invalid', errors: all };
  if (users.tooHigh) return { kind: 'forbidden', code: 'role_forbidden', field: 'Users', message: users.tooHigh };
  const ofAccount = by.organizationId === null ? undefined : changedByAccount(before, organization);
  if (ofAccount)
    return {
      kind: 'forbidden',
      code: 'organization_forbidden',
      field: ofAccount,
      message: `${ofAccount} ${OF_ACCOUNT}`,
    };
  const [taken, ...others] = [
    ...locationErrors(scope, locationOwner),
    ...users.taken,
    ...(await postalErrors(scope, postal)),
  ];
  if (taken) return { kind: 'taken', errors: [taken, ...others] };

  const today = toLocalDate(now.getTime(), organization.Timezone);
  const leavers = findLeavers(whole, { agents: agents.people, users: users.people }, today);
  const { missed, changes: tasks } = await planMissedVisits(scope, leavers);

  const after = { ...organization, CustomFields: customFields.values, UserIds: users.people.map(({ Id }) => Id) };
  const postalChanges = postal.kind === 'taken' ? [] : postal.changes;
  const members = [...postalChanges, ...[agents, users, customFields].flatMap(({ changes }) => changes)];
  const memberChanges = [...members, ...book.changes, ...tasks];
  const ownServices = [...book.book.services.values()].filter(({ OrganizationId }) => OrganizationId === before.Id);
  const services = input.Services?.length ? ownServices : undefined;
  if (!memberChanges.length && isEqual(after, before)) return { kind: 'ready', whole, services, missed, changes: [] };
  const saved = organizationChanges(store, before.V ? before : undefined, after);
  const hasMoved = before.V > 0 && before.Timezone !== after.Timezone;
  const moves = hasMoved ? [movedZoneChange(store, after.Id, after.Timezone)] : [];
  const changes = [...saved.changes, ...moves, ...memberChanges];
  const tooMany = sizeError(changes);
  if (tooMany) return { kind: 'invalid', errors: [tooMany] };
  return {
    kind: 'ready',
    whole: { organization: saved.record, agents: agents.people, users: users.people, fields: customFields.fields },
    services,
    missed,
    changes,
  };
}

const OF_ACCOUNT = 'of an organization changes with a key of the account alone. Leave it out, or send it as it is.';

const codesOf = ({ PostalCodes }: OrganizationRecord): string[] => (PostalCodes ? PostalCodes.split(',').sort() : []);

/** Changed fields of an organization that are unique in the account: territory, and the name of its location. */
function changedByAccount(before: OrganizationRecord, after: OrganizationRecord) {
  if (!isEqual(codesOf(before), codesOf(after))) return 'PostalCodes';
  return after.LocationID === before.LocationID ? undefined : 'LocationId';
}

function sizeError({ length }: readonly Change[]): FieldError | undefined {
  if (length <= MAX_REQUEST_CHANGES) return undefined;
  const message =
    `makes ${length} changes: people, services, names and postal codes together. ` +
    `One call makes at most ${MAX_REQUEST_CHANGES}. Give some of them in another call`;
  return { field: '', code: 'limit', message };
}

async function findLocationOwner(
  { store, organization: { LocationID } }: PlanScope,
  before: OrganizationRecord,
): Promise<number | undefined> {
  const isNew = LocationID !== '' && toKeyText(LocationID) !== toKeyText(before.LocationID);
  return isNew ? findLocation(store, LocationID) : undefined;
}

function locationErrors({ organization: { Id, LocationID } }: PlanScope, owner: number | undefined): FieldError[] {
  if (owner === undefined || owner === Id) return [];
  const message = `Organization ${owner} has the LocationId ${LocationID}.`;
  return [{ field: 'LocationId', code: 'duplicate', message }];
}

function planPostalCodes({ store, organization }: PlanScope, before: OrganizationRecord): Promise<PostalChanges> {
  const split = (codes: string): string[] => (codes ? codes.split(',') : []);
  const list = { before: split(before.PostalCodes), after: split(organization.PostalCodes) };
  return postalOwnershipChanges(store, organization.Id, list);
}

async function postalErrors(scope: PlanScope, postal: PostalChanges): Promise<FieldError[]> {
  if (postal.kind !== 'taken') return [];
  return [{ field: 'PostalCodes', code: 'duplicate', message: await describeOwners(scope, postal.taken) }];
}

/** Names the owners of codes; three of them are enough to act on. */
async function describeOwners(
  { store }: { readonly store: StoreReader },
  taken: readonly TakenCode[],
): Promise<string> {
  const owners = await findOrganizations(store, [...new Set(taken.map(({ by }) => by))].slice(0, 3));
  return owners.map(({ Id, PublicName }) => describeTaken(taken, Id, `organization ${Id} (${PublicName})`)).join(' ');
}

/** Plans the services of the request, once the organization has a time zone to price in. */
async function planServices(
  { store, organization, accountWide, now }: PlanScope,
  services: NonNullable<OrganizationInput['Services']>,
): Promise<Exclude<PriceBookPlan, ReadyPriceBook> | Pick<ReadyPriceBook, 'kind' | 'changes' | 'book'>> {
  if (!services.length || !isZone(organization.Timezone)) return { kind: 'ready', changes: [], book: emptyBook };
  return planPriceBook(store, { organizationId: organization.Id, accountWide, now }, { services });
}
