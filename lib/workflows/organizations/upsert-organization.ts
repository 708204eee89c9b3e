import { type CustomFieldInput, applyCustomFieldInputs } from '../../domain/custom-fields.ts';
import { type OrganizationRecord, applyOrganizationInput } from '../../domain/organizations.ts';
import { type TakenCode, describeTaken } from '../../domain/postal-ownership.ts';
import { type ServiceRecord, emptyBook } from '../../domain/pricebook/record.ts';
import type { ServiceAgentRecord } from '../../domain/service-agents.ts';
import { planSettings, type Setting as AnySetting } from '../../domain/settings.ts';
import type { UserRecord } from '../../domain/users.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { OrganizationInput } from '../../resources/organizations.ts';
import type { Input } from '../../resources/resource.ts';
import { isEqual } from '../../shared/equality.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { fold, toKeyText } from '../../shared/text.ts';
import { isZone } from '../../shared/zones.ts';
import type { Change, Item } from '../../store/dynamodb/changes.ts';
import type { TableReader, TableWriter } from '../../store/dynamodb/client.ts';
import { versionedChange } from '../../store/dynamodb/records.ts';
import { type Key, layout } from '../../store/keys.ts';
import { findLocation, locationKeys, nameEntries, findOrganizations } from '../../store/organizations.ts';
import { postalOwnershipChanges } from '../../store/postal-ownership.ts';
import { listAgents } from '../../store/service-agents.ts';
import { type Setting, listSettingsWithVersions, settingChanges } from '../../store/settings.ts';
import { findUsersWithVersion } from '../../store/users.ts';
import type { BookImport, BookReady, BookScope } from '../pricebook/import-price-book.ts';
import { upsertAgents, upsertUsers } from './upsert-people.ts';

/** A transaction takes 100 changes; one is kept for the record of an idempotent answer. */
const MAX_CHANGES = 99;

/** An organization, what belongs to it, and the definitions of the account's custom fields. */
export interface WholeOrganization {
  readonly organization: OrganizationRecord;
  readonly agents: readonly ServiceAgentRecord[];
  readonly users: readonly UserRecord[];
  readonly fields: readonly Setting<CustomField>[];
}

/**
 * What becomes of a request: faults of its fields, a sentence about what another has already, or the changes of one
 * transaction.
 */
export type OrganizationUpsert =
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'taken'; readonly field: 'LocationId' | 'PostalCodes' | 'Users'; readonly message: string }
  | {
      readonly kind: 'ready';
      readonly whole: WholeOrganization;
      /** Its own services as they are then, where the request has any. */
      readonly services: readonly ServiceRecord[] | undefined;
      readonly changes: readonly Change[];
    };

/** Reads what belongs to an organization, side by side. */
export async function loadWholeOrganization(
  table: TableReader,
  account: string,
  organization: OrganizationRecord,
): Promise<WholeOrganization> {
  const [agents, users, fields] = await Promise.all([
    listAgents(table, account, organization.Id),
    findUsersWithVersion(table, account, organization.UserIds),
    listSettingsWithVersions<CustomField>(table, account, 'CustomField'),
  ]);
  return { organization, agents, users, fields };
}

const split = (codes: string): string[] => (codes ? codes.split(',') : []);

/** Who owns the codes that are taken; three owners are enough to go on. */
async function ownersSaid(table: TableReader, account: string, taken: readonly TakenCode[]): Promise<string> {
  const ids = [...new Set(taken.map(({ by }) => by))].slice(0, 3);
  const owners = await findOrganizations(table, account, ids);
  return owners.map(({ Id, PublicName }) => describeTaken(taken, Id, `organization ${Id} (${PublicName})`)).join(' ');
}

const text = ({ PK, SK }: Key): string => `${PK}\n${SK}`;

/** Puts what is new or different among the items beside an organization, and removes what is no longer there. */
function besides(before: readonly Item[], after: readonly Item[]): Change[] {
  const old = new Map(before.map((item) => [text(item), item]));
  const next = new Set(after.map(text));
  return [
    ...after.filter((item) => !isEqual(old.get(text(item)), item)).map((put): Change => ({ put })),
    ...before.filter((item) => !next.has(text(item))).map(({ PK, SK }): Change => ({ remove: { PK, SK } })),
  ];
}

/** The changes that store an organization with its name entries, but without postal codes and people. */
export function organizationChanges(
  account: string,
  before: OrganizationRecord | undefined,
  after: OrganizationRecord,
): { record: OrganizationRecord; changes: Change[] } {
  const { record, change } = versionedChange('Organization', layout.organization.key({ account, id: after.Id }), {
    before,
    after,
  });
  const [old] = before ? locationKeys(account, before) : [];
  const [next] = locationKeys(account, after);
  const moved = old?.PK !== next?.PK;
  const guard: Change[] = moved && next ? [{ put: { ...next, Id: after.Id }, if: 'absent' }] : [];
  const freed: Change[] = moved && old ? [{ remove: old, if: { equals: { Id: after.Id } } }] : [];
  return {
    record,
    changes: [
      change,
      ...guard,
      ...freed,
      ...besides(before ? nameEntries(account, before) : [], nameEntries(account, after)),
    ],
  };
}

type BookPlan = Extract<BookImport, { kind: 'invalid' }> | Pick<BookReady, 'kind' | 'writes' | 'book'>;
const noServices: BookPlan = { kind: 'ready', writes: [], book: emptyBook };

/** The rules of the price book are 50 KB of code, loaded only where a request brings services. */
async function planServices(
  table: TableWriter,
  scope: BookScope,
  services: NonNullable<OrganizationInput['Services']>,
): Promise<BookPlan> {
  const { planPriceBook } = await import('../pricebook/import-price-book.ts');
  return planPriceBook(table, scope, { services });
}

/**
 * Lays a request over an organization and what belongs to it: agents and users by Id, else by name or e-mail, custom
 * fields by Id, Shortcode or Name, those not named staying as they are. Services are told to the price book;
 * `accountWide` says whether what belongs to the whole account may be changed by that. `whole.organization` is new
 * where its version is 0. All changes are for one transaction.
 */
export async function upsertOrganization(
  table: TableWriter,
  account: string,
  whole: WholeOrganization,
  { input, now, accountWide = true }: { input: OrganizationInput; now: Date; accountWide?: boolean },
): Promise<OrganizationUpsert> {
  const was = whole.organization;
  const { organization, errors } = applyOrganizationInput(was, input);
  const place = { account, organization, now };
  const defined = organizationFields(account, whole.fields, input.CustomFields ?? [], { accountWide });
  const values = applyCustomFieldInputs(
    organization.CustomFields,
    input.CustomFields ?? [],
    defined.fields.map(({ Value }) => Value),
  );
  // A field that could not be defined is at fault once, not for being unknown too.
  const valueFaults = values.errors.filter(
    ({ field }) => !defined.errors.some((error) => error.field.startsWith(field)),
  );
  const moves = organization.LocationID !== '' && toKeyText(organization.LocationID) !== toKeyText(was.LocationID);
  const scope = { accountId: account, organizationId: organization.Id, accountWide, zone: organization.Timezone, now };
  const [located, postal, agents, book] = await Promise.all([
    moves ? findLocation(table, account, organization.LocationID) : undefined,
    postalOwnershipChanges(table, account, organization.Id, {
      before: split(was.PostalCodes),
      after: split(organization.PostalCodes),
    }),
    upsertAgents(table, place, whole.agents, input.ServiceAgents ?? []),
    input.Services?.length && isZone(organization.Timezone) ? planServices(table, scope, input.Services) : noServices,
  ]);
  const users = await upsertUsers(table, place, whole.users, { input: input.Users ?? [], agents: agents.people });

  const all = [
    ...errors,
    ...defined.errors,
    ...valueFaults,
    ...agents.errors,
    ...(book.kind === 'invalid' ? book.errors : []),
    ...users.errors,
  ];
  if (all.length || book.kind !== 'ready') return { kind: 'invalid', errors: all };
  if (located !== undefined && located !== organization.Id)
    return {
      kind: 'taken',
      field: 'LocationId',
      message: `Organization ${located} has the LocationId ${organization.LocationID}.`,
    };
  if (users.taken) return { kind: 'taken', field: 'Users', message: users.taken };
  if (postal.kind === 'taken')
    return { kind: 'taken', field: 'PostalCodes', message: await ownersSaid(table, account, postal.taken) };

  const beside = [...postal.changes, ...agents.changes, ...users.changes, ...defined.changes, ...book.writes];
  const services = input.Services?.length
    ? [...book.book.services.values()].filter(({ OrganizationId }) => OrganizationId === organization.Id)
    : undefined;
  const after = { ...organization, CustomFields: values.values, UserIds: users.people.map(({ Id }) => Id) };
  if (!beside.length && isEqual(after, was)) return { kind: 'ready', whole, services, changes: [] };
  const { record, changes } = organizationChanges(account, was.V ? was : undefined, after);
  if (changes.length + beside.length > MAX_CHANGES) {
    const message = `makes ${changes.length + beside.length} changes, people, services, names and postal codes together, and at most ${MAX_CHANGES} are made at once: give some of them in another call`;
    return { kind: 'invalid', errors: [{ field: '', message }] };
  }
  return {
    kind: 'ready',
    whole: { organization: record, agents: agents.people, users: users.people, fields: defined.fields },
    services,
    changes: [...changes, ...beside],
  };
}

/** CustomField.TableType of what belongs to organizations. */
const ORGANIZATION = 4;

/** CustomField.Type of a value whose type is not said: 0 text, 1 number, 3 checkbox. */
const typeOf = (value: unknown): number => (typeof value === 'number' ? 1 : typeof value === 'boolean' ? 3 : 0);

const names = (input: CustomFieldInput, { Name, Shortcode }: CustomField): boolean =>
  [Name, Shortcode].some(
    (known) => known !== '' && [input.Name, input.Shortcode].some((name) => name && fold(name) === fold(known)),
  );

/** The definition in what a request brings: its value is the organization's, not the definition's. */
function definitionIn({ Id: _, Value, ...input }: Input<typeof CustomField>): Record<string, unknown> {
  const said = Object.entries(input).filter(([, each]) => each != null);
  return { ...Object.fromEntries(said), Type: input.Type || typeOf(Value), TableType: ORGANIZATION };
}

/**
 * The definitions of the account's custom fields for organizations, with those of a request whose names are new. A
 * definition that exists stays as it is: it is the whole account's, and changed in the company file; a new one is too,
 * so that without `accountWide` none is made. Of two calls that make one at the same time, the second finds the
 * first's.
 */
export function organizationFields(
  account: string,
  known: readonly Setting<CustomField>[],
  input: readonly Input<typeof CustomField>[],
  { accountWide }: { accountWide: boolean },
): { fields: readonly Setting<CustomField>[]; changes: Change[]; errors: FieldError[] } {
  const own = known.filter(({ Value }) => Value.TableType === ORGANIZATION);
  const isNew = (field: Input<typeof CustomField>) =>
    !field.Id && Boolean(field.Name?.trim()) && !own.some(({ Value }) => names(field, Value));
  const fresh = input.flatMap((field, index) => {
    const first = input.findIndex((other) => fold(other.Name ?? '') === fold(field.Name ?? ''));
    return isNew(field) && first === index ? [{ index, definition: definitionIn(field) }] : [];
  });
  if (!fresh.length) return { fields: own, changes: [], errors: [] };
  if (!accountWide) {
    const message = 'would be a new custom field of the whole account, which only a key of the account may define';
    return {
      fields: own,
      changes: [],
      errors: fresh.map(({ index }) => ({ field: `CustomFields[${index}]`, message })),
    };
  }
  const plan = planSettings(
    'CustomField',
    known as readonly AnySetting[],
    fresh.map(({ definition }) => definition),
  );
  if (plan.kind === 'invalid') {
    return {
      fields: own,
      changes: [],
      errors: plan.errors.map(({ index, field, message }) => ({
        field: `CustomFields[${fresh[index]?.index}].${field}`,
        message,
      })),
    };
  }
  const made = plan.entries.map(({ after }) => after as unknown as Setting<CustomField>);
  return { fields: [...own, ...made], changes: settingChanges(account, plan.entries), errors: [] };
}
