import { operation, save } from '../../lib/api/operation.ts';
import { ContactMessage, messageEntity } from '../../lib/entities/messages.ts';
import { many } from '../../lib/resources/fields.ts';
import { requestedMessage } from '../../lib/resources/messages.ts';
import { sendNow } from '../../lib/workflows/messages/send-now.ts';

export const send = operation({
  title: 'Send a message',
  summary: 'Sends a message to a contact again, or one about a record now.',
  rules: [
    'A message goes to the contact of its record only, at the current address, and says what the record says now.',
    'NewLink sends a new link to the page of the contact.',
    'DoNotEmail, DoNotText, Unsubscribed and a bounced address are respected: 409 says why nothing is sent.',
    'A message that the record does not support is 409, such as a reminder of a canceled visit.',
    'A text waits until 8:00 at the place of the contact.',
    'The messages are returned as they wait; contacts/messages and the events say what became of them.',
  ],
  access: 'write',
  request: requestedMessage,
  response: () => ({ Messages: many(ContactMessage) }),
  example: { ContactId: 1, Kind: 'NewLink', Channel: 'Text' },
  beforeExample: 'Turn messages on in the company file.',
  async run(request, context) {
    const { messages, changes } = await sendNow(context, request);
    return save(changes, { Messages: messages.map((message) => messageEntity.toResource(message)) });
  },
});
