import type { Command } from 'commander';
import { webhookToResource } from '../../../lib/domain/callbacks/to-resource.ts';
import { toUtc } from '../../../lib/shared/time/time.ts';
import { listWebhooks } from '../../../lib/store/events/webhooks.ts';
import { createWebhook } from '../../../lib/workflows/webhooks/create-webhook.ts';
import { rotateSecret } from '../../../lib/workflows/webhooks/rotate-secret.ts';
import { testWebhook } from '../../../lib/workflows/webhooks/test-webhook.ts';
import { deleteWebhook, updateWebhook } from '../../../lib/workflows/webhooks/update-webhook.ts';
import type { WebhookEditor } from '../../../lib/workflows/webhooks/webhook-context.ts';
import { callReceiver } from '../../../lib/shared/web/call-receiver.ts';
import {
  type ContentOptions,
  type WebhookActions,
  type WebhookOptions,
  defineWebhooks,
  printed,
} from '../definitions/webhooks.ts';
import { either } from '../remote/choose.ts';
import { profileOption } from '../remote/profile.ts';
import { webhookActions } from '../remote/webhooks.ts';
import { webhookCallCommands } from './webhook-calls.ts';
import { isLocalTarget } from '../local-stack.ts';
import { type AccountOption, accountOption, openAccount, openCallbackKey } from '../target.ts';

async function openEditor(command: string, options: AccountOption): Promise<WebhookEditor> {
  const { table, account } = await openAccount(options);
  return { table, account, actor: { Key: '', Name: `fs webhook ${command}` }, now: new Date() };
}

async function create({ url, kinds, json, ...options }: ContentOptions & WebhookOptions): Promise<void> {
  const editor = await openEditor('create', options);
  const keys = { allowLoopback: isLocalTarget(), readKey: openCallbackKey };
  const { webhook, secret, changes } = await createWebhook({ Url: url, Kinds: kinds }, editor, keys);
  await editor.table.commit(changes);
  printed.created(webhookToResource(webhook), secret, json);
}

async function list({ json, ...options }: WebhookOptions): Promise<void> {
  const { table, account } = await openAccount(options);
  const webhooks = (await listWebhooks(table, account)).map(webhookToResource);
  printed.list(webhooks, json);
}

async function update(
  command: 'update' | 'enable',
  id: number,
  { url, kinds, json, ...options }: Partial<ContentOptions> & WebhookOptions,
): Promise<void> {
  const editor = await openEditor(command, options);
  const content = command === 'enable' ? { Enabled: true } : { Url: url, Kinds: kinds };
  const { webhook, changes } = await updateWebhook({ Id: id, ...content }, editor, { allowLoopback: isLocalTarget() });
  await editor.table.commit(changes);
  printed.webhook(webhookToResource(webhook), json);
}

async function remove(id: number, { json, ...options }: WebhookOptions): Promise<void> {
  const editor = await openEditor('delete', options);
  const { changes } = await deleteWebhook(id, editor);
  await editor.table.commit(changes);
  printed.removed(id, json);
}

async function rotate(
  id: number | undefined,
  { grace, json, ...options }: WebhookOptions & { grace: number },
): Promise<void> {
  const editor = await openEditor('rotate-secret', options);
  const rotation = { webhookId: id, grace, readKey: openCallbackKey };
  const { secret, previousUntil, changes } = await rotateSecret(rotation, editor);
  await editor.table.commit(changes);
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
  rotate,
  test,
};

/** `webhook create`, `list`, `update`, `delete`, `enable`, `rotate-secret`, `test`, `calls`, `show-call`, `replay`. */
export function webhookCommands(program: Command): void {
  const webhook = defineWebhooks(
    program,
    {
      create: either(webhookActions.create, onTable.create),
      list: either(webhookActions.list, onTable.list),
      update: either(webhookActions.update, onTable.update),
      remove: either(webhookActions.remove, onTable.remove),
      enable: either(webhookActions.enable, onTable.enable),
      rotate: either(webhookActions.rotate, onTable.rotate),
      test: either(webhookActions.test, onTable.test),
    },
    (command) => profileOption(accountOption(command)),
  );
  webhookCallCommands(webhook);
}
