import { type UserRecord, userEntity, type User } from '../entities/users.ts';
import type { BulkMfaResult } from '../resources/organizations.ts';
import { type Input, applyText } from '../resources/fields.ts';
import { fold, isEmail, normalizeEmail } from '../shared/text/text.ts';
import { type FieldError, collectErrors } from '../shared/failure.ts';
import { isEqual } from '../shared/objects.ts';
import { isPhoneText } from '../shared/text/phones.ts';

export type UserInput = Input<typeof User> & { readonly MobilePhone?: string | null | undefined };

export const userToResource = (user: UserRecord): User => userEntity.toResource(user);

/**
 * The user that a request refers to, by Id (`null`: unknown), else by e-mail, else by name; `undefined` for a new one.
 */
export function matchUser(users: readonly UserRecord[], { Id, Name, Email }: UserInput): UserRecord | null | undefined {
  if (Id) return users.find((user) => user.Id === Id) ?? null;
  if (Email) return users.find((user) => normalizeEmail(user.Email) === normalizeEmail(Email));
  return Name ? users.find((user) => fold(user.Name) === fold(Name.trim())) : undefined;
}

/** Applies a request to a user. `agentIds` are the service agents of the organization. */
export function applyUserInput(
  before: UserRecord,
  input: UserInput,
  agentIds: ReadonlySet<number>,
): { user: UserRecord; errors: FieldError[] } {
  const user: UserRecord = {
    ...before,
    Name: applyText(input.Name, before.Name),
    Email: applyText(input.Email, before.Email),
    MobilePhone: applyText(input.MobilePhone, before.MobilePhone),
    Active: input.Active ?? before.Active,
    Role: input.Role ?? before.Role,
    ServiceAgentId: input.ServiceAgentId === undefined ? before.ServiceAgentId : input.ServiceAgentId,
  };
  const agent = user.ServiceAgentId;
  const unknownAgent = agent !== null && agent !== before.ServiceAgentId && !agentIds.has(agent);
  const errors = collectErrors(
    ['Name', !user.Name && 'is required', 'required'],
    ['Email', !user.Email && 'is required', 'required'],
    ['Email', user.Email !== '' && !isEmail(user.Email) && 'must be an e-mail address', 'format'],
    ['MobilePhone', user.MobilePhone !== '' && !isPhoneText(user.MobilePhone) && 'must be a phone number', 'format'],
    ['ServiceAgentId', unknownAgent && 'must be a service agent of the organization', 'not_found'],
  );
  return { user, errors };
}

/** Why a user cannot have an e-mail address: each belongs to only one user of an organization. */
export const emailTakenMessage = (owner: number, email: string): string =>
  `User ${owner} of the organization has the e-mail address ${email}.`;

/** Who may grant and change which roles: nobody may for roles above their own. */
const RANKS: Readonly<Record<UserRecord['Role'], number>> = {
  Owner: 3,
  Admin: 2,
  Office: 1,
  ServiceAgent: 1,
  Marketing: 1,
  DataSubscriber: 1,
  ReadOnly: 0,
};

/**
 * Why a key with this role may not change a user from `before` (`undefined`: new) to `after`; `undefined` if it may.
 */
export function rankError(role: UserRecord['Role'], before: UserRecord | undefined, after: UserRecord) {
  const isAbove = (user: UserRecord | undefined): user is UserRecord =>
    user !== undefined && RANKS[user.Role] > RANKS[role];
  if (isAbove(before)) return `A key of role ${role} may not change user ${before.Id}, whose role is ${before.Role}.`;
  return isAbove(after) ? `A key of role ${role} may not give the role ${after.Role}.` : undefined;
}

/** The ids of the users who can own records of an organization: its active ones. */
const ownerIds = (users: readonly UserRecord[], organizationId: number): ReadonlySet<number> =>
  new Set(users.flatMap(({ Id, Active, OrganizationId }) => (Active && OrganizationId === organizationId ? Id : [])));

/**
 * The error of an OwnerUserId that is not an active user of the organization. `users` are those that the caller may
 * know. An unchanged owner is not checked again.
 */
export function ownerError(
  owner: number | null,
  previous: number | null,
  users: readonly UserRecord[],
  organizationId: number,
): string | false {
  if (owner === null || owner === previous || ownerIds(users, organizationId).has(owner)) return false;
  const message = `must be an active user of the organization; ${owner} is not`;
  const user = users.find(({ Id }) => Id === owner);
  if (!user) return message;
  return user.OrganizationId === organizationId
    ? `${message} active`
    : `${message}: it belongs to organization ${user.OrganizationId}, and the record to organization ${organizationId}`;
}

/** The fields of a user that the user pool follows. */
const SIGN_IN_FIELDS = ['Name', 'Email', 'Active'] as const;

/** Whether the user pool follows a change of the user (`before` is undefined for a new one). */
export const isOfSignIn = (
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>>,
): boolean => !before || SIGN_IN_FIELDS.some((name) => !isEqual(before[name], after[name]));

/** Whether the user pool has yet to follow the last change of an active user. */
export const awaitsSignIn = ({ Active, Email, SignInId, SignInEmail, SignInRefusal }: UserRecord): boolean =>
  Active && SignInRefusal === '' && !(SignInId && SignInEmail === normalizeEmail(Email));

export type MfaAction = 'enable' | 'disable' | 'reset';

/** Applies an action to a user's second factor; returns the same object if nothing changes. */
export function applyMfaAction(
  user: UserRecord,
  action: MfaAction,
  now: number,
): { user: UserRecord; status: BulkMfaResult['Status'] } {
  if (action === 'reset') return { user: { ...user, MfaResetAt: now }, status: 'Reset' };
  const enable = action === 'enable';
  if (user.MfaEnabled === enable) return { user, status: enable ? 'AlreadyEnabled' : 'AlreadyDisabled' };
  return { user: { ...user, MfaEnabled: enable }, status: enable ? 'Enabled' : 'Disabled' };
}
