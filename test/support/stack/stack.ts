import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';
import type { LocalJson } from '../../../infra/local/data-folder.ts';
import { writeAccount } from '../../../lib/store/accounts/accounts.ts';
import { type NewKey, createKey } from '../../../lib/store/requests/api-keys.ts';
import { type PatientTable, openTable } from '../../../lib/store/dynamodb/table.ts';
import { useTestCredentials } from './external.ts';
import { accountStore } from '../../../lib/store/store.ts';

/** Where the run's stack is. */
export type TestStack = Omit<LocalJson, 'ApiKey' | 'AccountId' | 'OrganizationId'> & {
  readonly remote: string;
  /** The API with one module instance a call; used where INSTANCES is `fresh`. */
  readonly freshBaseUrl: string;
  /** Processes of each function; one by default. */
  readonly containers?: number;
  /** The account whose users sign in to the office. */
  readonly officeAccount?: string;
};

declare module 'vitest' {
  export interface ProvidedContext {
    stack: TestStack;
  }
}

let ownStack: TestStack | undefined;

/** Uses a stack that a program outside the test run, or a test file for itself, has started; without one, the run's. */
export function setTestStack(stack: TestStack | undefined): void {
  ownStack = stack;
}

export function testStack(): TestStack {
  const stack = ownStack ?? inject('stack');
  return process.env['INSTANCES'] === 'fresh' ? { ...stack, BaseUrl: stack.freshBaseUrl } : stack;
}

/** The link of a client's page, at the address of the stack that the test calls. */
export const onStack = (link = ''): string => link.replace(/^.*(?=\/c\/)/, testStack().BaseUrl);

/** What a container keeps of organizations and lists, it may show to reads for 30 seconds (decision 15). */
const REMEMBERED_MILLISECONDS = 31_000;

/** Waits until every container has forgotten what another one changed. The only one knows it at once. */
export async function othersForget(): Promise<void> {
  const { containers = 1 } = testStack();
  if (containers > 1) await pause(REMEMBERED_MILLISECONDS);
}

/** The run's table, for what no operation does. */
export function testTable(): PatientTable {
  const { TableName, DynamoDBEndpoint, Region } = testStack();
  useTestCredentials(Region);
  return openTable({ tableName: TableName, endpoint: DynamoDBEndpoint });
}

/** An account of the test's own, with one organization and an Owner key. */
export interface TestAccount {
  readonly accountId: string;
  readonly organizationId: number;
  readonly key: string;
  /** Another key of the account; by default an Office key that is not bound to an organization. */
  newKey(options?: Partial<Omit<NewKey, 'accountId' | 'now'>>): Promise<string>;
  /** Calls an operation with the Owner key. */
  call(operation: string, body?: unknown, options?: CallOptions): Promise<TestAnswer>;
}

export interface CallOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON object of the answer. */
  readonly body: Record<string, unknown>;
}

/** A fresh account, so that tests do not meet each other's data. Its keys may call as fast as they like. */
export async function testAccount({
  name = 'Test company',
  organizationName = 'Springfield',
} = {}): Promise<TestAccount> {
  const table = testTable();
  const now = new Date();
  const { account: accountId, organizationId } = await writeAccount(table, { name, organizationName, now });
  return openAccount(accountId, organizationId);
}

/** An account that is there, with a new Owner key. */
export async function openAccount(accountId: string, organizationId = 1): Promise<TestAccount> {
  const table = testTable();
  const newKey: TestAccount['newKey'] = async (options = {}) =>
    (
      await createKey(accountStore(table, accountId), {
        role: 'Office',
        name: 'test',
        hasEvent: false,
        rate: 100_000,
        inFlight: 10_000,
        now: new Date(),
        ...options,
      })
    ).key;
  const key = await newKey({ role: 'Owner' });
  return {
    accountId,
    organizationId,
    key,
    newKey,
    call: (operation, body = {}, options = {}) => call(operation, body, { key, ...options }),
  };
}

/** Calls an operation (`contacts/locate`) over HTTP. A string or bytes go as they are, all else as JSON. */
export async function call(
  operation: string,
  body: unknown = {},
  { key, headers = {}, method = 'POST' }: CallOptions = {},
): Promise<TestAnswer> {
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(`${testStack().BaseUrl}/api/${operation}`, {
    method,
    headers: { 'content-type': 'application/json', ...(key ? { 'x-api-key': key } : {}), ...headers },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: sent }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

const ask = async (command: string): Promise<unknown> => (await fetch(`${testStack().remote}/${command}`)).json();

/** Resolves when every change made so far has become its event. */
export async function drainEvents(): Promise<void> {
  await ask('drain');
}

/** Removes items whose time is over, as DynamoDB does some time later. */
export async function expireItems(): Promise<void> {
  await ask('expire');
}

/** The messages in the dead-letter queue of the event worker. */
export const deadLetters = async (): Promise<string[]> => (await ask('dead-letters')) as string[];
