import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { holdSecret } from '../../lib/secrets/held-secret.ts';
import { HOUR, MINUTE } from '../../lib/shared/time/time.ts';

const KEYS = ['a', 'b'].map((letter) => letter.repeat(64));
let stored: string | undefined;
const asked: unknown[] = [];

/** Secrets Manager, which is away where nothing is stored. */
const server = createServer(async (request, response) => {
  asked.push(await json(request));
  const body = stored === undefined ? { __type: 'InternalServiceError' } : { SecretString: stored };
  response.writeHead(stored === undefined ? 500 : 200, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(body));
});
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', `http://127.0.0.1:${port}`);
  vi.stubEnv('CALLBACK_KEY_SECRET', 'the-secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

let readCallbackKey: ReturnType<typeof holdSecret>;
beforeEach(() => {
  asked.length = 0;
  // A new container.
  readCallbackKey = holdSecret('CALLBACK_KEY_SECRET');
});

const START = Date.UTC(2026, 10, 22, 12);

test('the callback key is read once for all that sign at the same time, and held for an hour', async () => {
  stored = KEYS[0];
  expect(await Promise.all([readCallbackKey(START), readCallbackKey(START)])).toEqual([KEYS[0], KEYS[0]]);
  stored = KEYS[1];
  expect(await readCallbackKey(START + HOUR - 1)).toBe(KEYS[0]);
  expect(asked).toEqual([{ SecretId: 'the-secret' }]);
  expect(await readCallbackKey(START + HOUR)).toBe(KEYS[1]);
});

test('a held key serves on while Secrets Manager is away, which is asked again after a minute', async () => {
  stored = KEYS[0];
  await readCallbackKey(START);
  stored = undefined;
  expect(await readCallbackKey(START + HOUR)).toBe(KEYS[0]);
  const tries = asked.length;
  expect(await readCallbackKey(START + HOUR + MINUTE - 1)).toBe(KEYS[0]);
  expect(asked.length).toBe(tries);
  stored = KEYS[1];
  expect(await readCallbackKey(START + HOUR + MINUTE)).toBe(KEYS[1]);
});

test('without a key nothing is signed: a failed read fails, also one of a short key, and the next one is tried', async () => {
  stored = undefined;
  await expect(readCallbackKey(START)).rejects.toMatchObject({ name: 'InternalServiceError' });
  stored = 'short';
  await expect(readCallbackKey(START)).rejects.toThrow(
    'The secret of CALLBACK_KEY_SECRET is shorter than 32 characters.',
  );
  stored = KEYS[0];
  expect(await readCallbackKey(START)).toBe(KEYS[0]);
});
