import type { Fields } from '../../lib/entities/declaration/field.ts';
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createDemo } from '../../infra/cli/demo/create-demo.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import type { Item } from '../../lib/store/dynamodb/changes.ts';
import { openScan } from '../../lib/store/dynamodb/scan.ts';
import { type PatientTable, withCurrentValues } from '../../lib/store/dynamodb/table.ts';
import { newOrganizationChanges } from '../../lib/store/organizations/organizations.ts';
import { type Samples, argumentsOf, listStoreFunctions } from '../support/store-functions.ts';
import { storeOf } from '../../lib/store/store.ts';
import { keyText, layout, toKey } from '../../lib/store/keys.ts';
import { kindOf } from '../support/stored-records.ts';
import { testStack, testTable } from '../support/stack/stack.ts';
import { keysIn, outcomeOf, watched } from '../support/watched-table.ts';

/** An organization of the demo without any record. */
const ELSEWHERE = 9;
const NOW = new Date();

interface Declared {
  readonly name: string;
  readonly fields: Fields;
  readDeclared(item: object): object;
}

/** Entities by the names of their declarations. */
const entities = new Map<string, Declared>();
const folder = new URL('../../lib/entities/', import.meta.url);
for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts')))
  for (const [name, value] of Object.entries((await import(new URL(file, folder).href)) as object))
    if (typeof value === 'object' && value !== null && 'readDeclared' in value) entities.set(name, value as Declared);

/** What has nothing to do for the arguments that it gets, without dates, changes or names, or remembers its answer. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  // Refuses a proposal that does not change, as that of a sample.
  'sales/proposals.ts proposalWithParentChanges',
  'accounts/accounts.ts findSchemaError',
  'calendars.ts allReservationChanges',
  'calendars.ts holdTimeChanges',
  'calendars.ts privateTimeChanges',
  'calendars.ts timeReservationChanges',
  'client-payments.ts writeCheckoutState',
  'contacts/contact-index.ts narrowLists',
  'contacts/contacts.ts contactSummaryChanges',
  'contacts/contacts.ts listOlderNotePages',
  'contacts/contacts.ts newGuardRanges',
  // Nothing of a sample is due later.
  'events/message-plans.ts laterTriggers',
  'events/webhooks.ts updatedWebhookChange',
  'messages.ts findMessage',
  // Nobody is merged into the contact of a sample.
  'messages.ts formerMessageChecks',
  'messages.ts writeMessageReport',
  // The key of a sample is no session.
  'requests/sessions.ts findSessionUser',
  'sales/proposals.ts pendingExpiry',
  'visibility.ts listedContacts',
  'visit-releases.ts releaseChanges',
]);

/**
 * What answers for the account, whatever organization its caller has: who asks it has looked at that, or may see all.
 */
const ACROSS_ORGANIZATIONS = [
  'appointments.ts listAppointments',
  'appointments.ts listVisitsFrom',
  'contacts/contact-search.ts searchContacts',
  'contacts/contacts.ts findContacts',
  'contacts/contacts.ts findMeantContact',
  'erased-keys.ts findBusinessKey',
  'feed-visits.ts listFeedVisits',
  'organizations/accounting-classes.ts listAllClasses',
  'organizations/blogs.ts listBlogs',
  'organizations/organizations.ts findOrganization',
  'organizations/organizations.ts findOrganizations',
  'organizations/organizations.ts findPostalOwner',
  'organizations/organizations.ts findRecentOrganization',
  'organizations/organizations.ts getOrganization',
  'organizations/organizations.ts listOrganizations',
  'organizations/service-agents.ts listAllAgents',
  'organizations/users.ts findUserAt',
  'organizations/users.ts findUsersWithVersion',
  'organizations/users.ts listAllUsers',
  'organizations/users.ts listDisplayedUsers',
  'organizations/users.ts listUsers',
  'sales/proposals.ts findProposals',
  'tasks.ts listAllTasks',
];

const functions = await listStoreFunctions();
let demo = '';
let foreign = '';
let samples: Samples;

beforeAll(async () => {
  const table = testTable();
  ({ account: demo } = await createDemo(table, { now: NOW, size: 'small' }));
  ({ account: foreign } = await writeAccount(table, { name: 'Foreign', now: NOW }));
  await table.commit(newOrganizationChanges({ account: demo }, { Id: ELSEWHERE, PublicName: 'Elsewhere' }));
  const items: Item[] = [];
  const { TableName: tableName, DynamoDBEndpoint: endpoint } = testStack();
  for await (const page of openScan({ tableName, endpoint })({ accounts: [demo], isWhole: true })) items.push(...page);
  // Engines scan in different orders.
  items.sort((one, other) => (keyText(one) < keyText(other) ? -1 : 1));
  samples = samplesOf(Map.groupBy(items, kindOf));
}, 120_000);

/** What the functions are asked for: records of the demo, most of which have the id 1. */
function samplesOf(kinds: ReadonlyMap<string, readonly Item[]>): Samples {
  const contact = kinds.get('Contact')?.[0];
  const organization = kinds.get('Organization')?.[0];
  const task = kinds.get('Task')?.[0];
  if (!contact || !organization || !task) throw new Error('the demo has no contact or no task');
  return {
    types: {
      BookRecord: { Id: 1 },
      Channel: { Id: 1, Name: 'Web', Campaigns: [] },
      ClientCallKind: 'form',
      IdKind: 'Contact',
      Input: { Title: 'Title' },
      Buffer: Buffer.from('picture'),
      Date: NOW,
      Exclude: 'Contact',
      Forecast: { Year: 2035, Month: 1, Target: 5 },
      Item: contact,
      Key: toKey(contact),
      Kind: 'dimensions',
      MessageTrigger: { noun: 'Appointment', id: 1, topic: 'OnTheWay', at: 0 },
      PlannedMessage: { noun: 'Appointment', id: 1, topic: 'OnTheWay', at: 0 },
      RecordKind: entities.get('taskEntity'),
      RecordType: entities.get('taskEntity')?.readDeclared(task),
      Identity: entities.get('contactEntity')?.readDeclared(contact),
      ServiceSelector: { id: 1 },
      SettingKind: 'CustomField',
      Uint8Array: Buffer.from('picture'),
      Value: { Id: 1 },
    },
    names: {
      code: String(organization['PostalCodes']).split(',')[0],
      day: NOW.toISOString().slice(0, 10),
      email: contact['Email'],
      hash: contact['Hash'],
      id: 1,
      'key()': layout.appointment.key,
      name: 'Tag',
      organization: ELSEWHERE,
      organizationId: ELSEWHERE,
      phone: contact['PhoneKey'],
      publicPart: '0'.repeat(12),
      since: 0,
      through: NOW.getTime(),
      zone: 'UTC',
    },
    record: (entity) => {
      const declared = entities.get(entity);
      if (!declared) throw new TypeError(`no entity ${entity}`);
      return declared.readDeclared(kinds.get(declared.name)?.[0] ?? requiredOf(declared));
    },
  };
}

/** Values of the stored types of fields. */
const VALUES = {
  string: 'text',
  number: 1,
  boolean: false,
  bytes: Buffer.from(''),
  list: [],
  map: {},
  object: {},
  any: 1,
};

/** A record that the demo does not have. */
const requiredOf = ({ fields }: Declared): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { options, stored }]) =>
      options.required ? [[name, name === 'Account' ? demo : VALUES[stored]]] : [],
    ),
  );

/** A record, and the organization that it is of. */
interface Owned {
  readonly Id: unknown;
  readonly OrganizationId: number;
}

/** The records in a value that are of an organization. */
function* ownedIn(value: unknown): Generator<Owned> {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  const { Id, OrganizationId } = value as Record<string, unknown>;
  if (typeof OrganizationId === 'number' && OrganizationId) yield { Id, OrganizationId };
  for (const each of value instanceof Map ? value.values() : Object.values(value)) yield* ownedIn(each);
}

/** A call of a function for a foreign store: what it asked for, what it was answered, and what came of it. */
interface Tried {
  readonly name: string;
  readonly input: readonly unknown[];
  readonly seen: readonly unknown[];
  readonly outcome: unknown;
}

/** Calls every function with the store of an account and an organization. */
async function tryAll(table: PatientTable, account: string, organizationId: number | null): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const each of functions) {
    const watching = watched(withCurrentValues(table));
    const input = argumentsOf(each, samples);
    const outcome = await outcomeOf(() => each.call(storeOf(watching.table, { account, organizationId }), ...input));
    tried.push({ name: each.name, input, seen: watching.seen, outcome });
  }
  return tried;
}

const namesOf = (tried: readonly Tried[]): string[] => tried.map(({ name }) => name).sort();

describe('a store of another account', () => {
  let tried: readonly Tried[] = [];
  beforeAll(async () => {
    tried = await tryAll(testTable(), foreign, null);
  }, 60_000);

  test('reaches no item of an account, whatever function gets it and its records', () => {
    const reaching = tried.filter(({ seen, outcome }) => !keysIn([seen, outcome], demo).next().done);
    expect(namesOf(reaching)).toEqual([]);
  });

  test('gets each function to work: it asks the table, returns something or refuses the key of the other account', () => {
    const failed = tried.flatMap(({ name, seen, outcome }) => {
      const isRefused = outcome instanceof Error && outcome.message.startsWith('a key of another account');
      const isEarly = outcome instanceof Error && !seen.length && !isRefused && !WITHOUT_EFFECT.has(name);
      const isBroken = outcome instanceof TypeError || isEarly;
      return isBroken ? [`${name}: ${outcome.message}`] : [];
    });
    expect(failed).toEqual([]);
    const isNothing = ({ seen, outcome }: Tried) =>
      !seen.length && (outcome === undefined || (Array.isArray(outcome) && !outcome.length));
    expect(namesOf(tried.filter(isNothing)).filter((name) => !WITHOUT_EFFECT.has(name))).toEqual([]);
  });
});

test('a store of another organization shows records of an organization by those functions alone that say so', async () => {
  const unchanged = async () => undefined;
  const table = testTable();
  const readable = { ...table, commit: unchanged, putMany: unchanged, writeCached: unchanged };
  const tried = await tryAll(
    { ...readable, update: async ({ update }) => ({ ...(await table.get(update)), ...update }), until: table.until },
    demo,
    ELSEWHERE,
  );
  const showing = tried.filter(({ input, seen, outcome }) => {
    const given = new Set([...ownedIn(input)].map(({ Id, OrganizationId }) => `${OrganizationId} ${Id}`));
    const isOthers = ({ Id, OrganizationId }: Owned) =>
      OrganizationId !== ELSEWHERE && !given.has(`${OrganizationId} ${Id}`);
    return seen.length > 0 && [...ownedIn(outcome)].some(isOthers);
  });
  expect(namesOf(showing)).toEqual(ACROSS_ORGANIZATIONS);
}, 60_000);
