import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminSetUserMFAPreferenceCommand,
  type AdminSetUserMFAPreferenceCommandInput,
  AdminUserGlobalSignOutCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { Failure, conflict } from '../shared/failure.ts';
import { mapWithConcurrency } from '../shared/promises.ts';
import type { MfaOutcome, UserPool } from './user-pool.ts';

/** Cognito takes 25 changes of users a second by default. */
const CONCURRENCY = 2;
/** For all people of a call, of which Lambda has 29 s. */
const BUDGET_MILLISECONDS = 12_000;

let client: CognitoIdentityProviderClient | undefined;

/** The id of a pool begins with its region: `us-east-1_a1B2c3D4e`. */
const clientOf = (poolId: string): CognitoIdentityProviderClient =>
  (client ??= new CognitoIdentityProviderClient({
    region: poolId.slice(0, poolId.indexOf('_')),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_500, throwOnRequestTimeout: true },
  }));

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** What Cognito refuses of an invitation for good. */
const REFUSED: ReadonlySet<string> = new Set([
  'CodeDeliveryFailureException',
  'InvalidParameterException',
  'InvalidPasswordException',
  'PreconditionNotMetException',
  'UserLambdaValidationException',
]);

type Preference = Omit<AdminSetUserMFAPreferenceCommandInput, 'UserPoolId' | 'Username'>;

const OFF = { Enabled: false, PreferredMfa: false };
const settingOf: Readonly<Record<string, keyof Preference>> = {
  SOFTWARE_TOKEN_MFA: 'SoftwareTokenMfaSettings',
  SMS_MFA: 'SMSMfaSettings',
  EMAIL_OTP: 'EmailMfaSettings',
};
/** Only factors that a person has: switching off another one is refused. */
const withoutFactors = (factors: readonly string[]): Preference =>
  Object.fromEntries(factors.flatMap((factor) => (settingOf[factor] ? [[settingOf[factor], OFF]] : [])));

export function openPool(UserPoolId: string): UserPool {
  const cognito = clientOf(UserPoolId);

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

  /** A person without an authenticator app cannot be asked for its codes: Cognito refuses that. */
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

  /** A pool that requires a factor answers that it is off, and keeps it: hence the second look. */
  async function disable(email: string, signal: AbortSignal): Promise<MfaOutcome> {
    const factors = await factorsOf(email, signal);
    if (!factors.length) return 'done';
    await prefer(email, withoutFactors(factors), signal);
    return (await factorsOf(email, signal)).length ? 'kept' : 'done';
  }

  /**
   * No call removes the secret of an app. Off, it is asked for no more, until the person sets up another one, which
   * replaces it.
   */
  async function reset(email: string, signal: AbortSignal): Promise<MfaOutcome> {
    const outcome = await disable(email, signal);
    await cognito.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username: email }), { abortSignal: signal });
    return outcome;
  }

  const changes = { enable, disable, reset };

  return {
    async invite({ email, name }) {
      const UserAttributes = [
        { Name: 'email', Value: email },
        { Name: 'email_verified', Value: 'true' },
        { Name: 'name', Value: name },
      ];
      const invitation = { UserPoolId, Username: email, UserAttributes, DesiredDeliveryMediums: ['EMAIL' as const] };
      return cognito
        .send(new AdminCreateUserCommand(invitation), { abortSignal: AbortSignal.timeout(BUDGET_MILLISECONDS) })
        .then(
          () => 'invited',
          (error: unknown) => {
            if (nameOf(error) === 'UsernameExistsException') return 'known';
            throw REFUSED.has(nameOf(error)) ? refused(email, error) : unavailable(error);
          },
        );
    },

    async changeMfa(action, emails) {
      const signal = AbortSignal.timeout(BUDGET_MILLISECONDS);
      let cause: unknown;
      const outcomes = await mapWithConcurrency(emails, CONCURRENCY, async (email): Promise<MfaOutcome> => {
        // The SDK has repeated what failed: the others would wait as long for nothing.
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

const refused = (email: string, cause: unknown): Failure =>
  conflict('requirement_missing', `The sign-in refuses to invite ${email}: ${nameOf(cause)}. No user was created.`);
