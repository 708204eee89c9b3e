import { type UserRecord, userEntity } from '../../entities/users.ts';
import { type ServiceAgentRecord, serviceAgentEntity } from '../../entities/service-agents.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { OrganizationRecord } from '../../entities/organizations.ts';
import type { CustomValue } from '../../entities/declaration/fields.ts';
import { type CustomFieldInput, applyCustomFieldInputs } from '../../domain/custom-fields.ts';
import { LIST_LIMITS, type ListLimit, describeLimit, exceedsLimit } from '../../domain/list-limits.ts';
import { applyOrganizationInput, blankOrganization } from '../../domain/organizations.ts';
import { type TakenCode, describeTaken } from '../../domain/postal-ownership.ts';
import { emptyBook } from '../../domain/pricebook/record.ts';
import {
  type ServiceAgentInput,
  applyAgentInput,
  findDuplicateAgent,
  matchAgent,
} from '../../domain/service-agents.ts';
import { type Setting as AnySetting, planSettings } from '../../domain/settings.ts';
import {
  type UserInput,
  applyUserInput,
  emailTakenMessage,
  isOfSignIn,
  matchUser,
  rankError,
} from '../../domain/users.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { OrganizationForm, OrganizationInput } from '../../resources/organizations.ts';
import type { Input } from '../../resources/fields.ts';
import { fold, normalizeEmail, toKeyText } from '../../shared/text/text.ts';
import { isEqual } from '../../shared/objects.ts';
import type { CodeOf } from '../../shared/failure-codes.ts';
import { type FieldError, collectErrors, conflict, forbidden, invalid, prefixErrors } from '../../shared/failure.ts';
import { isZone } from '../../shared/time/time.ts';
import { callerOrganization, movedZoneChange, organizationCountChange } from '../../store/accounts/accounts.ts';
import type { Caller } from '../../store/requests/caller.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../../store/dynamodb/table.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import type { IdKind } from '../../store/keys.ts';
import {
  findLocation,
  findOrganizations,
  forgetOrganization,
  organizationChanges,
} from '../../store/organizations/organizations.ts';
import { type PostalChanges, postalOwnershipChanges } from '../../store/organizations/postal-ownership.ts';
import { agentChanges } from '../../store/organizations/service-agents.ts';
import { listOwnServices } from '../../store/pricebook/services.ts';
import { type Setting, listSettingsWithVersions, settingChanges } from '../../store/settings.ts';
import { findEmailOwners, userChanges } from '../../store/organizations/users.ts';
import type { WriteContext } from '../context.ts';
import type { PriceBookPlan, ReadyPriceBook } from '../pricebook/import-price-book.ts';
import {
  type WholeOrganization,
  loadWholeOrganization,
  requireOrganization,
  wholeOrganizationToForm,
} from './load-organization.ts';
import { MAX_REQUEST_CHANGES } from '../../shared/limits.ts';
import { planPriceBook } from '../pricebook/import-price-book.ts';

type Context = Pick<WriteContext, 'table' | 'caller' | 'now'>;

export interface OrganizationSave {
  readonly organization: OrganizationForm;
  readonly changes: readonly Change[];
  /** Whom the sign-in follows: users that are new, or have another name, address or Active. */
  readonly signIns: readonly UserRecord[];
}

/** Creates an organization with everything in the request. Throws invalid or conflict. */
export async function createOrganization(input: OrganizationInput, context: Context): Promise<OrganizationSave> {
  const { table, caller, now } = context;
  const { accountId } = caller;
  const [{ Timezone, Country }, [Id = 0], fields] = await Promise.all([
    callerOrganization(table, caller),
    reserveIds(table, accountId, 'Organization', 1),
    listSettingsWithVersions<CustomField>(table, accountId, 'CustomField'),
  ]);
  const organization = blankOrganization({ Id, PublicName: '', Timezone, Country, Created: now.getTime() });
  const plan = requireReady(
    await planOrganization(table, accountId, { organization, agents: [], users: [], fields }, { input, now }),
  );
  return {
    organization: wholeOrganizationToForm(plan.whole, plan.services ?? []),
    changes: [...plan.changes, organizationCountChange(accountId)],
    signIns: plan.whole.users,
  };
}

/** Applies a request to the organization that it names. Throws notFound, invalid or conflict. */
export async function updateOrganization(input: OrganizationInput, context: Context): Promise<OrganizationSave> {
  const { table, caller, now } = context;
  const { accountId } = caller;
  const organization = await requireOrganization(context, input, { mayRename: true });
  const [whole, services] = await Promise.all([
    loadWholeOrganization(table, accountId, organization),
    listOwnServices(table, accountId, organization.Id),
  ]);
  const { role, organizationId } = caller;
  const plan = requireReady(
    await planOrganization(table, accountId, whole, { input, now, by: { role, organizationId } }),
  );
  forgetOrganization(accountId, organization.Id);
  const known = new Map(whole.users.map((user) => [user.Id, user]));
  return {
    organization: wholeOrganizationToForm(plan.whole, plan.services ?? services),
    changes: plan.changes,
    signIns: plan.whole.users.filter((user) => isOfSignIn(known.get(user.Id), user)),
  };
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
  /** The organization's own services afterwards; `undefined` where the request has none. */
  readonly services: readonly ServiceRecord[] | undefined;
  /** For one transaction. */
  readonly changes: readonly Change[];
}

function requireReady(plan: OrganizationPlan): ReadyOrganization {
  if (plan.kind === 'invalid') throw invalid(...plan.errors);
  if (plan.kind === 'forbidden') throw forbidden(plan.code, plan.message, plan.field);
  if (plan.kind === 'taken') throw conflict('already_exists', plan.errors[0].message);
  return plan;
}

type Actor = Pick<Caller, 'role' | 'organizationId'>;

const ACCOUNT_OWNER: Actor = { role: 'Owner', organizationId: null };

/**
 * Applies a request to an organization (new where its version is 0) and to what belongs to it. People, services and
 * custom fields that the request does not name stay. `by` is the key, by default one of the account that may do
 * everything: a key of an organization changes neither its territory nor what belongs to the whole account, and nobody
 * a role above their own.
 */
export async function planOrganization(
  table: TableWriter,
  account: string,
  whole: WholeOrganization,
  { input, now, by = ACCOUNT_OWNER }: { input: OrganizationInput; now: Date; by?: Actor },
): Promise<OrganizationPlan> {
  const before = whole.organization;
  const { organization, errors } = applyOrganizationInput(before, input);
  const scope = { table, account, organization, accountWide: by.organizationId === null, by, now };
  const customFields = planCustomFields(scope, whole.fields, input.CustomFields ?? []);
  const [locationOwner, postal, agents, book] = await Promise.all([
    findLocationOwner(scope, before),
    planPostalCodes(scope, before),
    planAgents(scope, whole.agents, input.ServiceAgents ?? []),
    planServices(scope, input.Services ?? []),
  ]);
  const users = await planUsers(scope, whole.users, input.Users ?? [], agents.people);

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

  const after = { ...organization, CustomFields: customFields.values, UserIds: users.people.map(({ Id }) => Id) };
  const postalChanges = postal.kind === 'taken' ? [] : postal.changes;
  const members = [...postalChanges, ...[agents, users, customFields].flatMap(({ changes }) => changes)];
  const memberChanges = [...members, ...book.changes];
  const ownServices = [...book.book.services.values()].filter(({ OrganizationId }) => OrganizationId === before.Id);
  const services = input.Services?.length ? ownServices : undefined;
  if (!memberChanges.length && isEqual(after, before)) return { kind: 'ready', whole, services, changes: [] };
  const saved = organizationChanges(account, before.V ? before : undefined, after);
  const hasMoved = before.V > 0 && before.Timezone !== after.Timezone;
  const moves = hasMoved ? [movedZoneChange(account, after.Id, after.Timezone)] : [];
  const changes = [...saved.changes, ...moves, ...memberChanges];
  const tooMany = sizeError(changes);
  if (tooMany) return { kind: 'invalid', errors: [tooMany] };
  return {
    kind: 'ready',
    whole: { organization: saved.record, agents: agents.people, users: users.people, fields: customFields.fields },
    services,
    changes,
  };
}

const OF_ACCOUNT = 'of an organization changes with a key of the account alone. Leave it out, or send it as it is.';

const codesOf = ({ PostalCodes }: OrganizationRecord): string[] => (PostalCodes ? PostalCodes.split(',').sort() : []);

/** What of an organization changes that is unique in the account: territory, and the name of its location. */
function changedByAccount(before: OrganizationRecord, after: OrganizationRecord) {
  if (!isEqual(codesOf(before), codesOf(after))) return 'PostalCodes';
  return after.LocationID === before.LocationID ? undefined : 'LocationId';
}

interface PlanScope {
  readonly table: TableWriter;
  readonly account: string;
  /** With the request applied to its own fields. */
  readonly organization: OrganizationRecord;
  readonly accountWide: boolean;
  readonly by: Actor;
  readonly now: Date;
}

function sizeError({ length }: readonly Change[]): FieldError | undefined {
  if (length <= MAX_REQUEST_CHANGES) return undefined;
  const message =
    `makes ${length} changes: people, services, names and postal codes together. ` +
    `One call makes at most ${MAX_REQUEST_CHANGES}. Give some of them in another call`;
  return { field: '', code: 'limit', message };
}

async function findLocationOwner(
  { table, account, organization: { LocationID } }: PlanScope,
  before: OrganizationRecord,
): Promise<number | undefined> {
  const isNew = LocationID !== '' && toKeyText(LocationID) !== toKeyText(before.LocationID);
  return isNew ? findLocation(table, account, LocationID) : undefined;
}

function locationErrors({ organization: { Id, LocationID } }: PlanScope, owner: number | undefined): FieldError[] {
  if (owner === undefined || owner === Id) return [];
  const message = `Organization ${owner} has the LocationId ${LocationID}.`;
  return [{ field: 'LocationId', code: 'duplicate', message }];
}

function planPostalCodes(
  { table, account, organization }: PlanScope,
  before: OrganizationRecord,
): Promise<PostalChanges> {
  const split = (codes: string): string[] => (codes ? codes.split(',') : []);
  const list = { before: split(before.PostalCodes), after: split(organization.PostalCodes) };
  return postalOwnershipChanges(table, account, organization.Id, list);
}

async function postalErrors(scope: PlanScope, postal: PostalChanges): Promise<FieldError[]> {
  if (postal.kind !== 'taken') return [];
  return [{ field: 'PostalCodes', code: 'duplicate', message: await describeOwners(scope, postal.taken) }];
}

/** Names the owners of codes; three of them are enough to act on. */
async function describeOwners(
  { table, account }: { table: TableReader; account: string },
  taken: readonly TakenCode[],
): Promise<string> {
  const owners = await findOrganizations(table, account, [...new Set(taken.map(({ by }) => by))].slice(0, 3));
  return owners.map(({ Id, PublicName }) => describeTaken(taken, Id, `organization ${Id} (${PublicName})`)).join(' ');
}

/** The rules of the price book are 50 KB of code, loaded only where a request has services. */
async function planServices(
  { table, account, organization, accountWide, now }: PlanScope,
  services: NonNullable<OrganizationInput['Services']>,
): Promise<Exclude<PriceBookPlan, ReadyPriceBook> | Pick<ReadyPriceBook, 'kind' | 'changes' | 'book'>> {
  if (!services.length || !isZone(organization.Timezone)) return { kind: 'ready', changes: [], book: emptyBook };
  const scope = { accountId: account, organizationId: organization.Id, accountWide, now };
  return planPriceBook(table, scope, { services });
}

/** CustomField.TableType of organizations. */
const ORGANIZATION = 4;

interface CustomFieldsPlan {
  readonly values: readonly CustomValue[];
  readonly fields: readonly Setting<CustomField>[];
  readonly changes: readonly Change[];
  readonly errors: readonly FieldError[];
}

/** Defines the fields whose names are new, then applies the values. */
function planCustomFields(
  scope: PlanScope,
  known: readonly Setting<CustomField>[],
  input: readonly Input<typeof CustomField>[],
): CustomFieldsPlan {
  const defined = planDefinitions(scope, known, input);
  const definitions = defined.fields.map(({ Value }) => Value);
  const { values, errors } = applyCustomFieldInputs(
    scope.organization.CustomFields,
    input,
    definitions,
    scope.organization.Country,
  );
  // A field with an invalid definition is unknown too; one error is enough.
  const valueErrors = errors.filter(({ field }) => !defined.errors.some((error) => error.field.startsWith(field)));
  return { ...defined, values, errors: [...defined.errors, ...valueErrors] };
}

/**
 * The organization fields of the account, with those of a request whose names are new. Definitions belong to the whole
 * account: existing ones stay as they are. Of two calls that define one at the same time, the second finds the first's.
 */
function planDefinitions(
  { account, accountWide }: PlanScope,
  known: readonly Setting<CustomField>[],
  input: readonly Input<typeof CustomField>[],
): Omit<CustomFieldsPlan, 'values'> {
  const fields = known.filter(({ Value }) => Value.TableType === ORGANIZATION);
  const isNew = (field: Input<typeof CustomField>) =>
    !field.Id && Boolean(field.Name?.trim()) && !fields.some(({ Value }) => hasNameOf(Value, field));
  const added = input.flatMap((field, index) => {
    const sameName = input.findIndex((other) => fold(other.Name ?? '') === fold(field.Name ?? ''));
    return isNew(field) && sameName === index ? [{ index, definition: toDefinition(field) }] : [];
  });
  if (!added.length) return { fields, changes: [], errors: [] };
  if (!accountWide) {
    const message = 'would be a new custom field of the whole account. Define it with a key of the account';
    return {
      fields,
      changes: [],
      errors: added.map(({ index }) => ({ field: `CustomFields[${index}]`, code: 'forbidden', message })),
    };
  }
  const definitions = added.map(({ definition }) => definition);
  const plan = planSettings('CustomField', known as readonly AnySetting[], definitions);
  if (plan.kind === 'invalid') {
    const errors = plan.errors.map(({ index, ...error }) => ({
      ...error,
      field: `CustomFields[${added[index]?.index}].${error.field}`,
    }));
    return { fields, changes: [], errors };
  }
  const created = plan.entries.map(({ after }) => ({ ...after, Value: after.Value as CustomField }));
  return { fields: [...fields, ...created], changes: settingChanges(account, plan.entries), errors: [] };
}

const hasNameOf = ({ Name, Shortcode }: CustomField, input: CustomFieldInput): boolean =>
  [Name, Shortcode].some(
    (known) => known !== '' && [input.Name, input.Shortcode].some((name) => name && fold(name) === fold(known)),
  );

/** The definition in a request: its Value is the organization's. Without Type it is 0 text, 1 number or 3 checkbox. */
function toDefinition({ Id: _, Value, ...input }: Input<typeof CustomField>): Record<string, unknown> {
  const fields = Object.fromEntries(Object.entries(input).filter(([, value]) => value != null));
  const typeOfValue = typeof Value === 'number' ? 1 : typeof Value === 'boolean' ? 3 : 0;
  return { ...fields, Type: input.Type || typeOfValue, TableType: ORGANIZATION };
}

interface Person {
  readonly Id: number;
}

/** An organization's agents or users after a request. */
interface PeoplePlan<Of extends Person> {
  readonly people: readonly Of[];
  /** One for each row of the request. */
  readonly applied: readonly Of[];
  readonly changes: readonly Change[];
  readonly errors: readonly FieldError[];
}

/** How the rows of one list are matched, applied, checked and stored. */
interface PeopleRules<Of extends Person, Row> {
  readonly list: 'ServiceAgents' | 'Users';
  readonly noun: string;
  readonly idKind: IdKind;
  readonly limit: ListLimit;
  match(people: readonly Of[], row: Row): Of | null | undefined;
  blank(identity: { Id: number; OrganizationId: number; Created: number }): Of;
  apply(before: Of, row: Row): { person: Of; errors: readonly FieldError[] };
  /** Why applied rows clash: with each other, or with `people`. */
  clashes(applied: readonly Of[], people: readonly Of[]): FieldError[];
  store(before: Of | undefined, after: Of): { record: Of; changes: readonly Change[] };
}

/** Upserts the rows of a list; people whom no row names stay. */
async function planPeople<Of extends Person, Row>(
  { table, account, organization, now }: PlanScope,
  existing: readonly Of[],
  rows: readonly Row[],
  rules: PeopleRules<Of, Row>,
): Promise<PeoplePlan<Of>> {
  const matches = rows.map((row) => rules.match(existing, row));
  const newCount = matches.filter((match) => match === undefined).length;
  const ids = newCount ? [...(await reserveIds(table, account, rules.idKind, newCount))] : [];
  const identity = { OrganizationId: organization.Id, Created: now.getTime() };
  const results = rows.map((row, index) => {
    const match = matches[index];
    const Id = match === undefined ? (ids.shift() ?? 0) : 0;
    return rules.apply(match ?? rules.blank({ Id, ...identity }), row);
  });
  const applied = results.map(({ person }) => person);
  const people = mergeById(existing, applied);
  const errors = [
    ...matchErrors(rules, matches),
    ...results.flatMap((result, index) => prefixErrors(`${rules.list}[${index}]`, result.errors)),
    ...rules.clashes(applied, people),
    ...limitErrors(rules, existing, people),
  ];
  if (errors.length) return { people, applied, changes: [], errors };
  const stored = applied.flatMap((person, index) =>
    isEqual(matches[index], person) ? [] : [rules.store(matches[index] ?? undefined, person)],
  );
  const records = stored.map(({ record }) => record);
  return { people: mergeById(people, records), applied, changes: stored.flatMap(({ changes }) => changes), errors: [] };
}

/** Rows whose Id is unknown, or that name somebody whom an earlier row names. */
const matchErrors = (
  { list, noun }: { list: string; noun: string },
  matches: readonly (Person | null | undefined)[],
): FieldError[] =>
  matches.flatMap((person, index) => {
    const earlier = person ? matches.findIndex((other) => other?.Id === person.Id) : index;
    return collectErrors(
      [`${list}[${index}].Id`, person === null && `must be a ${noun} of the organization`, 'not_found'],
      [`${list}[${index}]`, earlier < index && `is the same ${noun} as ${list}[${earlier}]`, 'duplicate'],
    );
  });

const limitErrors = (
  { list, limit }: { readonly list: string; readonly limit: ListLimit },
  existing: readonly Person[],
  people: readonly Person[],
): FieldError[] =>
  collectErrors([
    list,
    exceedsLimit(limit, existing, people) && `exceeds the limit of an organization: ${describeLimit(limit)}`,
    'limit',
  ]);

/** The existing people in their order, then new ones. */
function mergeById<Of extends Person>(existing: readonly Of[], changed: readonly Of[]): Of[] {
  const changedById = new Map(changed.map((person) => [person.Id, person]));
  const known = new Set(existing.map(({ Id }) => Id));
  const added = changed.filter(({ Id }) => !known.has(Id));
  return [...existing.map((person) => changedById.get(person.Id) ?? person), ...added];
}

/** Agents match by Id, else by name or e-mail. The organization's version, which the changes raise, guards names. */
const planAgents = (
  scope: PlanScope,
  existing: readonly ServiceAgentRecord[],
  rows: readonly ServiceAgentInput[],
): Promise<PeoplePlan<ServiceAgentRecord>> =>
  planPeople(scope, existing, rows, {
    list: 'ServiceAgents',
    noun: 'service agent',
    idKind: 'ServiceAgent',
    limit: LIST_LIMITS.serviceAgents,
    match: matchAgent,
    blank: serviceAgentEntity.blank,
    apply(before, row) {
      const { agent, errors } = applyAgentInput(before, row);
      return { person: agent, errors };
    },
    clashes: (agents, people) =>
      agents.flatMap((agent, index) => {
        const duplicate = agent.Name ? findDuplicateAgent(agent, people) : undefined;
        return duplicate ? prefixErrors(`ServiceAgents[${index}]`, [duplicate]) : [];
      }),
    store(before, after) {
      const { record, change } = agentChanges(scope.account, before, after);
      return { record, changes: [change] };
    },
  });

/** Users match by Id, else by e-mail, else by name. An e-mail address belongs to one user of an organization. */
async function planUsers(
  scope: PlanScope,
  existing: readonly UserRecord[],
  rows: readonly UserInput[],
  agents: readonly ServiceAgentRecord[],
): Promise<PeoplePlan<UserRecord> & { readonly taken: readonly FieldError[]; readonly tooHigh: string | undefined }> {
  const { table, account } = scope;
  const agentIds = new Set(agents.map(({ Id }) => Id));
  const emails = rows.map(({ Email }) => Email ?? '');
  const [plan, owners] = await Promise.all([
    planPeople(scope, existing, rows, {
      list: 'Users',
      noun: 'user',
      idKind: 'User',
      limit: LIST_LIMITS.users,
      match: matchUser,
      blank: userEntity.blank,
      apply(before, row) {
        const { user, errors } = applyUserInput(before, row, agentIds);
        return { person: user, errors };
      },
      clashes: repeatedEmails,
      store: (before, after) => userChanges(account, before, after),
    }),
    findEmailOwners(table, { account, organization: scope.organization.Id }, emails),
  ]);
  const taken = plan.applied.flatMap(({ Id, Email }, index) => {
    const owner = owners.get(normalizeEmail(Email));
    const message = owner !== undefined && owner !== Id && emailTakenMessage(owner, Email);
    return collectErrors([`Users[${index}].Email`, message, 'duplicate']);
  });
  const tooHigh = plan.applied.flatMap((user) => {
    const before = existing.find(({ Id }) => Id === user.Id);
    return isEqual(before, user) ? [] : (rankError(scope.by.role, before, user) ?? []);
  });
  return { ...plan, taken, tooHigh: tooHigh[0] };
}

const repeatedEmails = (users: readonly UserRecord[]): FieldError[] =>
  users.flatMap(({ Email }, index) => {
    const earlier = users.findIndex((other) => normalizeEmail(other.Email) === normalizeEmail(Email));
    const repeated = earlier < index && Email !== '';
    return collectErrors([`Users[${index}].Email`, repeated && `is already used by Users[${earlier}]`, 'duplicate']);
  });
