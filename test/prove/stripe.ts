import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../infra/local/ports.ts';
import { startStripe } from '../../infra/local/stripe/stand-in.ts';
import type { CheckoutOrder } from '../../lib/payments/provider.ts';
import { stripeProvider } from '../../lib/payments/stripe.ts';

const MODULE = 'github.com/stripe/stripe-mock';
const VERSION = 'v0.203.0';

/** Stripe's own stand-in, which checks requests against the description of its API; Go fetches it once. */
async function findMock(): Promise<string> {
  const named = process.env['STRIPE_MOCK'];
  if (named) return named;
  const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = join(caches, 'field-service-api', `stripe-mock-${VERSION}`);
  const program = join(folder, 'stripe-mock');
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  process.stdout.write(`stripe: go install ${MODULE}@${VERSION}\n`);
  await promisify(execFile)('go', ['install', `${MODULE}@${VERSION}`], { env: { ...process.env, GOBIN: folder } });
  return program;
}

async function startMock(): Promise<{ readonly endpoint: string; readonly process: ChildProcess }> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const mock = spawn(await findMock(), ['-http-addr', `127.0.0.1:${port}`], { stdio: 'ignore' });
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await fetch(endpoint).catch(() => undefined)) return { endpoint, process: mock };
    await pause(100);
  }
  mock.kill();
  throw new Error('stripe-mock does not answer');
}

/** A request of our provider, and what was answered. */
interface Exchange {
  readonly route: string;
  readonly status: number;
  readonly body: unknown;
}

/** Stands between our provider and an API, and notes what passes. Checkout pages of the answers are on its own origin. */
async function startRecorder(target: string) {
  const exchanges: Exchange[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '/' } = request;
      const sent = await text(request);
      const headers = Object.fromEntries(
        ['authorization', 'content-type', 'idempotency-key', 'stripe-version'].flatMap((name) => {
          const value = request.headers[name];
          return typeof value === 'string' ? [[name, value]] : [];
        }),
      );
      const answer = await fetch(`${target}${url}`, { method, headers, ...(method === 'POST' ? { body: sent } : {}) });
      const body = (await answer.json()) as Record<string, unknown>;
      const route = `${method} ${url.split('?')[0]?.replace(/\/(cs|pi)_\w+/, '/{id}')}`;
      exchanges.push({ route, status: answer.status, body });
      const own = typeof body['url'] === 'string' && route.endsWith('/sessions') && method === 'POST';
      const passed = own ? { ...body, url: `${endpoint}/pay` } : body;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(passed));
    })().catch(() => response.destroy());
  });
  const port = await freePort();
  await new Promise<void>((done) => void server.listen(port, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${port}`;
  return { endpoint, exchanges, stop: () => server.close() };
}

const order: CheckoutOrder = {
  purpose: { account: 'a1', organization: 1, page: 'invoice', id: 7 },
  price: { cents: 12_050, title: 'Invoice 7, Evergreen' },
  currency: 'USD',
  returnTo: 'https://api.example.com/c/invoice/x/return?lang=en&checkout=',
  cancelTo: 'https://api.example.com/c/invoice/x?lang=en',
  language: 'es',
  email: 'ana@example.com',
  customer: '',
  expiresAt: 0,
};

/** Every request that our provider makes, in both modes. */
async function exercise(
  api: string,
  press: (checkout: string) => Promise<void>,
  dispute: (payment: string) => Promise<void>,
): Promise<Exchange[]> {
  const recorder = await startRecorder(api);
  Object.assign(process.env, { STAGE: 'local', STRIPE_API: recorder.endpoint });
  try {
    const provider = stripeProvider({ secretKey: 'sk_test_12345678', webhookSecret: 'whsec_12345678' });
    const expiresAt = Math.floor(Date.now() / 1000) + 3_600;
    const { price: _, ...withoutPrice } = order;
    const paid = await provider.createCheckout({ ...order, expiresAt }, 'one');
    const card = await provider.createCheckout({ ...withoutPrice, expiresAt }, 'two');
    await provider.createCheckout({ ...withoutPrice, expiresAt, email: '', customer: 'cus_123' }, 'three');
    const over = await provider.createCheckout({ ...order, expiresAt }, 'four');
    await provider.endCheckout(over.id);
    await press(paid.id);
    await press(card.id);
    const found = await provider.findCheckout(paid.id);
    await provider.findCheckout(card.id);
    const payment = found?.payment?.id ?? 'pi_123';
    await dispute(payment);
    await provider.findCheckoutOf(payment);
    await provider.listRefunds(payment);
    await provider.listDisputes(payment);
    return recorder.exchanges;
  } finally {
    recorder.stop();
  }
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

/** Fields of our stand-in that Stripe's answer has not, or with another type. */
function differences(ours: unknown, theirs: unknown, path: string): string[] {
  const [own, other] = [typeOf(ours), typeOf(theirs)];
  if (own === 'null' || other === 'null') return [];
  if (own !== other) return [`${path} is a ${own}, and a ${other} at Stripe`];
  if (own === 'list') {
    const [first, second] = [(ours as unknown[])[0], (theirs as unknown[])[0]];
    return first === undefined || second === undefined ? [] : differences(first, second, `${path}[0]`);
  }
  // The names in it are ours.
  if (own !== 'object' || path.endsWith('.metadata')) return [];
  return Object.entries(ours as object).flatMap(([name, value]) =>
    name in (theirs as object)
      ? differences(value, (theirs as Record<string, unknown>)[name], `${path}.${name}`)
      : [`${path}.${name} does not exist at Stripe`],
  );
}

/**
 * Checks the requests of our provider against Stripe's own description of its API, by stripe-mock, and that the local
 * stand-in answers them with fields that Stripe's answers have too.
 */
export async function stripe(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'stripe-'));
  const mock = await startMock();
  const standIn = await startStripe({ file: join(folder, 'stripe.json'), port: 0, log: () => undefined });
  try {
    const nothing = () => Promise.resolve();
    const theirs = await exercise(mock.endpoint, nothing, nothing);
    const press = async (checkout: string) => {
      const body = new URLSearchParams({ action: 'card' });
      await fetch(`${standIn.endpoint}/pay/${checkout}`, { method: 'POST', body, redirect: 'manual' });
    };
    const ours = await exercise(standIn.endpoint, press, async (payment) => {
      await fetch(`${standIn.endpoint}/dispute/${payment}`, { method: 'POST' });
    });
    const refused = [...theirs, ...ours].filter(({ status }) => status !== 200);
    const faults = [
      ...refused.map(({ route, status, body }) => `${route} is refused with ${status}: ${JSON.stringify(body)}`),
      ...(theirs.map(({ route }) => route).join() === ours.map(({ route }) => route).join()
        ? []
        : ['the stand-in gets other requests than Stripe']),
      ...ours.flatMap(({ route, body }, index) => differences(body, theirs[index]?.body, route)),
    ];
    process.stdout.write(`stripe: ${theirs.length} requests accepted by stripe-mock ${VERSION}, compared in shape\n`);
    for (const fault of new Set(faults)) process.stdout.write(`  ${fault}\n`);
    return faults.length === 0;
  } finally {
    mock.process.kill();
    await standIn.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
