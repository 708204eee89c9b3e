import {
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminSetUserMFAPreferenceCommand,
  type AdminSetUserMFAPreferenceCommandInput,
  AdminUpdateUserAttributesCommand,
  AdminUserGlobalSignOutCommand,
  type AttributeType,
  CognitoIdentityProviderClient,
  paginateListUsers,
} from '@aws-sdk/client-cognito-identity-provider';
import { Failure } from '../shared/failure.ts';
import { mapWithConcurrency } from '../shared/promises.ts';
import { normalizeEmail } from '../shared/text/text.ts';
import { type MfaOutcome, type Person, PersonRefused, type UserPool } from './user-pool.ts';

/** Cognito takes 25 changes of users a second by default. */
const CONCURRENCY = 2;
/** For all people of a call, which Lambda limits to 29 s. */
const BUDGET_MILLISECONDS = 12_000;

/** By endpoint, because a local user pool has its own address. */
const clients = new Map<string | undefined, CognitoIdentityProviderClient>();

/** A pool id begins with its region: `us-east-1_a1B2c3D4e`. */
function clientOf(poolId: string): CognitoIdentityProviderClient {
  const endpoint = process.env['AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER'];
  const client =
    clients.get(endpoint) ??
    new CognitoIdentityProviderClient({
      region: poolId.slice(0, poolId.indexOf('_')),
      maxAttempts: 3,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_500, throwOnRequestTimeout: true },
    });
  clients.set(endpoint, client);
  return client;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** Permanent refusals of Cognito about a person. */
const REFUSED: ReadonlySet<string> = new Set([
  'CodeDeliveryFailureException',
  'InvalidParameterException',
  'InvalidPasswordException',
  'PreconditionNotMetException',
  'UserLambdaValidationException',
]);

const lasting = (error: unknown): unknown =>
  REFUSED.has(nameOf(error)) ? new PersonRefused(nameOf(error), error) : error;

const BY_MAIL = { DesiredDeliveryMediums: ['EMAIL' as const] };

const inTime = () => ({ abortSignal: AbortSignal.timeout(BUDGET_MILLISECONDS) });

/** Our addresses count as verified, so nobody has to prove them. */
const attributesOf = ({ email, name }: Partial<Pick<Person, 'email' | 'name'>>): AttributeType[] => [
  ...(email === undefined
    ? []
    : [
        { Name: 'email', Value: email },
        { Name: 'email_verified', Value: 'true' },
      ]),
  ...(name === undefined ? [] : [{ Name: 'name', Value: name }]),
];

/** A user as AdminGetUser returns it. */
interface PoolUser {
  readonly Username?: string | undefined;
  readonly UserAttributes?: readonly AttributeType[] | undefined;
  readonly Enabled?: boolean | undefined;
  readonly UserStatus?: string | undefined;
  readonly UserCreateDate?: Date | undefined;
}

function toPerson({
  Username = '',
  UserAttributes = [],
  Enabled = true,
  UserStatus,
  UserCreateDate,
}: PoolUser): Person {
  const valueOf = (name: string) => UserAttributes.find(({ Name }) => Name === name)?.Value ?? '';
  return {
    id: Username,
    email: normalizeEmail(valueOf('email')),
    name: valueOf('name'),
    isEnabled: Enabled,
    isInvited: UserStatus === 'FORCE_CHANGE_PASSWORD',
    created: UserCreateDate?.getTime() ?? 0,
  };
}

type Preference = Omit<AdminSetUserMFAPreferenceCommandInput, 'UserPoolId' | 'Username'>;

const OFF = { Enabled: false, PreferredMfa: false };
const settingOf: Readonly<Record<string, keyof Preference>> = {
  SOFTWARE_TOKEN_MFA: 'SoftwareTokenMfaSettings',
  SMS_MFA: 'SMSMfaSettings',
  EMAIL_OTP: 'EmailMfaSettings',
};
/** Only factors that a person has, because Cognito refuses to switch off others. */
const withoutFactors = (factors: readonly string[]): Preference =>
  Object.fromEntries(factors.flatMap((factor) => (settingOf[factor] ? [[settingOf[factor], OFF]] : [])));

export function openPool(UserPoolId: string): UserPool {
  const cognito = clientOf(UserPoolId);

  async function find(Username: string): Promise<Person | undefined> {
    try {
      return toPerson(await cognito.send(new AdminGetUserCommand({ UserPoolId, Username }), inTime()));
    } catch (error) {
      if (nameOf(error) === 'UserNotFoundException') return undefined;
      throw lasting(error);
    }
  }

  /** The second factors that a person is asked for. */
  async function factorsOf(Username: string, abortSignal: AbortSignal): Promise<readonly string[]> {
    const { UserMFASettingList = [] } = await cognito.send(new AdminGetUserCommand({ UserPoolId, Username }), {
      abortSignal,
    });
    return UserMFASettingList;
  }

  async function prefer(Username: string, preference: Preference, abortSignal: AbortSignal): Promise<void> {
    await cognito.send(new AdminSetUserMFAPreferenceCommand({ UserPoolId, Username, ...preference }), { abortSignal });
  }

  /** Cognito refuses to require codes from a person without an authenticator app. */
  async function enable(email: string, signal: AbortSignal): Promise<MfaOutcome> {
    if ((await factorsOf(email, signal)).length) return 'done';
    const byApp = { Enabled: true, PreferredMfa: true };
    return prefer(email, { SoftwareTokenMfaSettings: byApp }, signal).then(
      () => 'done',
      (error: unknown) => {
        if (nameOf(error) !== 'InvalidParameterException') throw error;
        return 'notEnrolled';
      },
    );
  }

  /** A pool that requires a factor reports it as off but keeps it, so the result is checked. */
  async function disable(email: string, signal: AbortSignal): Promise<MfaOutcome> {
    const factors = await factorsOf(email, signal);
    if (!factors.length) return 'done';
    await prefer(email, withoutFactors(factors), signal);
    return (await factorsOf(email, signal)).length ? 'kept' : 'done';
  }

  /**
   * No call removes the secret of an app. Once off, it is not asked for until the person sets up another one, which
   * replaces it.
   */
  async function reset(email: string, signal: AbortSignal): Promise<MfaOutcome> {
    const outcome = await disable(email, signal);
    await cognito.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username: email }), { abortSignal: signal });
    return outcome;
  }

  const changes = { enable, disable, reset };

  return {
    find,

    async invite({ email, name }) {
      const invitation = { UserPoolId, Username: email, UserAttributes: attributesOf({ email, name }), ...BY_MAIL };
      const made = await cognito.send(new AdminCreateUserCommand(invitation), inTime()).catch((error: unknown) => {
        if (nameOf(error) !== 'UsernameExistsException') throw lasting(error);
      });
      return made?.User && toPerson({ ...made.User, UserAttributes: made.User.Attributes });
    },

    async inviteAgain({ id }) {
      const invitation = { UserPoolId, Username: id, MessageAction: 'RESEND' as const, ...BY_MAIL };
      await cognito.send(new AdminCreateUserCommand(invitation), inTime()).catch((error: unknown) => {
        // The person has chosen a password in the meantime.
        if (nameOf(error) !== 'UnsupportedUserStateException') throw lasting(error);
      });
    },

    async change({ id }, to) {
      const change = { UserPoolId, Username: id, UserAttributes: attributesOf(to) };
      await cognito.send(new AdminUpdateUserAttributesCommand(change), inTime()).catch((error: unknown) => {
        throw lasting(error);
      });
    },

    async enable({ id }, isEnabled) {
      const person = { UserPoolId, Username: id };
      await (isEnabled
        ? cognito.send(new AdminEnableUserCommand(person), inTime())
        : cognito.send(new AdminDisableUserCommand(person), inTime()));
    },

    async *list() {
      for await (const { Users = [] } of paginateListUsers({ client: cognito }, { UserPoolId }))
        yield* Users.map((user) => toPerson({ ...user, UserAttributes: user.Attributes }));
    },

    async changeMfa(action, emails) {
      const signal = AbortSignal.timeout(BUDGET_MILLISECONDS);
      let cause: unknown;
      const outcomes = await mapWithConcurrency(emails, CONCURRENCY, async (email): Promise<MfaOutcome> => {
        // The SDK has already retried: the other people would wait as long for nothing.
        if (cause !== undefined) return 'away';
        return changes[action](email, signal).catch((error: unknown) => {
          if (nameOf(error) === 'UserNotFoundException') return 'notFound';
          cause = error;
          return 'away';
        });
      });
      if (outcomes.length && outcomes.every((outcome) => outcome === 'away')) throw unavailable(cause);
      return new Map(emails.map((email, index) => [email, outcomes[index] ?? 'away']));
    },
  };
}

const unavailable = (cause: unknown): Failure =>
  new Failure('unavailable', 'The sign-in of the users does not answer. Nothing was changed here. Try again.', {
    headers: { 'Retry-After': '5' },
    cause,
  });
