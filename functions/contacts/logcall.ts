import * as z from 'zod';
import { operation, save } from '../../lib/api/operation.ts';
import { parseCall, withLength } from '../../lib/domain/calls.ts';
import { described, field, int32, required } from '../../lib/resources/fields.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { logCall } from '../../lib/workflows/contacts/log-call.ts';

const MAX_CHARACTERS = 100_000;

/** A text, or an array of its characters, as older clients send it. */
const characters = () => {
  const joined = z
    .array(z.string('must be a character').max(2))
    .max(MAX_CHARACTERS)
    .transform((list) => list.join(''));
  const message = `must be a text of at most ${MAX_CHARACTERS} characters, or an array of them`;
  return field(z.string(), z.union([z.string().max(MAX_CHARACTERS), joined], message), []);
};

export const logcall = operation({
  title: 'Log a call',
  summary: 'Logs a call.',
  rules: [
    'Chars is the call record: a text or an array of characters.',
    'A record that is a JSON object is read: its ContactId, Phone or CallerNumber, Direction, DurationSeconds, Note ' +
      'and RecordingUrl.',
    'A call is attached to the contact of ContactId, or to the only contact with that phone. Any other call is ' +
      'stored without a contact.',
    'An attached call is a note of its contact, with title, time, duration, number, recording and text.',
    'The event call.logged has the whole record of every call.',
    'Message has the id of the call and of its contact.',
  ],
  access: 'write',
  maxBody: 1 * 1024 * 1024,
  request: () => ({
    Length: described(
      int32(0),
      'When not 0, the length of Chars. A number that is no length of Chars is the minutes of the call.',
    ),
    Chars: required(characters()),
  }),
  response: () => ({}),
  example: {
    Length: 0,
    Chars: '{"Phone":"(804) 555-0143","Direction":"Inbound","DurationSeconds":184,"Note":"Asked for a Saturday slot."}',
  },
  async run({ Length, Chars }, context) {
    if (!Chars.isWellFormed() || Chars.includes('\0'))
      throw invalid({ field: 'Chars', code: 'format', message: 'must be well-formed Unicode without NUL' });
    const call = withLength(parseCall(Chars), Length ?? 0);
    if (!call)
      throw invalid({
        field: 'Length',
        code: 'mismatch',
        message: `must be the length of Chars, ${Chars.length}, the minutes of the call, at most 1,440, or 0`,
      });
    const { callId, contact, noteId, changes } = await logCall(call, context);
    const full = noteId ? '' : ' The contact takes no more notes, so its notes do not show the call.';
    return save(changes, {
      Message: contact
        ? `Call ${callId} is attached to contact ${contact.Id}.${full}`
        : `Call ${callId} is stored; no contact was found for it.`,
    });
  },
});
