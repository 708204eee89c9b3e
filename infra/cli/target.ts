import type { Account } from '../../lib/entities/accounts.ts';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCallbackKey, readPaymentKey } from '../../lib/secrets/held-secret.ts';
import { findAccount } from '../../lib/store/accounts/accounts.ts';
import { listAccounts } from '../../lib/store/administration/account-administration.ts';
import { schemaError } from '../../lib/store/accounts/schema.ts';
import { type PatientTable, type TableWriter, asActor, openTable } from '../../lib/store/dynamodb/table.ts';
import { type Files, openFiles } from '../../lib/files/s3.ts';
import { openUserPool } from '../../lib/sign-in/open-user-pool.ts';
import type { UserPool } from '../../lib/sign-in/user-pool.ts';
import { transactionalPuts } from '../../lib/store/dynamodb/transactional-puts.ts';
import { type ScanTable, type TableSize, findTableSize, openScan } from '../../lib/store/dynamodb/scan.ts';
import { layout } from '../../lib/store/keys.ts';
import { regionOf, useCredentials } from '../dynamodb-endpoint.ts';
import { useStrictTable } from '../strict-table.ts';
import {
  type LocalStack,
  commandName,
  endpointOfEnvironment,
  findLocalStack,
  isLocalTarget,
  localFolder,
} from './local-stack.ts';
import type { AccountOption } from './options.ts';
import { CommandError } from './output.ts';
import { needsTable } from './remote/needs-table.ts';
import { findRemote } from './remote/profile.ts';
import { accountStore, type StoreWriter } from '../../lib/store/store.ts';

const asCommand = (table: TableWriter): TableWriter =>
  asActor(table, { Key: '', Name: commandName(), RequestId: randomUUID() });

/** Uses the same credentials as the stack. */
function useCredentialsOf({ ExternalDynamoDB: isExternal = false, Region: region }: LocalStack): void {
  useCredentials({ isExternal, region });
  useStrictTable();
}

/** The endpoint of a table without a local stack; that of AWS needs none. */
function useEndpointOfEnvironment(): { readonly endpoint?: string } {
  const endpoint = endpointOfEnvironment();
  if (endpoint === undefined) return {};
  useCredentials({ isExternal: true, region: regionOf(true) });
  return { endpoint };
}

/** The table of the local stack, else the deployed table of TABLE_NAME, with the AWS credentials of the environment. */
export function openTarget(): TableWriter {
  const stack = findLocalStack();
  if (stack) {
    useCredentialsOf(stack);
    const table = openTable({ tableName: stack.TableName, endpoint: stack.DynamoDBEndpoint });
    return transactionalPuts(asCommand(table));
  }
  const tableName = process.env['TABLE_NAME'];
  if (!tableName && findRemote({})) throw needsTable(commandName().replace(/^fs /, ''));
  if (!tableName)
    throw new CommandError(
      'No stack found. Start a local one with npm start (FS_DATA names its folder), or set TABLE_NAME to a ' +
        'deployed table.',
    );
  return asCommand(openTable({ tableName, ...useEndpointOfEnvironment() }));
}

/** The table and bucket for a worker's tasks; also sets this process's environment to that of a worker. */
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
  return { table: asActor(table, { Key: '', Name: commandName(), RequestId: randomUUID() }), files: openFiles() };
}

/** The bucket where workers keep what they cannot handle; `undefined` for a local stack that does not have one yet. */
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

interface StackKey {
  /** Its file in the folder of a local stack. */
  readonly file: string;
  readonly variable: string;
  /** The deployment's output with the name of the secret. */
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

/** The key from which callback secrets are derived. */
export const openCallbackKey = (): Promise<string> =>
  openKey({ file: 'callback-key', variable: 'CALLBACK_KEY_SECRET', output: 'CallbackKey', read: readCallbackKey });

/** The key that seals the keys of payment providers. */
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

/** Where the target's table is. */
function tablePlace(): { readonly tableName?: string; readonly endpoint?: string } {
  const stack = findLocalStack();
  return stack ? { tableName: stack.TableName, endpoint: stack.DynamoDBEndpoint } : useEndpointOfEnvironment();
}

/**
 * A scan of the same table, for commands on the whole table. A scan waits for minutes while the table is unavailable,
 * so one read first checks that it is reachable.
 */
export async function openTargetScan(): Promise<ScanTable> {
  await openTarget().get(layout.account.key({ account: 'none' }));
  return openScan(tablePlace());
}

export const findTargetSize = (): Promise<TableSize> => findTableSize(tablePlace());

/** The name of the table, and where it is. */
export const targetName = (): string => JSON.stringify([tablePlace(), process.env['TABLE_NAME'] ?? '']);

/** The id of `--account`, else of the local stack's account. */
export function findAccountId({ account }: AccountOption): string {
  const found = account ?? findLocalStack()?.AccountId;
  if (!found) throw new CommandError('Name the account with --account.');
  return found;
}

/** The table, and the id of an existing account. */
export async function openAccount(options: AccountOption): Promise<{ readonly store: StoreWriter; found: Account }> {
  const table = openTarget();
  const account = findAccountId(options);
  const store = accountStore(table, account);
  const found = await findAccount(store);
  if (!found) throw new CommandError(`Account ${account} not found.`);
  requireKnownSchema(found);
  return { store, found };
}

function requireKnownSchema(account: Account): void {
  const message = schemaError(account);
  if (message !== undefined) throw new CommandError(message);
}

/** Refuses accounts whose items are in a format unknown to this version; checks the whole table by default. */
export async function requireKnownSchemas(accounts?: readonly string[]): Promise<void> {
  const table = openTarget();
  const found = accounts
    ? await Promise.all(accounts.map((account) => findAccount(accountStore(table, account))))
    : await listAccounts(table);
  for (const account of found) if (account) requireKnownSchema(account);
}
