import type { OrganizationRecord } from '../../domain/organizations.ts';
import {
  type ServiceAgentInput,
  type ServiceAgentRecord,
  findDuplicateAgent,
  blankAgent,
  applyAgentInput,
  findAgentByName,
} from '../../domain/service-agents.ts';
import { type UserInput, type UserRecord, blankUser, applyUserInput, findUserByName } from '../../domain/users.ts';
import { normalizeEmail } from '../../shared/emails.ts';
import { isEqual } from '../../shared/equality.ts';
import { type FieldError, prefixErrors } from '../../shared/field-errors.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import type { TableWriter } from '../../store/dynamodb/client.ts';
import { reserveIds } from '../../store/dynamodb/ids.ts';
import type { IdKind } from '../../store/keys.ts';
import { agentChanges } from '../../store/service-agents.ts';
import { findEmailOwners, userChanges } from '../../store/users.ts';

/**
 * What becomes of an organization's agents or users: all of them as they are then, the changes that make them so, and
 * what is at fault.
 */
export interface PeopleUpsert<Person> {
  readonly people: readonly Person[];
  readonly changes: readonly Change[];
  readonly errors: readonly FieldError[];
  /** The first of the request that another one has already: a sentence. */
  readonly taken?: string;
}

interface Place {
  readonly account: string;
  readonly organization: OrganizationRecord;
  readonly now: Date;
}

/** Rows that name nobody there is, or somebody whom a row before them names too. */
function unnamed<Person extends { readonly Id: number }>(
  list: string,
  who: string,
  found: readonly (Person | null | undefined)[],
): FieldError[] {
  return found.flatMap((person, index): FieldError[] => {
    if (person === null) return [{ field: `${list}[${index}].Id`, message: `must be a ${who} of the organization` }];
    const first = person ? found.findIndex((other) => other?.Id === person.Id) : index;
    return first < index ? [{ field: `${list}[${index}]`, message: `is the same ${who} as ${list}[${first}]` }] : [];
  });
}

/** New ids for the rows that found nobody, in their places. */
async function idsFor(table: TableWriter, account: string, kind: IdKind, found: readonly unknown[]): Promise<number[]> {
  const fresh = found.filter((person) => person === undefined).length;
  const ids = fresh ? await reserveIds(table, account, kind, fresh) : [];
  return found.map((person) => (person === undefined ? (ids.shift() ?? 0) : 0));
}

const overlaid = <Person extends { readonly Id: number }>(
  existing: readonly Person[],
  changed: readonly Person[],
): Person[] => {
  const byId = new Map(changed.map((person) => [person.Id, person]));
  const known = new Set(existing.map(({ Id }) => Id));
  return [...existing.map((person) => byId.get(person.Id) ?? person), ...changed.filter(({ Id }) => !known.has(Id))];
};

/**
 * Upserts service agents by Id, else by name or e-mail; those not named stay. The organization's version must be raised
 * with the changes: it guards their names.
 */
export async function upsertAgents(
  table: TableWriter,
  { account, organization, now }: Place,
  existing: readonly ServiceAgentRecord[],
  input: readonly ServiceAgentInput[],
): Promise<PeopleUpsert<ServiceAgentRecord>> {
  const found = input.map((row) => findAgentByName(existing, row));
  const ids = await idsFor(table, account, 'ServiceAgent', found);
  const blank = (index: number) =>
    blankAgent({ Id: ids[index] ?? 0, OrganizationId: organization.Id, Created: now.getTime() });
  const merged = input.map((row, index) => applyAgentInput(found[index] ?? blank(index), row, organization));
  const people = overlaid(
    existing,
    merged.map(({ agent }) => agent),
  );
  const errors = merged.flatMap(({ agent, errors: own }, index) => {
    const double = agent.Name ? findDuplicateAgent(agent, people) : undefined;
    return prefixErrors(`ServiceAgents[${index}]`, [...own, ...(double ? [double] : [])]);
  });
  const all = [...unnamed('ServiceAgents', 'service agent', found), ...errors];
  if (all.length) return { people, changes: [], errors: all };
  const written = merged.flatMap(({ agent }, index) =>
    isEqual(found[index], agent) ? [] : [agentChanges(account, found[index] ?? undefined, agent)],
  );
  return {
    people: overlaid(
      people,
      written.map(({ record }) => record),
    ),
    changes: written.map(({ change }) => change),
    errors: [],
  };
}

const doubleEmails = (users: readonly UserRecord[]): FieldError[] =>
  users.flatMap(({ Email }, index) => {
    const first = users.findIndex((other) => normalizeEmail(other.Email) === normalizeEmail(Email));
    return first < index && Email
      ? [{ field: `Users[${index}].Email`, message: `is also that of Users[${first}]` }]
      : [];
  });

/**
 * Upserts users by Id, else by e-mail or name; those not named stay. An e-mail address is one user's in the whole
 * account.
 */
export async function upsertUsers(
  table: TableWriter,
  { account, organization, now }: Place,
  existing: readonly UserRecord[],
  { input, agents }: { input: readonly UserInput[]; agents: readonly ServiceAgentRecord[] },
): Promise<PeopleUpsert<UserRecord>> {
  const found = input.map((row) => findUserByName(existing, row));
  const [ids, owners] = await Promise.all([
    idsFor(table, account, 'User', found),
    findEmailOwners(
      table,
      account,
      input.map(({ Email }) => Email ?? ''),
    ),
  ]);
  const blank = (index: number) =>
    blankUser({ Id: ids[index] ?? 0, OrganizationId: organization.Id, Created: now.getTime() });
  const facts = { agentIds: new Set(agents.map(({ Id }) => Id)) };
  const merged = input.map((row, index) => applyUserInput(found[index] ?? blank(index), row, facts));
  const users = merged.map(({ user }) => user);
  const errors = [
    ...unnamed('Users', 'user', found),
    ...merged.flatMap((one, index) => prefixErrors(`Users[${index}]`, one.errors)),
    ...doubleEmails(users),
  ];
  const taken = users.find(({ Id, Email }) => (owners.get(normalizeEmail(Email))?.Id ?? Id) !== Id);
  const owner = taken && owners.get(normalizeEmail(taken.Email));
  if (errors.length) return { people: overlaid(existing, users), changes: [], errors };
  if (owner)
    return {
      people: existing,
      changes: [],
      errors,
      taken: `User ${owner.Id} of organization ${owner.OrganizationId} has the e-mail address ${taken.Email}.`,
    };
  const written = merged.flatMap(({ user }, index) =>
    isEqual(found[index], user) ? [] : [userChanges(account, found[index] ?? undefined, user)],
  );
  return {
    people: overlaid(
      existing,
      written.map(({ record }) => record),
    ),
    changes: written.flatMap(({ changes }) => changes),
    errors,
  };
}
