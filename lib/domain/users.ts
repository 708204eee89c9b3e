import type { BulkMfaResult, User } from '../resources/organizations.ts';
import type { Input } from '../resources/resource.ts';
import { isEmail, normalizeEmail } from '../shared/emails.ts';
import type { FieldError } from '../shared/field-errors.ts';
import { isPhoneText } from '../shared/phones.ts';
import { fold } from '../shared/text.ts';

/** A user as a request brings one. */
export type UserInput = Input<typeof User> & { readonly MobilePhone?: string | null | undefined };

/** A user as it is kept. Moments in milliseconds since 1970. */
export interface UserRecord extends User {
  readonly OrganizationId: number;
  readonly MobilePhone: string;
  /** The second factor is asked for. */
  readonly MfaEnabled: boolean;
  /** When the second factor was last reset: what was enrolled before counts no more. */
  readonly MfaResetAt: number | null;
  readonly Created: number;
  readonly V: number;
}

/** A user of whom only what is given is known: active, and allowed the least. */
export const blankUser = (input: Pick<UserRecord, 'Id' | 'OrganizationId' | 'Created'>): UserRecord => ({
  Name: '',
  Email: '',
  MobilePhone: '',
  Active: true,
  ServiceAgentId: null,
  Role: 'ReadOnly',
  MfaEnabled: false,
  MfaResetAt: null,
  V: 0,
  ...input,
});

/** The user as operations answer it. */
export const userToResource = ({ Id, Email, Name, Active, ServiceAgentId, Role }: UserRecord): User => ({
  Id,
  Email,
  Name,
  Active,
  ServiceAgentId,
  Role,
});

/**
 * Which of an organization's users a request speaks of: by Id (`null` when there is none of that id), else by e-mail,
 * else by name; `undefined`: a new one.
 */
export function findUserByName(
  users: readonly UserRecord[],
  { Id, Name, Email }: UserInput,
): UserRecord | null | undefined {
  if (Id) return users.find((user) => user.Id === Id) ?? null;
  if (Email) return users.find((user) => normalizeEmail(user.Email) === normalizeEmail(Email));
  return Name ? users.find((user) => fold(user.Name) === fold(Name.trim())) : undefined;
}

/**
 * A user with what a request brings laid over it: absent means unchanged, `null` clears. `agentIds` are the service
 * agents of the organization.
 */
export function applyUserInput(
  user: UserRecord,
  input: UserInput,
  { agentIds }: { agentIds: ReadonlySet<number> },
): { user: UserRecord; errors: FieldError[] } {
  const text = (value: string | null | undefined, was: string) => (value === undefined ? was : (value ?? '').trim());
  const merged: UserRecord = {
    ...user,
    Name: text(input.Name, user.Name),
    Email: text(input.Email, user.Email),
    MobilePhone: text(input.MobilePhone, user.MobilePhone),
    Active: input.Active ?? user.Active,
    Role: input.Role ?? user.Role,
    ServiceAgentId: input.ServiceAgentId === undefined ? user.ServiceAgentId : input.ServiceAgentId,
  };
  const said = (field: string, message: string | undefined | false) => (message ? [{ field, message }] : []);
  const agent = merged.ServiceAgentId;
  const errors = [
    ...said('Name', !merged.Name && 'is required'),
    ...said('Email', !merged.Email ? 'is required' : !isEmail(merged.Email) && 'must be an e-mail address'),
    ...said('MobilePhone', merged.MobilePhone !== '' && !isPhoneText(merged.MobilePhone) && 'must be a phone number'),
    ...said(
      'ServiceAgentId',
      agent !== null &&
        agent !== user.ServiceAgentId &&
        !agentIds.has(agent) &&
        'must be a service agent of the organization',
    ),
  ];
  return { user: merged, errors };
}

/** What the bulk operations do with a user's second factor. */
export type MfaAction = 'enable' | 'disable' | 'reset';

/** The user afterwards, the very same where nothing changes, and what is said of it. */
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
