import type { Account } from '../../lib/entities/accounts.ts';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { readCallbackKey, readPaymentKey } from '../../lib/secrets/held-secret.ts';
import { CURRENT_SCHEMA, findAccount } from '../../lib/store/accounts/accounts.ts';
import { type PatientTable, type TableWriter, asActor, openTable } from '../../lib/store/dynamodb/table.ts';
import { type Files, openFiles } from '../../lib/files/s3.ts';
import { openUserPool } from '../../lib/sign-in/open-user-pool.ts';
import type { UserPool } from '../../lib/sign-in/user-pool.ts';
import { transactionalPuts } from '../../lib/store/dynamodb/transactional-puts.ts';
import { type ScanTable, type TableSize, findTableSize, openScan } from '../../lib/store/dynamodb/scan.ts';
import { layout } from '../../lib/store/keys.ts';
import { explicitEndpoint, regionOf, useCredentials } from '../dynamodb-endpoint.ts';
import { useStrictTable } from '../strict-table.ts';
import { readJson } from './input-file.ts';
import { CommandError } from './output.ts';
import { needsTable } from './remote/needs-table.ts';
import { findRemote } from './remote/profile.ts';

/** What `npm start` writes to `<FS_DATA>/local.json`. */
const LocalStack = z.object({
  AccountId: z.string(),
  ApiKey: z.string().optional(),
  DynamoDBEndpoint: z.string(),
  ExternalDynamoDB: z.boolean().optional(),
  TableName: z.string(),
  Region: z.string(),
  BaseUrl: z.string().optional(),
  AwsEndpoint: z.string().optional(),
  Bucket: z.string().optional(),
  SignInEndpoint: z.string().optional(),
  UserPoolId: z.string().optional(),
});
type LocalStack = z.infer<typeof LocalStack>;

/** The data folder of `npm start` without FS_DATA. */
const DEFAULT_FOLDER = '.local';

/** The data folder of the local stack. */
export const localFolder = (): string => process.env['FS_DATA'] || DEFAULT_FOLDER;

/** The address in DYNAMODB_ENDPOINT, which comes before that of the stack. */
const endpointOfEnvironment = () => explicitEndpoint((message) => new CommandError(message));

/** The stack as its last start wrote it, on the DynamoDB that the environment names. */
function readLocalStack(folder: string): LocalStack {
  const stack = readLocalFile(folder);
  const endpoint = endpointOfEnvironment();
  if (endpoint === undefined || endpoint === stack.DynamoDBEndpoint) return stack;
  return { ...stack, DynamoDBEndpoint: endpoint, ExternalDynamoDB: true, Region: regionOf(true) };
}

function readLocalFile(folder: string): LocalStack {
  const file = join(resolve(folder), 'local.json');
  if (!existsSync(file))
    throw new CommandError(`No local stack at FS_DATA=${folder}. Start one with npm start and the same FS_DATA.`);
  const json = readJson(file);
  if (json === undefined) throw new CommandError(`${file} is not JSON. Start the local stack again.`);
  const { data, error } = LocalStack.safeParse(json);
  if (data) return data;
  const missing = error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new CommandError(`${file} lacks ${missing}. Start the local stack again.`);
}

/** The local stack of FS_DATA, else that of the default folder unless TABLE_NAME names a deployed one. */
function findLocalStack(): LocalStack | undefined {
  const folder = process.env['FS_DATA'];
  if (folder) return readLocalStack(folder);
  const useDefault = !process.env['TABLE_NAME'] && existsSync(join(DEFAULT_FOLDER, 'local.json'));
  return useDefault ? readLocalStack(DEFAULT_FOLDER) : undefined;
}

/** The command that runs, as the events of its changes name it. */
let command = 'fs';

export const nameCommand = (names: readonly string[]): void => {
  command = names.join(' ');
};

const asCommand = (table: TableWriter): TableWriter =>
  asActor(table, { Key: '', Name: command, RequestId: randomUUID() });

/** Signs requests as the stack signs its own. */
function useCredentialsOf({ ExternalDynamoDB: isExternal = false, Region: region }: LocalStack): void {
  useCredentials({ isExternal, region });
  useStrictTable();
}

/** The endpoint of a table without a local stack: AWS finds its own. */
function useEndpointOfEnvironment(): { readonly endpoint?: string } {
  const endpoint = endpointOfEnvironment();
  if (endpoint === undefined) return {};
  useCredentials({ isExternal: true, region: regionOf(true) });
  return { endpoint };
}

/**
 * The table of the local stack, or else the deployed table of TABLE_NAME, with the AWS credentials of the environment.
 */
export function openTarget(): TableWriter {
  const stack = findLocalStack();
  if (stack) {
    useCredentialsOf(stack);
    const table = openTable({ tableName: stack.TableName, endpoint: stack.DynamoDBEndpoint });
    return transactionalPuts(asCommand(table));
  }
  const tableName = process.env['TABLE_NAME'];
  if (!tableName && findRemote({})) throw needsTable(command.replace(/^fs /, ''));
  if (!tableName)
    throw new CommandError(
      'No stack found. Start a local one with npm start (FS_DATA names its folder), or set TABLE_NAME to a ' +
        'deployed table.',
    );
  return asCommand(openTable({ tableName, ...useEndpointOfEnvironment() }));
}

/** The table and the bucket for what a worker does, whose environment this process gets. */
export function openWorkerTarget(): { table: PatientTable; files: Files } {
  const stack = findLocalStack();
  if (stack) {
    const { BaseUrl = '', Bucket = '', AwsEndpoint = '' } = stack;
    useCredentialsOf(stack);
    Object.assign(process.env, { BASE_URL: BaseUrl, BUCKET_NAME: Bucket, AWS_ENDPOINT_URL_S3: AwsEndpoint });
  }
  const missing = ['BUCKET_NAME', 'BASE_URL', ...(stack ? [] : ['TABLE_NAME'])].filter((name) => !process.env[name]);
  if (missing.length)
    throw new CommandError(
      stack
        ? 'The local stack has no bucket yet. Start it again.'
        : `Set ${missing.join(', ')} to the outputs TableName, BucketName and BaseUrl of the deployment.`,
    );
  const table = stack
    ? openTable({ tableName: stack.TableName, endpoint: stack.DynamoDBEndpoint })
    : openTable(useEndpointOfEnvironment());
  return { table: asActor(table, { Key: '', Name: command, RequestId: randomUUID() }), files: openFiles() };
}

/** The bucket where workers keep what they cannot handle; `undefined` for a local stack that has none yet. */
export function openTargetFiles(): Files | undefined {
  const stack = findLocalStack();
  if (stack) {
    const { Bucket, AwsEndpoint = '' } = stack;
    return Bucket === undefined ? undefined : openFiles({ bucket: Bucket, endpoint: AwsEndpoint });
  }
  if (!process.env['BUCKET_NAME'])
    throw new CommandError(
      'Set BUCKET_NAME to the output BucketName: it may hold changes that no worker could handle.',
    );
  return openFiles();
}

/** The API of the local stack, and the key of its account. */
export function openLocalApi(): { readonly baseUrl: string; readonly key: string } {
  const { BaseUrl, ApiKey } = findLocalStack() ?? {};
  if (!BaseUrl || !ApiKey)
    throw new CommandError('This works on a local stack only. Start one with npm start; FS_DATA names its folder.');
  return { baseUrl: BaseUrl, key: ApiKey };
}

export const isLocalTarget = (): boolean => findLocalStack() !== undefined;

/** The folder of the local stack that commands use, if they use one. */
export function runningFolder(): string | undefined {
  try {
    return isLocalTarget() ? localFolder() : undefined;
  } catch {
    return undefined;
  }
}

interface StackKey {
  /** The file in the folder of a local stack. */
  readonly file: string;
  readonly variable: string;
  /** Of the deployment, with the name of the secret. */
  readonly output: string;
  readonly read: () => Promise<string>;
}

/** A key of the local stack or of the deployment. */
async function openKey({ file: name, variable, output, read }: StackKey): Promise<string> {
  if (isLocalTarget()) {
    const file = join(localFolder(), name);
    if (!existsSync(file)) throw new CommandError(`The local stack has no ${name} yet. Start it again.`);
    return readFileSync(file, 'utf8').trim();
  }
  if (!process.env[variable]) throw new CommandError(`Set ${variable} to the output ${output} of the deployment.`);
  return await read();
}

/** The key from which the secrets of callbacks follow. */
export const openCallbackKey = (): Promise<string> =>
  openKey({ file: 'callback-key', variable: 'CALLBACK_KEY_SECRET', output: 'CallbackKey', read: readCallbackKey });

/** The key with which those of payment providers are sealed. */
export const openPaymentKey = (): Promise<string> =>
  openKey({ file: 'payment-key', variable: 'PAYMENT_KEY_SECRET', output: 'PaymentKey', read: readPaymentKey });

/** The user pool in which the users of an account sign in. */
export async function openSignIn(account: string): Promise<UserPool> {
  const { UserPoolId, SignInEndpoint } = findLocalStack() ?? {};
  if (isLocalTarget() && !UserPoolId)
    throw new CommandError('The local stack has no sign-in. Start it with FS_SIGN_IN=1 npm start.');
  const local = { USER_POOL_ID: UserPoolId, AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: SignInEndpoint };
  Object.assign(process.env, UserPoolId ? local : {}, { USER_POOL_ACCOUNT: account });
  const pool = await openUserPool(account);
  if (!pool) throw new CommandError('Set USER_POOL_ID to userPoolId of signIn of the stage.');
  return pool;
}

/** The address of the API. */
export function findBaseUrl(): string {
  const baseUrl = findLocalStack()?.BaseUrl ?? process.env['BASE_URL'];
  if (!baseUrl) throw new CommandError('Set BASE_URL to the output BaseUrl of the deployment.');
  return baseUrl;
}

/** Where the table of the target is. */
function tablePlace(): { readonly tableName?: string; readonly endpoint?: string } {
  const stack = findLocalStack();
  return stack ? { tableName: stack.TableName, endpoint: stack.DynamoDBEndpoint } : useEndpointOfEnvironment();
}

/**
 * A scan of the same table, for commands that concern the whole of it. It waits for minutes while the table is away:
 * one read finds out first whether it is there at all.
 */
export async function openTargetScan(): Promise<ScanTable> {
  await openTarget().get(layout.account.key({ account: 'none' }));
  return openScan(tablePlace());
}

export const findTargetSize = (): Promise<TableSize> => findTableSize(tablePlace());

/** The name of the table, and where it is. */
export const targetName = (): string => JSON.stringify([tablePlace(), process.env['TABLE_NAME'] ?? '']);

export interface AccountOption {
  readonly account?: string;
}

/** The id of `--account`, or else of the local stack's account. */
export function findAccountId({ account }: AccountOption): string {
  const found = account ?? findLocalStack()?.AccountId;
  if (!found) throw new CommandError('Name the account with --account.');
  return found;
}

/** The table, and the id of an account that exists in it. */
export async function openAccount(
  options: AccountOption,
): Promise<{ table: TableWriter; account: string; found: Account }> {
  const table = openTarget();
  const account = findAccountId(options);
  const found = await findAccount(table, account);
  if (!found) throw new CommandError(`Account ${account} not found.`);
  if ((found.Schema ?? 1) > CURRENT_SCHEMA)
    throw new CommandError(
      `Account ${account} has schema ${found.Schema}, and this tool knows ${CURRENT_SCHEMA}. Use the deployed version.`,
    );
  return { table, account, found };
}

export const accountOption = (command: Command): Command =>
  command.option('--account <id>', "account id (default: the local stack's account)");
