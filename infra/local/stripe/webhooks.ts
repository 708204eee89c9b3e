import { createHmac } from 'node:crypto';
import { SECOND, MINUTE } from '../../../lib/shared/time/time.ts';
import { newId, seconds } from './objects.ts';

/** An address that receives events, and the secret that signs them. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

/** Stripe retries for three days; a local stack for a few minutes. */
const WAITS = [0, 2 * SECOND, 10 * SECOND, MINUTE, 5 * MINUTE];

/** Sends events to endpoints and retries failures, until `stop`. */
export class WebhookSender {
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #log: (line: string) => void;
  #isStopped = false;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  send(endpoints: readonly Endpoint[], type: string, object: object): void {
    const event = { id: newId('evt'), object: 'event', api_version: null, created: seconds(), livemode: false, type };
    const body = JSON.stringify({ ...event, data: { object } });
    for (const endpoint of endpoints) this.#attempt(endpoint, type, body, 0);
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #attempt(endpoint: Endpoint, type: string, body: string, attempt: number): void {
    const wait = WAITS[attempt];
    if (wait === undefined || this.#isStopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#deliver(endpoint, type, body, attempt);
    }, wait).unref();
    this.#timers.add(timer);
  }

  async #deliver(endpoint: Endpoint, type: string, body: string, attempt: number): Promise<void> {
    const reason = await this.#call(endpoint, body);
    if (reason === undefined) return;
    this.#log(`The stand-in of Stripe could not deliver ${type}: ${reason}.`);
    this.#attempt(endpoint, type, body, attempt + 1);
  }

  /** Why the call failed, if it did. */
  async #call({ url, secret }: Endpoint, body: string): Promise<string | undefined> {
    const at = seconds();
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${at},v1=${signature}` },
        body,
        signal: AbortSignal.timeout(30 * SECOND),
      });
      return answer.ok ? undefined : `HTTP ${answer.status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
