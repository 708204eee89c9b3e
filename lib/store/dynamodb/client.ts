import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { rememberFailedRequest, StoreUnavailable } from './errors.ts';

const clients = new Map<string, DynamoDBDocumentClient>();

/** Called with each new client: the strict table of tests and `npm start` (infra/strict-table.ts). */
export const clientPlugins = new Set<(client: DynamoDBDocumentClient) => void>();

/** Factor for waiting times with a table on the caller's own machine, which other programs may keep busy. */
const waitFactor = (): number => Number(process.env['TABLE_WAIT_FACTOR'] || 1);

/**
 * Settings of the SDK's HTTP handler, in milliseconds: two attempts without an answer fit into the time of a call. A
 * `requestTimeout` alone only logs a warning.
 */
export const requestHandler = () => ({
  connectionTimeout: 2_000 * waitFactor(),
  requestTimeout: 3_000 * waitFactor(),
  throwOnRequestTimeout: true,
});

/**
 * The client for an endpoint, by default that of AWS_ENDPOINT_URL_DYNAMODB or of the region. Items are plain values;
 * `undefined` ones are omitted.
 */
export function documentClient(given = ''): DynamoDBDocumentClient {
  const endpoint = given || (process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  const known = clients.get(endpoint);
  if (known) return known;
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ ...(endpoint ? { endpoint } : {}), maxAttempts: 4, requestHandler: requestHandler() }),
    { marshallOptions: { removeUndefinedValues: true } },
  );
  client.middlewareStack.add(rememberFailedRequest, { step: 'initialize' });
  for (const plugIn of clientPlugins) plugIn(client);
  clients.set(endpoint, client);
  return client;
}

/** What a call has used of the table: sequential rounds, requests, and capacity units. */
export interface Usage {
  rounds: number;
  requests: number;
  readUnits: number;
  writeUnits: number;
}

/**
 * Counts sequential rounds: a request that begins after another has ended is one round deeper; concurrent requests are
 * one round. Worked: A and B together, then C when A is back (B still running) → A 1, B 1, C 2: two rounds.
 */
export class Meter {
  readonly usage: Usage = { rounds: 0, requests: 0, readUnits: 0, writeUnits: 0 };
  #deepestDone = 0;

  async measure<Answer>(
    kind: 'read' | 'write',
    request: () => Promise<Answer>,
    unitsOf: (answer: Answer) => number,
  ): Promise<Answer> {
    const depth = this.#deepestDone + 1;
    this.usage.rounds = Math.max(this.usage.rounds, depth);
    this.usage.requests++;
    try {
      const answer = await request();
      this.usage[kind === 'read' ? 'readUnits' : 'writeUnits'] += unitsOf(answer);
      return answer;
    } finally {
      this.#deepestDone = Math.max(this.#deepestDone, depth);
    }
  }
}

/** How long a call may wait for a table that does not answer: in AWS, including its own work, 503 comes within 8 s. */
const callWaitMilliseconds = (): number => 6_500 * waitFactor();

/** A request that begins before a deadline may end this much after it. */
const OVERTIME_MILLISECONDS = 2_000;

/** How long one request may wait, for a table that repeats requests until `deadline` (milliseconds since 1970). */
export const waitUntil = (deadline: number): number =>
  Math.min(callWaitMilliseconds(), Math.max(0, deadline - Date.now()) + OVERTIME_MILLISECONDS);

interface Attempts {
  readonly $metadata?: { readonly attempts?: number | undefined };
}

/**
 * The time for requests that get no answer, get it too late, or need another attempt. All requests of a call share it,
 * sequential or concurrent. A request that is answered on its first attempt uses none of it, so a table that is slow,
 * or kept busy by other calls, does not end a call.
 */
export class WaitBudget {
  #remaining: number;
  /** Until when waiting is counted, so that concurrent requests count once. */
  #countedUntil = 0;

  constructor(milliseconds = callWaitMilliseconds()) {
    this.#remaining = milliseconds;
  }

  /**
   * Sends a request and aborts it with StoreUnavailable when the time is up, even if the answer arrives byte by byte.
   */
  async send<Answer extends Attempts>(request: (abortSignal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const tooLate = () => new StoreUnavailable('The table did not answer in time.');
    if (this.#remaining <= 0) throw tooLate();
    const startedAt = performance.now();
    const abort = new AbortController();
    const { promise: timeUp, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(tooLate());
      abort.abort();
    }, this.#remaining);
    try {
      const answer = await Promise.race([request(abort.signal), timeUp]);
      this.#count(startedAt, answer);
      return answer;
    } catch (error) {
      this.#count(startedAt, error as Attempts);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #count(startedAt: number, { $metadata }: Attempts): void {
    if ($metadata?.attempts === 1) return;
    const now = performance.now();
    this.#remaining -= now - Math.max(startedAt, this.#countedUntil);
    this.#countedUntil = now;
  }
}
