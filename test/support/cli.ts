import { AsyncLocalStorage } from 'node:async_hooks';
import { runCommand } from '../../infra/cli/program.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const outputs = new AsyncLocalStorage<Record<'stdout' | 'stderr', string>>();

/** What a command prints is its own; anything else is printed as ever. */
for (const name of ['stdout', 'stderr'] as const) {
  const write = process[name].write.bind(process[name]);
  process[name].write = (data: string | Uint8Array, ...rest: never[]) => {
    const output = outputs.getStore();
    if (!output) return write(data, ...rest);
    output[name] += typeof data === 'string' ? data : Buffer.from(data).toString();
    return true;
  };
}

/** What the tool reads of the environment. */
const VARIABLES = [
  'FS_DATA',
  'FS_URL',
  'FS_KEY',
  'FS_PROFILE',
  'XDG_CONFIG_HOME',
  'TABLE_NAME',
  'BUCKET_NAME',
  'BASE_URL',
  'CALLBACK_KEY_SECRET',
  'PAYMENT_KEY_SECRET',
  'USER_POOL_ID',
  'USER_POOL_ACCOUNT',
  'AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER',
  'DYNAMODB_ENDPOINT',
  'AWS_ENDPOINT_URL_DYNAMODB',
  'AWS_ENDPOINT_URL_S3',
  'AWS_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
];

/** The environment belongs to one at a time. */
let last: Promise<unknown> = Promise.resolve();

/** Has the tool find nothing in the environment but what is given; commands of one environment may run at once. */
export function withEnvironment<Result>(
  environment: Readonly<Record<string, string>>,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const own = last.then(async () => {
    const before = VARIABLES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    for (const name of VARIABLES) delete process.env[name];
    Object.assign(process.env, environment);
    return await attempt().finally(() => {
      for (const name of VARIABLES) delete process.env[name];
      Object.assign(process.env, Object.fromEntries(before));
    });
  });
  last = own.catch(() => undefined);
  return own;
}

/** Runs the command-line tool in this process: one of its own takes a second. */
export async function runTool(words: readonly string[]): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  const code = await outputs.run(output, () => runCommand(words));
  return { code, ...output };
}
