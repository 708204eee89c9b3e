import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AdminGetUserCommand,
  AdminSetUserPasswordCommand,
  AssociateSoftwareTokenCommand,
  CognitoIdentityProviderClient,
  CreateUserPoolClientCommand,
  InitiateAuthCommand,
  SetUserMFAPreferenceCommand,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { LOCAL_POOL } from '../../infra/local/data-folder.ts';
import { startSignIn } from '../../infra/local/sign-in.ts';
import { layout } from '../../lib/store/keys.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { followUsers } from '../../lib/workflows/users/follow-users.ts';
import { type AwsAnswer, startAws } from './aws-stand-in.ts';
import { useTestCredentials } from './stack/external.ts';
import { testStack, testTable } from './stack/stack.ts';

const PASSWORD = 'Correct-horse-7';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): Buffer {
  const bits = [...text.replace(/=+$/, '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The six digits that an authenticator app shows now (RFC 6238). */
function codeOf(secret: string): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** A request as it reaches Cognito. */
interface SignInRequest {
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The user pool of cognito-local, behind a door that sees each request and may answer in its place. */
export interface TestSignIn {
  /** Where the handlers call. */
  readonly endpoint: string;
  readonly requests: SignInRequest[];
  /** Answers a request in place of the pool; `undefined` lets it through. */
  answer: (request: SignInRequest) => AwsAnswer | Promise<AwsAnswer> | undefined;
  /** What the pool itself answers. */
  pass(request: SignInRequest): Promise<AwsAnswer>;
  readonly invitations: string[];
  /** Chooses a password, as an invited person does, and sets up an authenticator app. */
  enroll(email: string): Promise<void>;
  /** What the pool asks for after the password; `undefined`: nothing more. */
  challengeOf(email: string): Promise<string | undefined>;
  /** A person as the pool has them; `undefined` for nobody. */
  personOf(
    email: string,
  ): Promise<{ readonly id: string; readonly name: string; readonly isEnabled: boolean } | undefined>;
  /** Second factors that the pool has for a person. */
  factorsOf(email: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

async function startTestSignIn(): Promise<TestSignIn> {
  const folder = mkdtempSync(join(tmpdir(), 'sign-in-'));
  const invitations: string[] = [];
  const pool = await startSignIn({ folder, port: 0, origins: [], onMessage: (line) => void invitations.push(line) });
  const requests: SignInRequest[] = [];
  const door = await startAws(async ({ operation, body }) => {
    const request = { operation, body: JSON.parse(body) as SignInRequest['body'] };
    requests.push(request);
    return (await signIn.answer(request)) ?? signIn.pass(request);
  });
  const client = new CognitoIdentityProviderClient({
    endpoint: pool.endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const UserPoolId = LOCAL_POOL;
  const { UserPoolClient } = await client.send(new CreateUserPoolClientCommand({ UserPoolId, ClientName: 'office' }));
  const enter = (email: string) =>
    client.send(
      new InitiateAuthCommand({
        AuthFlow: 'USER_PASSWORD_AUTH',
        ClientId: UserPoolClient?.ClientId,
        AuthParameters: { USERNAME: email, PASSWORD },
      }),
    );
  const signIn: TestSignIn = {
    endpoint: door.endpoint,
    requests,
    answer: () => undefined,
    pass: ({ operation, body }) => passOn(pool.endpoint, operation, JSON.stringify(body)),
    invitations,
    async enroll(Username) {
      await client.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password: PASSWORD, Permanent: true }));
      const AccessToken = (await enter(Username)).AuthenticationResult?.AccessToken;
      const { SecretCode = '' } = await client.send(new AssociateSoftwareTokenCommand({ AccessToken }));
      await client.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode: codeOf(SecretCode) }));
      // cognito-local asks for its codes from then on. Cognito waits for the preference.
      const SoftwareTokenMfaSettings = { Enabled: false };
      await client.send(new SetUserMFAPreferenceCommand({ AccessToken, SoftwareTokenMfaSettings }));
    },
    challengeOf: async (email) => (await enter(email)).ChallengeName,
    async personOf(Username) {
      const found = await client.send(new AdminGetUserCommand({ UserPoolId, Username })).catch(() => undefined);
      const name = found?.UserAttributes?.find(({ Name }) => Name === 'name')?.Value ?? '';
      return found && { id: found.Username ?? '', name, isEnabled: found.Enabled ?? false };
    },
    factorsOf: async (Username) =>
      (await client.send(new AdminGetUserCommand({ UserPoolId, Username }))).UserMFASettingList ?? [],
    async stop() {
      client.destroy();
      await door.stop();
      await pool.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return signIn;
}

async function passOn(endpoint: string, operation: string, body: string): Promise<AwsAnswer> {
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
  };
  const response = await fetch(endpoint, { method: 'POST', headers, body });
  return { status: response.status, body: await response.text() };
}

/** The pool, for handlers and workers of this process; `USER_POOL_ACCOUNT` names the account that has it. */
export async function useTestSignIn(): Promise<TestSignIn> {
  const { TableName, DynamoDBEndpoint, Region } = testStack();
  useTestCredentials(Region);
  const pool = await startTestSignIn();
  Object.assign(process.env, {
    TABLE_NAME: TableName,
    AWS_ENDPOINT_URL_DYNAMODB: DynamoDBEndpoint,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: pool.endpoint,
    USER_POOL_ID: LOCAL_POOL,
    LOG_LEVEL: 'silent',
  });
  return pool;
}

/** Delivers messages of users to the worker that has the pool follow them, as the queue does. */
export const followUsersOf = (account: string, ids: readonly number[], table: TableWriter = testTable()) =>
  followUsers(
    table,
    ids.map((id) => ({ ...layout.user.key({ account, id }), receives: 1 })),
  );
