import { operation } from '../../lib/api/operation.ts';
import { described, flag, id, int32, nullable, required, text } from '../../lib/resources/fields.ts';
import { callReceiver } from '../../lib/shared/web/call-receiver.ts';
import type { CallReceiver } from '../../lib/workflows/callbacks/deliver-callbacks.ts';
import { testWebhook } from '../../lib/workflows/webhooks/test-webhook.ts';
import { webhookEditor } from '../../lib/workflows/webhooks/webhook-context.ts';
import { readCallbackKey } from '../../lib/secrets/held-secret.ts';

const call: CallReceiver = (address, body, headers) =>
  callReceiver(address, body, { headers, allowLoopback: process.env['STAGE'] === 'local' });

export const test = operation({
  title: 'Test a webhook',
  summary: 'Calls a webhook once, now, with an event of the kind webhook.test.',
  rules: [
    'The test event has the Id 0.',
    'The call is signed like any other, and the answer says what came of it, within 10 seconds.',
    'A disabled webhook can be tested too.',
    'A test is never repeated, and an answer of 410 disables nothing.',
  ],
  access: 'write',
  needs: ['table:write', 'callbacks:sign'],
  request: () => ({ Id: required(id()) }),
  response: () => ({
    Delivered: described(flag(), 'Whether the receiver answered with a status from 200 to 299.'),
    Status: described(nullable(int32()), 'The HTTP status; null without an answer.'),
    Reason: described(text(), 'Why there was no answer.'),
    Milliseconds: int32(),
  }),
  example: { Id: 1 },
  async run({ Id }, context) {
    const delivery = { call, readKey: readCallbackKey };
    const { status, error, milliseconds } = await testWebhook(Id, delivery, webhookEditor(context));
    const Delivered = status !== null && status >= 200 && status < 300;
    return { Delivered, Status: status, Reason: error, Milliseconds: milliseconds };
  },
});
