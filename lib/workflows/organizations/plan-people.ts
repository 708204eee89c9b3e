import { type UserRecord, userEntity } from '../../entities/users.ts';
import { type ServiceAgentRecord, serviceAgentEntity } from '../../entities/service-agents.ts';
import { type ListLimit, LIST_LIMITS, describeLimit, exceedsLimit } from '../../domain/list-limits.ts';
import {
  type ServiceAgentInput,
  applyAgentInput,
  findDuplicateAgent,
  matchAgent,
} from '../../domain/service-agents.ts';
import { type UserInput, applyUserInput, emailTakenMessage, matchUser, rankError } from '../../domain/users.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import { isEqual } from '../../shared/objects.ts';
import { type FieldError, collectErrors, prefixErrors } from '../../shared/failure.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { type IdKind, keyText } from '../../store/keys.ts';
import { agentChanges } from '../../store/organizations/service-agents.ts';
import { findEmailOwners, userChanges } from '../../store/organizations/users.ts';
import { calendarsBeginning } from '../../store/agent-calendars.ts';
import type { PlanScope } from './plan-scope.ts';
import { readBusyFrom } from './read-busy-from.ts';

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
  /** Errors of applied rows that clash with each other or with `people`. */
  clashes(applied: readonly Of[], people: readonly Of[]): FieldError[];
  store(before: Of | undefined, after: Of): { record: Of; changes: readonly Change[] };
}

/** Upserts the rows of a list; people whom no row names stay. */
async function planPeople<Of extends Person, Row>(
  { store, organization, now }: PlanScope,
  existing: readonly Of[],
  rows: readonly Row[],
  rules: PeopleRules<Of, Row>,
): Promise<PeoplePlan<Of>> {
  const matches = rows.map((row) => rules.match(existing, row));
  const newCount = matches.filter((match) => match === undefined).length;
  const ids = newCount ? [...(await reserveIds(store, rules.idKind, newCount))] : [];
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

/** Errors of rows with an unknown Id, or that name somebody whom an earlier row names. */
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
export async function planAgents(
  scope: PlanScope,
  existing: readonly ServiceAgentRecord[],
  rows: readonly ServiceAgentInput[],
): Promise<PeoplePlan<ServiceAgentRecord>> {
  const { store } = scope;
  const busyFrom = new Map(
    await Promise.all(
      rows.map(async (row) => {
        const before = matchAgent(existing, row) ?? undefined;
        return [row, await readBusyFrom(store, before, row, scope.calendars)] as const;
      }),
    ),
  );
  return planPeople(scope, existing, rows, {
    list: 'ServiceAgents',
    noun: 'service agent',
    idKind: 'ServiceAgent',
    limit: LIST_LIMITS.serviceAgents,
    match: matchAgent,
    blank: serviceAgentEntity.blank,
    apply(before, row) {
      const read = busyFrom.get(row);
      const { agent, errors } = applyAgentInput(before, row, read?.calendars);
      return { person: agent, errors: [...errors, ...(read?.errors ?? [])] };
    },
    clashes: (agents, people) =>
      agents.flatMap((agent, index) => {
        const duplicate = agent.Name ? findDuplicateAgent(agent, people) : undefined;
        return duplicate ? prefixErrors(`ServiceAgents[${index}]`, [duplicate]) : [];
      }),
    store(before, after) {
      const { record, change } = agentChanges(store, before, after);
      const isBeginning = after.Calendars.length > 0 && !isEqual(before?.Calendars, after.Calendars);
      return { record, changes: [change, ...(isBeginning ? [calendarsBeginning(store, record)] : [])] };
    },
  });
}

/**
 * The plan of agents with the calendars of some revoked, whose users are deactivated: a calendar keeps asking with the
 * address that it has.
 */
export function withRevokedCalendars(
  { store }: Pick<PlanScope, 'store'>,
  existing: readonly ServiceAgentRecord[],
  plan: PeoplePlan<ServiceAgentRecord>,
  ids: readonly number[],
): PeoplePlan<ServiceAgentRecord> {
  const revoked = existing.flatMap((before) => {
    const planned = ids.includes(before.Id) && plan.people.find(({ Id }) => Id === before.Id);
    if (!planned) return [];
    const after = { ...planned, V: before.V, LinksRevoked: (before.LinksRevoked ?? 0) + 1 };
    return [agentChanges(store, before, after)];
  });
  const keys = new Set(revoked.flatMap(({ change }) => ('put' in change ? [keyText(change.put)] : [])));
  const others = plan.changes.filter((change) => !('put' in change && keys.has(keyText(change.put))));
  return {
    ...plan,
    people: mergeById(
      plan.people,
      revoked.map(({ record }) => record),
    ),
    changes: [...others, ...revoked.map(({ change }) => change)],
  };
}

/** Users match by Id, else by e-mail, else by name. An e-mail address belongs to one user of an organization. */
export async function planUsers(
  scope: PlanScope,
  existing: readonly UserRecord[],
  rows: readonly UserInput[],
  agents: readonly ServiceAgentRecord[],
): Promise<PeoplePlan<UserRecord> & { readonly taken: readonly FieldError[]; readonly tooHigh: string | undefined }> {
  const { store } = scope;
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
      store: (before, after) => userChanges(store, before, after),
    }),
    findEmailOwners(store, scope.organization.Id, emails),
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
