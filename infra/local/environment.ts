import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { queueEnvironment } from '../queues.ts';
import { CALLBACK_KEY, LOCAL_CLIENT, LOCAL_POOL, type LocalJson, PAYMENT_KEY } from './data-folder.ts';

/** Sets the environment variables of deployed handlers for the local stack. */
export function setEnvironment(
  local: Pick<
    LocalJson,
    | 'BaseUrl'
    | 'DynamoDBEndpoint'
    | 'AwsEndpoint'
    | 'StripeApi'
    | 'MessagesEndpoint'
    | 'TableName'
    | 'Bucket'
    | 'Region'
  >,
  secretsEndpoint: string,
): void {
  Object.assign(process.env, {
    TABLE_NAME: local.TableName,
    BUCKET_NAME: local.Bucket,
    BASE_URL: local.BaseUrl,
    STAGE: 'local',
    AWS_REGION: local.Region,
    AWS_ENDPOINT_URL_DYNAMODB: local.DynamoDBEndpoint,
    AWS_ENDPOINT_URL_S3: local.AwsEndpoint,
    AWS_ENDPOINT_URL_SQS: local.AwsEndpoint,
    ...queueEnvironment((name) => `${local.AwsEndpoint}/000000000000/${name}`),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsEndpoint,
    CALLBACK_KEY_SECRET: CALLBACK_KEY,
    PAYMENT_KEY_SECRET: PAYMENT_KEY,
    STRIPE_API: local.StripeApi,
    AWS_ENDPOINT_URL_SESV2: local.MessagesEndpoint,
    AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2: local.MessagesEndpoint,
    MESSAGES_FROM: 'messages@mail.example.com',
    MESSAGES_CONFIGURATION_SET: 'local',
    MESSAGES_TEXT_ORIGIN: 'phone-local',
    MESSAGES_TEXT_CONFIGURATION_SET: 'local',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
    TABLE_WAIT_FACTOR: '8',
  });
}

/** The same for the user pool with the users of an account. */
export function setSignIn(endpoint: string, account: string): void {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: endpoint,
    USER_POOL_ID: LOCAL_POOL,
    USER_POOL_ACCOUNT: account,
  });
}

/** The same for the office, whose people are the users of an account. */
export function setOffice(issuer: string, account: string): void {
  Object.assign(process.env, { OFFICE_ISSUER: issuer, OFFICE_CLIENT_ID: LOCAL_CLIENT, OFFICE_ACCOUNT: account });
}

const CHECK_MILLISECONDS = 250;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The process id of npm, which runs a script through a shell; the shell outlives a killed npm. */
async function findNpm(): Promise<number> {
  const parent = process.ppid;
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,comm=', '-p', String(parent)]);
    const [, above = '', name = ''] = /^\s*(\d+)\s+(.*?)\s*$/.exec(stdout) ?? [];
    return /(^|\/)-?(ba|da|z|k)?sh$/.test(name) ? Number(above) : parent;
  } catch {
    return parent;
  }
}

/** Calls `stop` when the npm that started this process ends without a signal, for example if it is killed. */
export async function whenNpmEnds(stop: () => void): Promise<void> {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  const npm = await findNpm();
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(npm)) return;
    clearInterval(timer);
    stop();
  }, CHECK_MILLISECONDS);
  timer.unref();
}
