import * as z from 'zod';
import { operation, save } from '../../lib/api/operation.ts';
import { parseCall } from '../../lib/domain/calls.ts';
import { described, field, int32, required } from '../../lib/resources/fields.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { normalizePhone } from '../../lib/shared/phones.ts';
import { callerOrganization } from '../../lib/store/accounts.ts';
import { searchContacts } from '../../lib/store/contact-search.ts';
import { findContact, callChanges } from '../../lib/store/contacts.ts';

const MAX_CHARACTERS = 100_000;

/** A text, whole or as an array of its characters, as older clients write it. */
const characters = () => {
  const joined = z
    .array(z.string('must be a character').max(2))
    .max(MAX_CHARACTERS)
    .transform((list) => list.join(''));
  const whole = z.string().max(MAX_CHARACTERS);
  return field(
    z.string(),
    z.union([whole, joined], `must be a text of at most ${MAX_CHARACTERS} characters, or an array of them`),
    [],
  );
};

export const logcall = operation({
  name: 'contacts/logcall',
  summary: 'Logs a call.',
  description:
    'Chars is the call record: a text or an array of characters. Where it is a JSON object, ContactId, Phone or CallerNumber, Direction, DurationSeconds, ' +
    'Note and RecordingUrl are understood, and the call is attached to that contact, or to the only one with that phone; otherwise it is kept unattached. ' +
    'The key comes in the header X-Api-Key only.',
  access: 'write',
  needs: ['table:write'],
  credential: 'header',
  request: () => ({
    Length: described(int32(0), 'When not 0, the length of Chars in UTF-16 units.'),
    Chars: required(characters()),
  }),
  response: () => ({}),
  failures: ['invalid'],
  example: {
    Length: 0,
    Chars: '{"Phone":"(217) 555-0143","Direction":"Inbound","DurationSeconds":184,"Note":"Asked for a Saturday slot."}',
  },
  async run({ Length, Chars }, { caller, table, now }) {
    if (Length && Length !== Chars.length)
      throw invalid({ field: 'Length', message: `must be the length of Chars, ${Chars.length}, or 0` });
    if (!Chars.isWellFormed() || Chars.includes('\0'))
      throw invalid({ field: 'Chars', message: 'must be well-formed Unicode without NUL' });
    const call = parseCall(Chars);
    const home = await callerOrganization(table, caller, now);
    const phone = call.Phone ? normalizePhone(call.Phone, home.Country) : null;
    const visible = caller.organizationId === null ? {} : { organizationId: caller.organizationId };
    const byPhone =
      phone && !call.ContactId
        ? await searchContacts(table, caller.accountId, { phone, ...visible }, { skip: 0, limit: 2 })
        : [];
    const contact = call.ContactId
      ? await findContact(table, caller, call.ContactId)
      : byPhone.length === 1
        ? byPhone[0]
        : undefined;

    const { id, change } = await callChanges(table, caller.accountId, {
      ...call,
      ContactId: contact?.Id ?? null,
      OrganizationId: contact?.OrganizationId ?? home.Id,
      now,
    });
    return save([change], {
      Message: contact
        ? `Call ${id} is attached to contact ${contact.Id}.`
        : `Call ${id} is kept; no contact was found for it.`,
    });
  },
});
