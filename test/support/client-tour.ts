import type { FieldService, FieldServiceClass } from '../../lib/client/field-service.ts';
import type { webhooks } from '../../lib/client/webhooks.ts';

/** What the built package exports, as far as the tour uses it. */
interface Package {
  readonly FieldService: FieldServiceClass;
  readonly webhooks: typeof webhooks;
}

/**
 * Uses the built package where it runs: a browser and workers get this function as text, so it needs nothing of this
 * file. Returns what it saw.
 */
export async function tour(client: Package, url: string, key: string): Promise<Record<string, unknown>> {
  const statuses: number[] = [];
  const fs: FieldService = new client.FieldService({ url, key, log: ({ status }) => statuses.push(status) });
  const people = [1, 2, 3].map((n) => ({ Name: `Tour ${n}`, Email: `tour${n}@example.com` }));
  const added = await fs.call('contacts/addupdate', { Matches: people });
  const [{ Id } = { Id: 0 }] = added['Matches'] as { Id: number }[];
  const listed: string[] = [];
  const pages = fs['contacts']?.['locate']?.({ NameSearch: 'tour', Limit: 2 }) as unknown as AsyncIterable<{
    Name: string;
  }>;
  for await (const { Name } of pages) listed.push(Name);
  const nameOf = async (call: Promise<unknown>) =>
    await call.then(
      () => 'none',
      (error: unknown) => (error as Error).name,
    );
  const stop = new AbortController();
  const stopped = nameOf(fs.call('test/echo', {}, { signal: stop.signal }));
  stop.abort();
  const answer = await fs.upload({ ContactId: Id }, [new File(['18421'], 'reading.txt', { type: 'text/plain' })]);
  const body = '{"Id":7,"QueuedAt":"","Payload":{"Kind":"invoice.paid","Id":3}}';
  const seconds = String(Math.floor(Date.now() / 1000));
  const raw = new TextEncoder().encode('0123456789abcdef01234567');
  const hmac = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', hmac, new TextEncoder().encode(`msg.${seconds}.${body}`));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(signature)));
  const headers = { 'webhook-id': 'msg', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${base64}` };
  const secret = `whsec_${btoa('0123456789abcdef01234567')}`;
  return {
    listed: listed.toSorted(),
    invalid: await nameOf(fs.call('contacts/addupdate', { Email: 'ana@' })),
    missing: await nameOf(fs.call('invoice/get', { InvoiceId: 4711 })),
    silent: await nameOf(fs.call('test/echo', {}, { timeout: 0, retryFor: 0 })),
    stopped: await stopped,
    uploads: (answer['upload'] as { UploadIds: number[] }).UploadIds.length,
    event: (await client.webhooks.verify(body, new Headers(headers), secret)).Payload.Kind,
    statuses: [...new Set(statuses)].toSorted((one, other) => one - other),
  };
}

/** What it must see, wherever it runs. */
export const SEEN = {
  listed: ['Tour 1', 'Tour 2', 'Tour 3'],
  invalid: 'InvalidRequestError',
  missing: 'NotFoundError',
  silent: 'ConnectionError',
  stopped: 'AbortError',
  uploads: 1,
  event: 'invoice.paid',
  statuses: [0, 200, 400, 404],
};
