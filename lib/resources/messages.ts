import { CHANNELS, MESSAGE_KINDS, type MessageKind } from '../entities/message-kinds.ts';
import { type Output, described, id, int32, required, resource, text, word } from './fields.ts';

const isToClient = (kind: MessageKind): kind is Exclude<MessageKind, 'Office'> => kind !== 'Office';
const [first, ...others] = MESSAGE_KINDS.filter(isToClient);

/** The fields by which a call names a message of a contact. */
export const requestedMessage = () => ({
  ContactId: required(id()),
  MessageId: described(id(), 'A message that contacts/messages lists; without it, Kind.'),
  Kind: described(word([first as Exclude<MessageKind, 'Office'>, ...others]), 'What the message is.'),
  RecordId: described(id(), 'The visit, proposal, invoice or payment that it is about. NewLink needs none.'),
  Channel: described(word(CHANNELS), 'By default those of the company for the Kind.'),
});

/** A message as it would be sent now. */
export const MessagePreview = resource('MessagePreview', () => ({
  Kind: word(MESSAGE_KINDS),
  Channel: word(CHANNELS),
  To: described(text(), 'The e-mail address or the phone number; empty without one.'),
  Suppressed: described(text(), 'Why it would not be sent; empty if it would.'),
  Subject: described(text(), 'Of an e-mail.'),
  Text: described(text(), 'The text, or the plain part of an e-mail.'),
  Html: described(text(), 'The HTML part of an e-mail.'),
  Segments: described(int32(), 'The parts that a text is sent in; 0 for an e-mail.'),
}));
export type MessagePreview = Output<typeof MessagePreview>;
