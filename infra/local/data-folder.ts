import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lockFolder } from '../folder-lock.ts';
import { Problem, errorCode, errorMessage } from './problem.ts';

/** Creates the folder and its parents. `mkdir` with `recursive` never returns in Node.js 24 for paths like /proc/x. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Two stacks may start at once; the lock decides which one runs.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Creates the folder and locks it against a second stack until `stop`. Throws a Problem if it is taken. */
export function holdFolder(path: string): { stop(): Promise<void> } {
  const unwritable = (error: unknown) =>
    new Problem(`The data folder ${path} is not writable (${errorMessage(error)}). Set FS_DATA to another folder.`);
  let lock: ReturnType<typeof lockFolder>;
  try {
    makeFolder(path);
    // A folder from an earlier version, or created by hand.
    if (statSync(path).mode & 0o077) chmodSync(path, 0o700);
    lock = lockFolder(path);
  } catch (error) {
    throw unwritable(error);
  }
  if (lock) return lock;
  throw new Problem(
    `The data folder ${path} is in use by another stack. Stop that stack, or set FS_DATA to another folder.`,
  );
}

/** Replaces a file atomically: a reader, even after a kill, finds the old text or the new one, never half of it. */
export function replaceFile(file: string, text: string): void {
  const beside = `${file}.${process.pid}.new`;
  writeFileSync(beside, text, { mode: 0o600 });
  renameSync(beside, file);
}

/** The file, and the local secret, with the key from which callback secrets are derived. */
export const CALLBACK_KEY = 'callback-key';
/** The same for the key that seals the keys of payment providers. */
export const PAYMENT_KEY = 'payment-key';

/** The user pool of a stack with sign-in. */
export const LOCAL_POOL = 'local_users';

/** The client of the office at the sign-in pages. */
export const LOCAL_CLIENT = 'local-office';

/** A key of the stack, created by the first start and readable only by its owner. */
export function holdKey(folder: string, name: string): string {
  const file = join(folder, name);
  if (!existsSync(file)) replaceFile(file, randomBytes(32).toString('base64url'));
  return readFileSync(file, 'utf8').trim();
}

/** What people and tools need to use the stack: `local.json` in the data folder, readable only by its owner. */
export interface LocalJson {
  readonly BaseUrl: string;
  /** An Owner key of the account from the first start. */
  readonly ApiKey: string;
  readonly AccountId: string;
  readonly OrganizationId: number;
  /** When the demo company was created, whose dates are relative to that day; absent for another company. */
  readonly DemoCreatedAt?: string;
  readonly DynamoDBEndpoint: string;
  /** Whether it is the DynamoDB of DYNAMODB_ENDPOINT, which gets the credentials of the environment. */
  readonly ExternalDynamoDB?: true;
  /** S3 and SQS. */
  readonly AwsEndpoint: string;
  /** The Stripe stand-in. */
  readonly StripeApi: string;
  /** Amazon SES and AWS End User Messaging. */
  readonly MessagesEndpoint: string;
  /** Where the users sign in, if this start includes sign-in. */
  readonly SignInEndpoint?: string;
  readonly UserPoolId?: string;
  /** The sign-in pages of the office. */
  readonly OfficeIssuer: string;
  readonly TableName: string;
  readonly Bucket: string;
  readonly Region: string;
}

const fileIn = (folder: string): string => join(folder, 'local.json');

/** What the last start wrote; empty before the first start. */
export function readLocal(folder: string): Partial<LocalJson> {
  const file = fileIn(folder);
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalJson>;
  } catch (error) {
    throw new Problem(`${file} is not readable (${errorMessage(error)}). Repair it, or remove it to get a new key.`);
  }
}

export const writeLocal = (folder: string, local: LocalJson): void =>
  replaceFile(fileIn(folder), `${JSON.stringify(local, null, 2)}\n`);
