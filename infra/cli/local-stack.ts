import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { explicitEndpoint, regionOf } from '../dynamodb-endpoint.ts';
import { readJson } from './input-file.ts';
import { CommandError } from './output.ts';

/** Finds the local stack and its API. Loads nothing of the table, for commands that only call the API. */

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
  MessagesEndpoint: z.string().optional(),
  Bucket: z.string().optional(),
  SignInEndpoint: z.string().optional(),
  UserPoolId: z.string().optional(),
});
export type LocalStack = z.infer<typeof LocalStack>;

/** The data folder of `npm start` without FS_DATA. */
const DEFAULT_FOLDER = '.local';

/** The data folder of the local stack. */
export const localFolder = (): string => process.env['FS_DATA'] || DEFAULT_FOLDER;

/** The address in DYNAMODB_ENDPOINT, which takes precedence over the stack's. */
export const endpointOfEnvironment = () => explicitEndpoint((message) => new CommandError(message));

/** The stack as recorded by its last start, on the DynamoDB that the environment names. */
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

/** The local stack of FS_DATA, else of the default folder unless TABLE_NAME names a deployed table. */
export function findLocalStack(): LocalStack | undefined {
  const folder = process.env['FS_DATA'];
  if (folder) return readLocalStack(folder);
  const useDefault = !process.env['TABLE_NAME'] && existsSync(join(DEFAULT_FOLDER, 'local.json'));
  return useDefault ? readLocalStack(DEFAULT_FOLDER) : undefined;
}

/** The running command, as named in the events of its changes. */
let command = 'fs';

export const nameCommand = (names: readonly string[]): void => {
  command = names.join(' ');
};

/** `fs key create`. */
export const commandName = (): string => command;

/** The API of the local stack, and the key of its account. */
export function openLocalApi(): { readonly baseUrl: string; readonly key: string } {
  const { BaseUrl, ApiKey } = findLocalStack() ?? {};
  if (!BaseUrl || !ApiKey)
    throw new CommandError('This works on a local stack only. Start one with npm start; FS_DATA names its folder.');
  return { baseUrl: BaseUrl, key: ApiKey };
}

export const isLocalTarget = (): boolean => findLocalStack() !== undefined;

/** The folder of the local stack that commands use, if any. */
export function runningFolder(): string | undefined {
  try {
    return isLocalTarget() ? localFolder() : undefined;
  } catch {
    return undefined;
  }
}
