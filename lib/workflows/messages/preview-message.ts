import { messageEntity } from '../../entities/messages.ts';
import { declarationOf } from '../../entities/message-kinds.ts';
import { renderEmail } from '../../messages/email.ts';
import { renderText } from '../../messages/text.ts';
import type { MessagePreview } from '../../resources/messages.ts';
import { conflict } from '../../shared/failure.ts';
import type { ReadContext } from '../context.ts';
import { newMessageOf, wayOf } from './new-messages.ts';
import { loadMessage } from './load-message.ts';
import { type MessageRequest, loadRequested } from './requested-message.ts';

/** What a message would say now, to whom it would go, and why it would not be sent. */
export async function previewMessage(context: ReadContext, request: MessageRequest): Promise<MessagePreview> {
  const { store, now } = context;
  const { contact, decided, channels, off, refusal } = await loadRequested(context, request);
  const channel = channels[0] ?? declarationOf(decided.kind).channels[0] ?? 'Email';
  const way = wayOf(contact, decided.kind, channel);
  const message = newMessageOf(decided, contact, { way, id: 0 });
  const loaded = await loadMessage(store, messageEntity.blank({ ...message, Created: now.getTime() }), now);
  if ('refusal' in loaded) throw conflict('wrong_state', loaded.refusal);
  const common = {
    Kind: decided.kind,
    Channel: channel,
    To: way.address,
    Suppressed: off ?? refusal ?? loaded.outdated ?? way.refusal ?? '',
  };
  if (channel === 'Text') {
    const { text, segments } = renderText(loaded.view);
    return { ...common, Subject: '', Text: text, Html: '', Segments: segments };
  }
  const { subject, text, html } = renderEmail(loaded.view);
  return { ...common, Subject: subject, Text: text, Html: html, Segments: 0 };
}
