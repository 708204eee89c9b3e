import type { Webhook } from '../../entities/webhooks.ts';
import { collectErrors, invalid } from '../../shared/failure.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { removedWebhookChange, updatedWebhookChange } from '../../store/events/webhooks.ts';
import { type WebhookEditor, loadWebhook, readKinds, readUrl, webhookAudit } from './webhook-context.ts';

interface WebhookUpdate {
  readonly Id: number;
  readonly Url?: string | null | undefined;
  readonly Kinds?: readonly string[] | null | undefined;
  /** False stops the calls; true resumes them with events that are queued from now on. */
  readonly Enabled?: boolean | null | undefined;
  /** True keeps its calls; false resumes them. */
  readonly Paused?: boolean | null | undefined;
}

interface ChangedWebhook {
  readonly webhook: Webhook;
  readonly changes: readonly Change[];
}

/** Changes the given fields. Throws invalid, and 404. */
export async function updateWebhook(
  { Id, Url, Kinds, Enabled, Paused }: WebhookUpdate,
  editor: WebhookEditor,
  { allowLoopback }: { readonly allowLoopback: boolean },
): Promise<ChangedWebhook> {
  const url = Url ? readUrl(Url, allowLoopback) : undefined;
  const kinds = Kinds == null ? undefined : readKinds(Kinds);
  // A typed client sends both as false, which means disabled.
  const isContradiction = Enabled === true && Paused === true;
  const errors = [
    ...(url?.errors ?? []),
    ...(kinds?.errors ?? []),
    ...collectErrors(['Paused', isContradiction && 'must not be true together with Enabled', 'mismatch']),
  ];
  if (errors.length) throw invalid(...errors);
  const before = await loadWebhook(editor, Id);
  const webhook = {
    ...before,
    Url: url?.Url ?? before.Url,
    Kinds: kinds?.Kinds ?? before.Kinds,
    Disabled: disabledAfter(before, { Enabled, Paused }, editor),
  };
  const change = updatedWebhookChange(editor.store, before, webhook);
  return { webhook, changes: change ? [change, webhookAudit(editor, 'webhook.updated', webhook)] : [] };
}

/** A webhook that is already disabled in the same way keeps its time and reason. */
function disabledAfter(
  { Disabled }: Webhook,
  { Enabled, Paused }: Pick<WebhookUpdate, 'Enabled' | 'Paused'>,
  { actor, now }: WebhookEditor,
): Webhook['Disabled'] {
  if (Enabled == null && Paused == null) return Disabled;
  if (Enabled ?? !Paused) return null;
  const isPaused = Paused === true;
  if (Disabled && Boolean(Disabled.Paused) === isPaused) return Disabled;
  return { At: now.getTime(), Reason: `${isPaused ? 'Paused' : 'Disabled'} by ${actor.Name}.`, Paused: isPaused };
}

/** Removes a webhook and gives up its waiting calls. Throws 404. */
export async function deleteWebhook(id: number, editor: WebhookEditor): Promise<ChangedWebhook> {
  const webhook = await loadWebhook(editor, id);
  const change = removedWebhookChange(editor.store, id);
  return { webhook, changes: [change, webhookAudit(editor, 'webhook.deleted', webhook)] };
}
