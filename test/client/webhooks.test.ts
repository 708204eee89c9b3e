import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { SignatureError } from '../../lib/client/errors.ts';
import { webhooks } from '../../lib/client/webhooks.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NEXT = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const now = new Date('2035-03-06T09:00:00Z');
const body = JSON.stringify({
  Id: 7,
  QueuedAt: '2035-03-06T09:00:00Z',
  Payload: { Kind: 'invoice.paid', Id: 3, Note: 'ñ' },
});

/** Headers as the library of Standard Webhooks makes them. */
const signed = (secret: string, text = body, at = now) => ({
  'Webhook-Id': 'msg_1',
  'Webhook-Timestamp': String(Math.floor(at.getTime() / 1_000)),
  'Webhook-Signature': new Webhook(secret).sign('msg_1', at, text),
});
const verify = (
  text: string | Uint8Array,
  headers: Record<string, string>,
  secret: string | readonly string[] = SECRET,
) => webhooks.verify(text, headers, secret, { now: now.getTime() });

describe('webhooks.verify', () => {
  test('returns the event of a body that the secret has signed, in every form of body and headers', async () => {
    const event = JSON.parse(body) as object;
    expect(await verify(body, signed(SECRET))).toEqual(event);
    expect(await verify(new TextEncoder().encode(body), signed(SECRET))).toEqual(event);
    expect(await webhooks.verify(body, new Headers(signed(SECRET)), SECRET, { now: now.getTime() })).toEqual(event);
  });

  test('accepts one of several secrets and one of several signatures, while a secret is replaced', async () => {
    const both = `${signed(NEXT)['Webhook-Signature']} v1a,abc ${signed(SECRET)['Webhook-Signature']}`;
    await expect(verify(body, { ...signed(SECRET), 'Webhook-Signature': both })).resolves.toHaveProperty('Id', 7);
    await expect(verify(body, signed(NEXT), [SECRET, NEXT])).resolves.toHaveProperty('Id', 7);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['changed by one letter', () => verify(body.replace('7', '8'), signed(SECRET))],
    ['signed with another secret', () => verify(body, signed(NEXT))],
    ['of another message', () => verify(body, { ...signed(SECRET), 'Webhook-Id': 'msg_2' })],
    ['signed 301 s ago', () => verify(body, signed(SECRET, body, new Date(now.getTime() - 301_000)))],
    ['signed 301 s ahead', () => verify(body, signed(SECRET, body, new Date(now.getTime() + 301_000)))],
    ['with a time that is not a number', () => verify(body, { ...signed(SECRET), 'Webhook-Timestamp': 'now' })],
    ['with a malformed signature', () => verify(body, { ...signed(SECRET), 'Webhook-Signature': 'v1,%%% v1,' })],
    ['without a signature', () => verify(body, { 'Webhook-Id': 'msg_1', 'Webhook-Timestamp': '2056791600' })],
    ['without secrets to compare with', () => verify(body, signed(SECRET), [])],
  ])('refuses a body %s', async (_, attempt) => {
    await expect(attempt()).rejects.toBeInstanceOf(SignatureError);
  });

  test('says that a secret is malformed, and does not show it', async () => {
    await expect(verify(body, signed(SECRET), 'whsec_')).rejects.toThrow(/^The secret has the form whsec_/);
  });
});
