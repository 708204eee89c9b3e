import { type MessageRecord, messageEntity } from '../../entities/messages.ts';
import { conflict, invalid } from '../../shared/failure.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { newMessageChange } from '../../store/messages.ts';
import type { WriteContext } from '../context.ts';
import { newMessages, wayOf } from './new-messages.ts';
import { type MessageRequest, loadRequested } from './requested-message.ts';

/**
 * A message to a contact that is due now, by each channel that reaches it, and the changes that store it. Throws 409
 * with the reason if nothing may be sent.
 */
export async function sendNow(
  { store, ...context }: WriteContext,
  request: MessageRequest,
): Promise<{ readonly messages: readonly MessageRecord[]; readonly changes: readonly Change[] }> {
  const requested = await loadRequested({ store, ...context }, request);
  const { contact, decided, settings, channels, off, refusal } = requested;
  if (off !== undefined) throw conflict('requirement_missing', off);
  if (refusal !== undefined) throw conflict('wrong_state', refusal);
  if (!channels.length) {
    const message = `is required: the company sends no ${decided.kind} by itself`;
    throw invalid({ field: 'Channel', code: 'required', message });
  }
  const ways = channels.map((channel) => wayOf(contact, decided.kind, channel));
  const usable = ways.filter((way) => way.refusal === undefined);
  if (!usable.length) throw conflict('wrong_state', ways.map((way) => way.refusal).join(' '));
  const { now } = context;
  const created = await newMessages(store, decided, { contact, ways: usable });
  return {
    messages: created.map((message) => messageEntity.blank({ ...message, Created: now.getTime() })),
    changes: created.map((message) => newMessageChange(store, message, { keptDays: settings.keptDays, now })),
  };
}
