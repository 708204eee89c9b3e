import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { replaceFile } from '../data-folder.ts';
import { foreignPage } from '../local-callers.ts';
import { listen } from '../ports.ts';
import {
  type Dispute,
  type Parameters,
  type Refund,
  type Session,
  type StoredSession,
  chargeOf,
  complete,
  expandedSession,
  expireLate,
  newDispute,
  newId,
  newSession,
  paymentIntent,
  readParameters,
  refuse,
  seconds,
  textAt,
} from './objects.ts';
import { checkoutPage, pageStyle } from './page.ts';
import { type Endpoint, WebhookSender } from './webhooks.ts';

/** Everything of one secret key at the stand-in. */
interface Merchant {
  readonly sessions: StoredSession[];
  readonly refunds: Refund[];
  /** Absent in files from earlier versions. */
  disputes?: Dispute[];
  /** Setup intents whose cards were removed; absent in files from earlier versions. */
  removed?: string[];
  readonly endpoints: Endpoint[];
  /** Answers by Idempotency-Key: the hash of the request, and the session it created. */
  readonly answered: Record<string, { readonly request: string; readonly session: string }>;
}

const newMerchant = (): Merchant => ({ sessions: [], refunds: [], endpoints: [], answered: {} });

interface Answer {
  readonly status: number;
  readonly body: object;
}

const ok = (body: object): Answer => ({ status: 200, body });
const failed = (status: number, type: string, message: string): Answer => ({
  status,
  body: { error: { type, message, ...(status === 404 ? { code: 'resource_missing' } : {}) } },
});
const list = (data: readonly object[], url: string): Answer => ok({ object: 'list', data, has_more: false, url });
const missing = (what: string): Answer => failed(404, 'invalid_request_error', `No such ${what}`);

const hash = (value: string): string => createHash('sha256').update(value).digest('hex');

/** The cards that a customer has saved and not removed. */
const cardsOf = ({ sessions, removed = [] }: Merchant, customer: string): object[] =>
  sessions.flatMap(({ session: { customer: of, setup_intent: saved } }) =>
    of === customer && saved !== null && !removed.includes(saved)
      ? [{ object: 'payment_method', id: saved.replace(/^seti/, 'pm'), type: 'card', customer }]
      : [],
  );

/** The stand-in for Stripe's API in the local stack. All its answers and pages are tests: no money moves. */
export interface StripeStandIn {
  readonly endpoint: string;
  stop(): Promise<void>;
}

class StandIn {
  readonly #file: string;
  readonly #sender: WebhookSender;
  readonly #merchants: Record<string, Merchant>;
  endpoint = '';

  constructor(file: string, log: (line: string) => void) {
    this.#file = file;
    this.#sender = new WebhookSender(log);
    this.#merchants = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Merchant>) : {};
  }

  stop(): void {
    this.#sender.stop();
  }

  /** Answers an API call. */
  call(method: string, url: URL, headers: IncomingMessage['headers'], parameters: Parameters): Answer {
    const key = /^Bearer (sk_test_\w+)$/.exec(headers.authorization ?? '')?.[1];
    if (!key) return failed(401, 'invalid_request_error', 'The stand-in takes keys that begin with sk_test_.');
    const merchant = (this.#merchants[hash(key)] ??= newMerchant());
    const [, , ...path] = url.pathname.split('/');
    const answer = this.#answer(merchant, `${method} ${path.join('/')}`, { url, headers, parameters });
    if (method === 'POST') this.#save();
    return answer;
  }

  #answer(
    merchant: Merchant,
    route: string,
    { url, headers, parameters }: { url: URL; headers: IncomingMessage['headers']; parameters: Parameters },
  ): Answer {
    const id = /^\w+ checkout\/sessions\/(\w+)/.exec(route)?.[1];
    const stored = merchant.sessions.find(({ session }) => session.id === id);
    if (stored) expireLate(stored.session);
    const [, customer] = /^GET customers\/(\w+)\/payment_methods$/.exec(route) ?? [];
    if (customer) return list(cardsOf(merchant, customer), `/v1/customers/${customer}/payment_methods`);
    const [, card] = /^POST payment_methods\/pm_(\w+)\/detach$/.exec(route) ?? [];
    if (card) {
      merchant.removed = [...(merchant.removed ?? []), `seti_${card}`];
      return ok({ object: 'payment_method', id: `pm_${card}`, customer: null });
    }
    const intent = url.searchParams.get('payment_intent') ?? textAt(parameters, 'payment_intent');
    switch (id === undefined ? route : route.replace(id, '{id}')) {
      case 'POST checkout/sessions':
        return this.#makeSession(merchant, String(headers['idempotency-key'] ?? ''), parameters);
      case 'GET checkout/sessions':
        return list(
          merchant.sessions.map(({ session }) => session).filter(({ payment_intent }) => payment_intent === intent),
          '/v1/checkout/sessions',
        );
      case 'GET checkout/sessions/{id}':
        return stored
          ? ok(expandedSession(stored.session, this.#refunded(merchant, stored.session)))
          : missing('session');
      case 'POST checkout/sessions/{id}/expire':
        return stored ? this.#expire(merchant, stored.session) : missing('session');
      case 'GET refunds':
        return list(
          merchant.refunds.filter(({ payment_intent }) => payment_intent === intent),
          '/v1/refunds',
        );
      case 'GET disputes':
        return list(
          (merchant.disputes ?? []).filter(({ payment_intent }) => payment_intent === intent),
          '/v1/disputes',
        );
      case 'POST refunds':
        return this.#refund(merchant, intent, textAt(parameters, 'amount'));
      case 'POST webhook_endpoints': {
        const endpoint: Endpoint = {
          id: newId('we'),
          url: textAt(parameters, 'url') ?? '',
          secret: newId('whsec').replaceAll('-', ''),
        };
        merchant.endpoints.push(endpoint);
        return ok({ object: 'webhook_endpoint', status: 'enabled', ...endpoint });
      }
      default:
        return missing(`path ${route}`);
    }
  }

  #makeSession(merchant: Merchant, key: string, parameters: Parameters): Answer {
    const request = hash(JSON.stringify(parameters));
    const before = merchant.answered[key];
    const found = merchant.sessions.find(({ session }) => session.id === before?.session);
    if (before && found)
      return before.request === request
        ? ok(found.session)
        : failed(400, 'idempotency_error', 'Keys for idempotent requests need the same parameters.');
    const made = newSession(parameters, (id) => `${this.endpoint}/pay/${id}`);
    if (typeof made === 'string') return failed(400, 'invalid_request_error', made);
    merchant.sessions.push(made);
    if (key) merchant.answered[key] = { request, session: made.session.id };
    return ok(made.session);
  }

  #expire({ endpoints }: Merchant, session: Session): Answer {
    if (session.status !== 'open')
      return failed(400, 'invalid_request_error', `Only open sessions can be expired; this is ${session.status}.`);
    Object.assign(session, { status: 'expired', url: null });
    this.#sender.send(endpoints, 'checkout.session.expired', session);
    return ok(session);
  }

  readonly #refunded = ({ refunds }: Merchant, { payment_intent: intent }: Session): number =>
    refunds
      .filter((refund) => refund.payment_intent === intent && refund.status === 'succeeded')
      .reduce((sum, { amount }) => sum + amount, 0);

  #refund(merchant: Merchant, intent: string | undefined | null, wanted: string | undefined): Answer {
    const session = merchant.sessions.find(({ session: each }) => each.payment_intent === intent)?.session;
    if (!session || session.payment_status !== 'paid') return missing('payment_intent');
    const left = (session.amount_total ?? 0) - this.#refunded(merchant, session);
    const amount = wanted === undefined ? left : Number(wanted);
    if (!(amount > 0 && amount <= left))
      return failed(400, 'invalid_request_error', `At most ${left} can be refunded.`);
    const refund: Refund = {
      id: newId('re'),
      object: 'refund',
      amount,
      created: seconds(),
      currency: session.currency ?? '',
      payment_intent: session.payment_intent ?? '',
      charge: `ch_${session.payment_intent?.slice(3)}`,
      status: 'succeeded',
    };
    merchant.refunds.push(refund);
    this.#sender.send(merchant.endpoints, 'refund.created', refund);
    this.#sender.send(
      merchant.endpoints,
      'charge.refunded',
      chargeOf(session, this.#refunded(merchant, session)) ?? refund,
    );
    return ok(refund);
  }

  #find(id: string): { merchant: Merchant; stored: StoredSession } | undefined {
    for (const merchant of Object.values(this.#merchants)) {
      const stored = merchant.sessions.find(({ session }) => session.id === id);
      if (stored) {
        expireLate(stored.session);
        return { merchant, stored };
      }
    }
    return undefined;
  }

  /** The page of a session; `undefined` for an unknown session. */
  page(id: string): StoredSession | undefined {
    return this.#find(id)?.stored;
  }

  /** Handles a button of the page. Returns where the client goes next; `undefined` for the page itself. */
  press(id: string, action: string): string | undefined {
    const found = this.#find(id);
    if (!found) return undefined;
    const { merchant, stored } = found;
    const { session } = stored;
    if (session.status !== 'open') return undefined;
    if (action === 'cancel') return session.cancel_url ?? undefined;
    if (action === 'declined') {
      this.#refuse(merchant, session);
      return session.url ?? undefined;
    }
    complete(session, action === 'bank' ? 'bank' : 'card');
    this.#save();
    this.#sender.send(merchant.endpoints, 'checkout.session.completed', session);
    return session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id);
  }

  #refuse({ endpoints }: Merchant, session: Session): void {
    refuse(session);
    this.#save();
    this.#sender.send(endpoints, 'payment_intent.payment_failed', paymentIntent(session, 0));
  }

  /** The bank refuses a payment that was to be confirmed. */
  refuse(id: string): boolean {
    const found = this.#find(id);
    if (found?.stored.session.status !== 'complete' || found.stored.session.payment_status === 'paid') return false;
    this.#refuse(found.merchant, found.stored.session);
    this.#sender.send(found.merchant.endpoints, 'checkout.session.async_payment_failed', found.stored.session);
    return true;
  }

  /** The client disputes a payment with the bank. */
  dispute(intent: string): Dispute | undefined {
    for (const merchant of Object.values(this.#merchants)) {
      const paid = merchant.sessions.find(({ session }) => session.payment_intent === intent)?.session;
      if (!paid) continue;
      const dispute = newDispute(paid);
      (merchant.disputes ??= []).push(dispute);
      this.#save();
      this.#sender.send(merchant.endpoints, 'charge.dispute.created', dispute);
      return dispute;
    }
    return undefined;
  }

  /** The bank decides a dispute, or rejects a refund that was paid out. */
  decide(id: string, status: string): Dispute | Refund | undefined {
    for (const merchant of Object.values(this.#merchants)) {
      const dispute = merchant.disputes?.find((each) => each.id === id);
      const refund = merchant.refunds.find((each) => each.id === id);
      if (dispute && (status === 'won' || status === 'lost')) dispute.status = status;
      else if (refund && status === 'failed') refund.status = status;
      else continue;
      this.#save();
      const decided = dispute ?? refund;
      if (decided) this.#sender.send(merchant.endpoints, dispute ? 'charge.dispute.closed' : 'refund.failed', decided);
      return decided;
    }
    return undefined;
  }

  /** The bank confirms a payment. */
  confirm(id: string): boolean {
    const found = this.#find(id);
    if (found?.stored.session.status !== 'complete') return false;
    const { merchant, stored } = found;
    stored.session.payment_status = 'paid';
    this.#save();
    this.#sender.send(merchant.endpoints, 'checkout.session.async_payment_succeeded', stored.session);
    return true;
  }

  #save(): void {
    replaceFile(this.#file, JSON.stringify(this.#merchants));
  }
}

function answerPage(response: ServerResponse, status: number, body: string, type = 'text/html; charset=utf-8'): void {
  response
    .writeHead(status, {
      'content-type': type,
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    })
    .end(body);
}

/** Serves the stand-in on this machine. `file` keeps its state for the next start. */
export async function startStripe({
  file,
  port,
  log,
}: {
  readonly file: string;
  readonly port: number;
  readonly log: (line: string) => void;
}): Promise<StripeStandIn> {
  const standIn = new StandIn(file, log);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '/', standIn.endpoint);
    const reason = foreignPage(request, { servesPages: true });
    if (reason !== undefined) return answerPage(response, 403, reason, 'text/plain; charset=utf-8');
    if (url.pathname === '/style.css') return answerPage(response, 200, pageStyle, 'text/css; charset=utf-8');
    const sent = method === 'POST' ? await text(request) : '';
    const [, place = '', id = ''] = url.pathname.split('/');
    if (place === 'v1') {
      const { status, body } = standIn.call(method, url, headers, readParameters(sent));
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') });
      return void response.end(JSON.stringify(body));
    }
    if (place === 'confirm' && method === 'POST') return answerPage(response, standIn.confirm(id) ? 200 : 404, '');
    if (place === 'refuse' && method === 'POST') return answerPage(response, standIn.refuse(id) ? 200 : 404, '');
    const happened =
      method !== 'POST'
        ? undefined
        : place === 'dispute'
          ? standIn.dispute(id)
          : place === 'decide'
            ? standIn.decide(id, new URLSearchParams(sent).get('status') ?? '')
            : undefined;
    if (happened) return answerPage(response, 200, JSON.stringify(happened), 'application/json');
    const stored = place === 'pay' ? standIn.page(id) : undefined;
    if (!stored) return answerPage(response, 404, 'Not found', 'text/plain; charset=utf-8');
    const next = method === 'POST' ? standIn.press(id, new URLSearchParams(sent).get('action') ?? '') : undefined;
    if (next !== undefined) return void response.writeHead(303, { location: next }).end();
    answerPage(response, 200, checkoutPage(stored));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const { endpoint, stop } = await listen(server, port);
  standIn.endpoint = endpoint;
  return {
    endpoint,
    async stop() {
      standIn.stop();
      await stop();
    },
  };
}
