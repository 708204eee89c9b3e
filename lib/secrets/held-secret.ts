import { InternalError } from '../shared/failure.ts';
import { HOUR, MINUTE } from '../shared/time/time.ts';

const MIN_LENGTH = 32;

interface HeldSecret {
  readonly value: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Loads the client here, because most runs of a container already have the secret. */
async function readSecret(variable: string): Promise<string> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const client = new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: process.env[variable] }));
    if (SecretString.length < MIN_LENGTH)
      throw new InternalError(`The secret of ${variable} is shorter than ${MIN_LENGTH} characters.`);
    return SecretString;
  } finally {
    client.destroy();
  }
}

/**
 * Reads the secret that an environment variable names, once an hour; concurrent callers share one read. The secret is
 * only in memory, never in the environment, a file or a log.
 */
export function holdSecret(variable: string): (now?: number) => Promise<string> {
  let held: HeldSecret | undefined;
  let reading: Promise<HeldSecret> | undefined;

  async function renew(now: number): Promise<HeldSecret> {
    try {
      return { value: await readSecret(variable), until: now + HOUR };
    } catch (error) {
      // Work continues while Secrets Manager is unavailable; the next attempt follows in a minute.
      if (held) return { value: held.value, until: now + MINUTE };
      throw error;
    }
  }

  return async (now = Date.now()) => {
    if (held && now < held.until) return held.value;
    reading ??= renew(now).finally(() => (reading = undefined));
    held = await reading;
    return held.value;
  };
}

/** The key that seals the keys of payment providers. */
export const readPaymentKey = holdSecret('PAYMENT_KEY_SECRET');

/** The key from which callback secrets are derived. */
export const readCallbackKey = holdSecret('CALLBACK_KEY_SECRET');

/** What it takes to store addresses of service agents' calendars, which are sealed with the same key. */
export const calendarRules = () => ({
  allowsLoopback: () => process.env['STAGE'] === 'local',
  readKey: readCallbackKey,
});
