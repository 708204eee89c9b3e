import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { rememberFailedRequest, StoreUnavailable } from './errors.ts';

const clients = new Map<string, DynamoDBDocumentClient>();

/** Called with each new client: the strict table of tests and `npm start` (infra/strict-table.ts). */
export const clientPlugins = new Set<(client: DynamoDBDocumentClient) => void>();

/** How many times as long to wait for a table on the machine of the caller, which other programs may keep busy. */
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
 * The client of an endpoint, by default that of AWS_ENDPOINT_URL_DYNAMODB or of the region. Items are plain values;
 * `undefined` ones are left out.
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

/** What a call has used of the table: rounds one after another, requests, and capacity units. */
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

/** What one call may wait for a table that does not answer: in AWS, with its own work, 503 comes within 8 s. */
const callWaitMilliseconds = (): number => 6_500 * waitFactor();

/** A request that begins before a deadline may end this much after it. */
const OVERTIME_MILLISECONDS = 2_000;

/** What one request may wait, of a table that repeats requests until `deadline` (milliseconds since 1970). */
export const waitUntil = (deadline: number): number =>
  Math.min(callWaitMilliseconds(), Math.max(0, deadline - Date.now()) + OVERTIME_MILLISECONDS);

interface Attempts {
  readonly $metadata?: { readonly attempts?: number | undefined };
}

/**
 * The time that requests may take that get no answer, get it too late, or need another attempt. All requests of a call
 * share it, one after another or at once. A request that is answered by its first attempt takes nothing of it: a slow
 * table, or one that other calls keep busy, does not end a call.
 */
export class WaitBudget {
  #remaining: number;
  /** Until when waiting is counted: requests at the same time count once. */
  #countedUntil = 0;

  constructor(milliseconds = callWaitMilliseconds()) {
    this.#remaining = milliseconds;
  }

  /** Sends a request and ends it, with StoreUnavailable, when the time is up; also one that answers byte by byte. */
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
