import type { Command } from 'commander';
import { callToResource, webhookToResource } from '../../../lib/domain/callbacks/to-resource.ts';
import type { Webhook } from '../../../lib/resources/webhooks.ts';
import { toUtc } from '../../../lib/shared/time/time.ts';
import { replayChanges } from '../../../lib/store/events/callbacks.ts';
import { listWebhooks } from '../../../lib/store/events/webhooks.ts';
import { listCalls } from '../../../lib/workflows/webhooks/calls.ts';
import { createWebhook } from '../../../lib/workflows/webhooks/create-webhook.ts';
import { rotateSecret } from '../../../lib/workflows/webhooks/rotate-secret.ts';
import { testWebhook } from '../../../lib/workflows/webhooks/test-webhook.ts';
import { deleteWebhook, updateWebhook } from '../../../lib/workflows/webhooks/update-webhook.ts';
import type { WebhookEditor } from '../../../lib/workflows/webhooks/webhook-context.ts';
import { callReceiver } from '../../../lib/shared/web/call-receiver.ts';
import {
  type ContentOptions,
  LISTED_EVENTS,
  type WebhookActions,
  type WebhookOptions,
  defineWebhooks,
  isKept,
  printed,
} from '../definitions/webhooks.ts';
import { either } from '../remote/choose.ts';
import { profileOption } from '../remote/profile.ts';
import { webhookActions } from '../remote/webhooks.ts';
import { webhookCallCommands } from './webhook-calls.ts';
import { isLocalTarget } from '../local-stack.ts';
import { type AccountOption, accountOption, openAccount, openCallbackKey } from '../target.ts';

async function openEditor(command: string, options: AccountOption): Promise<WebhookEditor> {
  const { store } = await openAccount(options);
  return { store, actor: { Key: '', Name: `fs webhook ${command}` }, now: new Date() };
}

async function create({ url, kinds, json, ...options }: ContentOptions & WebhookOptions): Promise<void> {
  const editor = await openEditor('create', options);
  const keys = { allowLoopback: isLocalTarget(), readKey: openCallbackKey };
  const { webhook, secret, changes } = await createWebhook({ Url: url, Kinds: kinds }, editor, keys);
  await editor.store.table.commit(changes);
  printed.created(webhookToResource(webhook), secret, json);
}

async function list({ json, ...options }: WebhookOptions): Promise<void> {
  const { store } = await openAccount(options);
  const webhooks = (await listWebhooks(store)).map(webhookToResource);
  const calls = await listCalls({ store }, { isDead: false, last: LISTED_EVENTS }, new Date());
  printed.list(webhooks, calls.map(callToResource), json);
}

async function update(
  command: 'update' | 'enable' | 'pause',
  id: number,
  { url, kinds, json, ...options }: Partial<ContentOptions> & WebhookOptions,
): Promise<void> {
  const editor = await openEditor(command, options);
  const contents = { update: { Url: url, Kinds: kinds }, enable: { Enabled: true }, pause: { Paused: true } };
  printed.webhook(await change({ Id: id, ...contents[command] }, editor), json);
}

async function change(input: Parameters<typeof updateWebhook>[0], editor: WebhookEditor): Promise<Webhook> {
  const { webhook, changes } = await updateWebhook(input, editor, { allowLoopback: isLocalTarget() });
  await editor.store.table.commit(changes);
  return webhookToResource(webhook);
}

async function resume(id: number, { json, ...options }: WebhookOptions): Promise<void> {
  const editor = await openEditor('resume', options);
  const webhook = await change({ Id: id, Paused: false }, editor);
  const dead = await listCalls(editor, { isDead: true, last: Infinity, webhookId: id }, editor.now);
  const kept = dead.filter((call) => isKept(callToResource(call)));
  for (const call of kept) await editor.store.table.commit(replayChanges(editor.store, call, editor.now));
  printed.resumed(webhook, kept.length, json);
}

async function remove(id: number, { json, ...options }: WebhookOptions): Promise<void> {
  const editor = await openEditor('delete', options);
  const { changes } = await deleteWebhook(id, editor);
  await editor.store.table.commit(changes);
  printed.removed(id, json);
}

async function rotate(
  id: number | undefined,
  { grace, json, ...options }: WebhookOptions & { grace: number },
): Promise<void> {
  const editor = await openEditor('rotate-secret', options);
  const rotation = { webhookId: id, grace, readKey: openCallbackKey };
  const { secret, previousUntil, changes } = await rotateSecret(rotation, editor);
  await editor.store.table.commit(changes);
  printed.rotated(secret, toUtc(previousUntil), json);
}

async function test(id: number, { json, ...options }: WebhookOptions): Promise<void> {
  const editor = await openEditor('test', options);
  const answer = await testWebhook(
    id,
    {
      call: (address, body, headers) => callReceiver(address, body, { headers, allowLoopback: isLocalTarget() }),
      readKey: openCallbackKey,
    },
    editor,
  );
  printed.tested({ Status: answer.status, Reason: answer.error, Milliseconds: answer.milliseconds }, json);
}

const onTable: WebhookActions = {
  create,
  list,
  update: (id, options) => update('update', id, options),
  remove,
  enable: (id, options) => update('enable', id, options),
  pause: (id, options) => update('pause', id, options),
  resume,
  rotate,
  test,
};

/** The commands of `webhook`. */
export function webhookCommands(program: Command): void {
  const webhook = defineWebhooks(
    program,
    {
      create: either(webhookActions.create, onTable.create),
      list: either(webhookActions.list, onTable.list),
      update: either(webhookActions.update, onTable.update),
      remove: either(webhookActions.remove, onTable.remove),
      enable: either(webhookActions.enable, onTable.enable),
      pause: either(webhookActions.pause, onTable.pause),
      resume: either(webhookActions.resume, onTable.resume),
      rotate: either(webhookActions.rotate, onTable.rotate),
      test: either(webhookActions.test, onTable.test),
    },
    (command) => profileOption(accountOption(command)),
  );
  webhookCallCommands(webhook);
}
