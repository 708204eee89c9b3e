import type { AuditKind } from '../../entities/audit.ts';
import { adviceForKind } from '../../domain/callbacks/webhook.ts';
import type { Webhook } from '../../entities/webhooks.ts';
import type { Actor } from '../../store/keys.ts';
import { type FieldError, forbidden, orNotFound } from '../../shared/failure.ts';
import { parseCallbackAddress } from '../../shared/web/web-addresses.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { findWebhooks } from '../../store/events/webhooks.ts';
import { auditChange } from '../../store/requests/audit.ts';
import type { ReadContext, WriteContext } from '../context.ts';
import type { StoreReader, StoreWriter } from '../../store/store.ts';

/** The reader of an account's webhooks: a key, or the operator's tool. */
export interface WebhookReader {
  readonly store: StoreReader;
}

/** A reader who may also change them. */
export interface WebhookEditor extends WebhookReader {
  readonly store: StoreWriter;
  readonly actor: Pick<Actor, 'Key' | 'Name'>;
  readonly now: Date;
}

/** Throws 403 for a key of one organization, because webhooks get the events of all. */
function requireAccountKey({ caller }: Pick<ReadContext, 'caller'>): void {
  if (caller.organizationId !== null)
    throw forbidden(
      'organization_forbidden',
      'Webhooks get the events of the whole account: use a key that is not bound to an organization.',
    );
}

/** Throws 403. */
export function webhookReader(context: Pick<ReadContext, 'store' | 'caller'>): WebhookReader {
  requireAccountKey(context);
  return { store: context.store };
}

/** Throws 403. */
export function webhookEditor(context: Pick<WriteContext, 'store' | 'caller' | 'now'>): WebhookEditor {
  requireAccountKey(context);
  const { store, caller, now } = context;
  return { store, actor: { Key: caller.keyId, Name: caller.keyName }, now };
}

/** Throws 404. */
export async function loadWebhook({ store }: WebhookReader, id: number): Promise<Webhook> {
  const [webhook] = await findWebhooks(store, [id]);
  return orNotFound(webhook, 'webhook', 'Id', id);
}

/** The audit entry. An address may hold a password, so only its host is named. */
export const webhookAudit = (
  { store, actor: { Key, Name }, now }: WebhookEditor,
  Kind: AuditKind,
  { Id, Url, Kinds }: Pick<Webhook, 'Id' | 'Url' | 'Kinds'>,
): Change => {
  const Data = { WebhookId: Id, Host: new URL(Url).host, Kinds };
  return auditChange(store, { Kind, At: now.getTime(), Actor: { Key, Name }, Data });
};

/** An address in the form of the URL standard, or its error. */
export function readUrl(text: string, allowLoopback: boolean): { Url: string; errors: FieldError[] } {
  const parsed = parseCallbackAddress(text.trim(), { allowLoopback });
  if (parsed.ok) return { Url: parsed.address, errors: [] };
  return { Url: '', errors: [{ field: 'Url', code: 'format', message: parsed.error }] };
}

/** Kinds, each once, or the errors of unknown ones. */
export function readKinds(texts: readonly string[]): { Kinds: string[]; errors: FieldError[] } {
  const Kinds = [...new Set(texts.map((kind) => kind.trim()))];
  const errors = texts.flatMap((kind, index): FieldError[] => {
    const advice = adviceForKind(kind.trim());
    return advice ? [{ field: `Kinds[${index}]`, code: 'unknown_value', message: `is not a kind. ${advice}` }] : [];
  });
  return { Kinds, errors };
}
