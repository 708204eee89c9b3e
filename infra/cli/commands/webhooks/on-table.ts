import { isKept } from '../../../../lib/domain/callbacks/targets.ts';
import { callToResource, webhookToResource } from '../../../../lib/domain/callbacks/to-resource.ts';
import { toUtc } from '../../../../lib/shared/time/time.ts';
import { callReceiver } from '../../../../lib/shared/web/call-receiver.ts';
import type { Change } from '../../../../lib/store/dynamodb/changes.ts';
import { replayChanges } from '../../../../lib/store/events/callbacks.ts';
import { listWebhooks } from '../../../../lib/store/events/webhooks.ts';
import { listCalls } from '../../../../lib/workflows/webhooks/calls.ts';
import { createWebhook } from '../../../../lib/workflows/webhooks/create-webhook.ts';
import { rotateSecret } from '../../../../lib/workflows/webhooks/rotate-secret.ts';
import { testWebhook } from '../../../../lib/workflows/webhooks/test-webhook.ts';
import { deleteWebhook, updateWebhook } from '../../../../lib/workflows/webhooks/update-webhook.ts';
import type { WebhookEditor } from '../../../../lib/workflows/webhooks/webhook-context.ts';
import { commandName, isLocalTarget } from '../../local-stack.ts';
import type { AccountOption } from '../../options.ts';
import { openAccount, openCallbackKey } from '../../target.ts';
import { LISTED_EVENTS, type Webhooks } from './account-webhooks.ts';

/** Webhooks through the workflows of the operations, which the operator runs on the table. */
export async function webhooksOnTable(options: AccountOption): Promise<Webhooks> {
  const { store } = await openAccount(options);
  const editor: WebhookEditor = { store, actor: { Key: '', Name: commandName() }, now: new Date() };
  const allowLoopback = isLocalTarget();
  const readKey = openCallbackKey;
  const commit = async <Result extends { readonly changes: readonly Change[] }>(result: Result): Promise<Result> => {
    await store.table.commit(result.changes);
    return result;
  };
  return {
    async create({ url, kinds }) {
      const { webhook, secret } = await commit(
        await createWebhook({ Url: url, Kinds: kinds }, editor, { allowLoopback, readKey }),
      );
      return { webhook: webhookToResource(webhook), secret };
    },
    async list() {
      const webhooks = (await listWebhooks(store)).map(webhookToResource);
      const calls = await listCalls(editor, { isDead: false, last: LISTED_EVENTS }, editor.now);
      return { webhooks, calls: calls.map(callToResource) };
    },
    async update(Id, { url, kinds, enabled, paused }) {
      const change = { Id, Url: url, Kinds: kinds, Enabled: enabled, Paused: paused };
      return webhookToResource((await commit(await updateWebhook(change, editor, { allowLoopback }))).webhook);
    },
    async makeKept(webhookId) {
      const dead = await listCalls(editor, { isDead: true, last: Infinity, webhookId }, editor.now);
      const kept = dead.filter((call) => isKept(callToResource(call)));
      for (const call of kept) await store.table.commit(replayChanges(store, call, editor.now));
      return kept.length;
    },
    async remove(id) {
      await commit(await deleteWebhook(id, editor));
    },
    async rotate(webhookId, grace) {
      const { secret, previousUntil } = await commit(await rotateSecret({ webhookId, grace, readKey }, editor));
      return { secret, previousUntil: toUtc(previousUntil) };
    },
    async test(id) {
      const call = (address: string, body: string, headers: Readonly<Record<string, string>>) =>
        callReceiver(address, body, { headers, allowLoopback });
      const { status, error, milliseconds } = await testWebhook(id, { call, readKey }, editor);
      return { Status: status, Reason: error, Milliseconds: milliseconds };
    },
  };
}
