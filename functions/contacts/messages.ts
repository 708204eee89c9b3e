import { operation } from '../../lib/api/operation.ts';
import { ContactMessage, messageEntity } from '../../lib/entities/messages.ts';
import { described, id, int32, many, required } from '../../lib/resources/fields.ts';
import { loadContact } from '../../lib/workflows/contacts/load-contact.ts';
import { listContactsOf } from '../../lib/workflows/messages/list-contact-messages.ts';
import { listMessages } from '../../lib/store/messages.ts';

const MAX_TAKE = 500;
const DEFAULT_TAKE = 25;

export const messages = operation({
  title: 'List messages to a contact',
  summary: 'Lists the e-mails and texts to a contact, newest first, and what became of each.',
  rules: [
    'State is Waiting, Sent, Delivered, Bounced, Complained, Failed or Suppressed; Reason says why.',
    'Uncertain: the answer of the service was lost, and an e-mail may have been sent twice.',
    'Messages to contacts that were merged into it are listed, too.',
    'Messages are kept for two years, or for the days that the account sets.',
    'Go on with the Skip of the header X-Next-Skip while it is there.',
  ],
  access: 'read',
  request: () => ({
    ContactId: required(id()),
    Skip: int32(0),
    Take: described(int32(1, MAX_TAKE), `Defaults to ${DEFAULT_TAKE}.`),
  }),
  response: () => ({ Messages: many(ContactMessage) }),
  example: { ContactId: 1, Take: 10 },
  async run({ ContactId, Skip, Take }, context) {
    const { store } = context;
    const contact = await loadContact(context, ContactId);
    const page = { skip: Skip ?? 0, take: Take || DEFAULT_TAKE };
    const { messages: found, hasMore } = await listMessages(store, await listContactsOf(store, contact.Id), page);
    return {
      Messages: found.map((message) => messageEntity.toResource(message)),
      NextSkip: hasMore ? page.skip + page.take : undefined,
    };
  },
});
