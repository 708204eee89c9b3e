import { InternalError } from '../../lib/shared/internal-error.ts';
import { HOUR, MINUTE } from '../../lib/shared/time/time.ts';

const MIN_LENGTH = 32;

interface HeldKey {
  readonly value: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** The client is loaded here: most runs of a container have the key, and other functions never need it. */
async function readSecret(): Promise<string> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const client = new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  try {
    const secret = new GetSecretValueCommand({ SecretId: process.env['CALLBACK_KEY_SECRET'] });
    const { SecretString = '' } = await client.send(secret);
    if (SecretString.length < MIN_LENGTH) throw new InternalError('The callback key is shorter than 32 characters.');
    return SecretString;
  } finally {
    client.destroy();
  }
}

/** Reads the key once an hour, and shares one read among those that ask at the same time. */
export function holdCallbackKey(): (now?: number) => Promise<string> {
  let held: HeldKey | undefined;
  let reading: Promise<HeldKey> | undefined;

  async function renew(now: number): Promise<HeldKey> {
    try {
      return { value: await readSecret(), until: now + HOUR };
    } catch (error) {
      // Callbacks go on while Secrets Manager is away; the next try follows in a minute.
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

/**
 * The key from which the secrets of callbacks follow, from the secret that CALLBACK_KEY_SECRET names. It is in memory
 * only: in no environment, file or log.
 */
export const readCallbackKey = holdCallbackKey();
