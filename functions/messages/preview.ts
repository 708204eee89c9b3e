import { operation } from '../../lib/api/operation.ts';
import { nested } from '../../lib/resources/fields.ts';
import { MessagePreview, requestedMessage } from '../../lib/resources/messages.ts';
import { previewMessage } from '../../lib/workflows/messages/preview-message.ts';

export const preview = operation({
  title: 'Preview a message',
  summary: 'Shows what a message to a contact says now, and whether it would be sent.',
  rules: [
    'MessageId names a message that was sent, Kind and RecordId one that may never have been.',
    'Nothing is sent or stored. That works while messages are off, too.',
    'Without Channel it shows the first of the company for the Kind.',
  ],
  access: 'read',
  request: requestedMessage,
  response: () => ({ Preview: nested(MessagePreview) }),
  failures: ['notFound', 'conflict'],
  example: { ContactId: 1, Kind: 'NewLink', Channel: 'Text' },
  async run(request, context) {
    return { Preview: await previewMessage(context, request) };
  },
});
