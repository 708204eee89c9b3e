import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CanaryKeys } from '../../store/administration/canary.ts';
import { InternalError } from '../../shared/failure.ts';
import { type JsonAnswer, postJson } from '../../shared/web/post-json.ts';
import { SECOND } from '../../shared/time/time.ts';

export interface CanaryOptions {
  readonly baseUrl: string;
  readonly keys: CanaryKeys;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** Pause between two looks for the event. */
  readonly pauseMilliseconds?: number;
}

interface QueuedEvent {
  readonly Id: number;
  readonly Payload: { readonly Id: number; readonly Data: Readonly<Record<string, unknown>> | null };
}

type Call = (operation: string, body: object, key?: keyof CanaryKeys) => Promise<JsonAnswer['body']>;

/** The limit that API Gateway sets for a call. */
const CALL_MILLISECONDS = 30 * SECOND;

/**
 * Makes a change as a customer's program does, over HTTP and with a key, waits for its event, and queries every index
 * of the table. Returns the milliseconds from the change to the event. Throws if a call fails, or the event does not
 * arrive before the deadline.
 */
export async function checkApi(options: CanaryOptions): Promise<number> {
  const call = caller(options);
  const startedAt = performance.now();
  const change = await changeContact(call);
  await findEvent(call, change, options);
  const milliseconds = Math.round(performance.now() - startedAt);
  await queryIndexes(call, change);
  return milliseconds;
}

const caller =
  ({ baseUrl, keys, deadline }: CanaryOptions): Call =>
  async (operation, body, key = 'ofAccount') => {
    const timeoutMilliseconds = Math.max(1, Math.min(CALL_MILLISECONDS, deadline - Date.now()));
    const headers = { 'x-api-key': keys[key] };
    const answer = await postJson(`${baseUrl}/api/${operation}`, body, { headers, timeoutMilliseconds }).catch(
      (cause: unknown) => {
        throw new InternalError(`${operation} did not respond to the canary in time.`, { cause });
      },
    );
    if (answer.status !== 200)
      throw new InternalError(
        `${operation} returned ${answer.status} to the canary: ${String(answer.body['Message'])}`,
      );
    return answer.body;
  };

/** Gives a contact of the canary's account a unique mark. It is always the same contact, so nothing accumulates. */
async function changeContact(call: Call): Promise<{ contactId: number; mark: string }> {
  const mark = randomUUID();
  const { Matches } = await call('contacts/addupdate', {
    Matches: [{ Name: 'Canary', Email: 'canary@example.com', FlashMessage: mark }],
  });
  const [contact] = Matches as readonly { readonly Id: number }[];
  if (!contact) throw new InternalError('contacts/addupdate returned no contact to the canary.');
  return { contactId: contact.Id, mark };
}

/**
 * Makes one call for each index in parallel: DynamoDB refuses a query that an index does not support, whether or not it
 * has entries. Lists of an account and of an organization are by date, each in its own index. Open work is by time of
 * change, and a contact's records are by contact.
 */
async function queryIndexes(call: Call, { contactId }: { contactId: number }): Promise<void> {
  await Promise.all([
    call('invoice/query', {}),
    call('invoice/query', {}, 'ofOrganization'),
    call('task/query', {}, 'ofOrganization'),
    call('payment/query', { ContactId: contactId }),
  ]);
}

/** Reads the queue, clearing what it has read, until it finds the event with the mark. */
async function findEvent(
  call: Call,
  { contactId, mark }: { contactId: number; mark: string },
  { deadline, pauseMilliseconds = 500 }: CanaryOptions,
): Promise<void> {
  for (let through = 0; ;) {
    const body = await call('datasubscriber/fetch', through ? { ClearThroughId: through } : {});
    const events = body['Events'] as readonly QueuedEvent[];
    if (events.some(({ Payload }) => Payload.Id === contactId && Payload.Data?.['FlashMessage'] === mark)) return;
    through = events.at(-1)?.Id ?? 0;
    // Otherwise a call that starts just before the deadline would seem to be what is late.
    if (Date.now() + 2 * pauseMilliseconds >= deadline)
      throw new InternalError('The event of the change of the canary did not arrive in time.');
    if (events.length === 0) await pause(pauseMilliseconds);
  }
}
