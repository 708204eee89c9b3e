import { group } from '../../lib/api/group.ts';
import { preview } from './preview.ts';
import { send } from './send.ts';

export const messages = group('messages', 'E-mails and texts to clients: what they say, and sending one now.', {
  preview,
  send,
});
export const { handler } = messages;
