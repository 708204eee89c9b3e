import { objectOf } from '../../lib/shared/objects.ts';
import { goOn, toPage } from './lists.ts';
import { count, say } from './sentence.ts';
import { AskFor, type Row, type Tool, fieldsOf, given, pickRow, rowsOf } from './tool.ts';
import { SKIP, id, text } from './arguments.ts';

const personFields = { name: 'Name', company: 'Company', phone: 'Phone', email: 'Email' } as const;

const contactFields = { id: 'Id', ...personFields } as const;

const addressFields = { street: 'Address1', unit: 'Address2', city: 'City', state: 'State', zip: 'Zip' } as const;

/** A client as a row of a list. */
export const clientRow = (contact: Row): Row => pickRow(contact, { ...contactFields, ...addressFields });

const ownFields = { ...personFields, ...addressFields } as const;

const searchFields = {
  name: 'NameSearch',
  phone: 'PhoneSearch',
  email: 'EmailSearch',
  address: 'AddressSearch',
  contact_id: 'IdSearch',
} as const;

/** The most clients in one answer. */
const PAGE = 100;

export const findContact: Tool = {
  name: 'find_contact',
  description: 'Find clients by one of name, phone, email, address or id.',
  input: { name: text(), phone: text(), email: text(), address: text(), contact_id: id(), skip: SKIP },
  job: {
    call: ({ skip, ...args }) => ({
      operation: 'contacts/locate',
      request: { ...fieldsOf(args, searchFields), ...given({ Skip: skip }), Limit: PAGE },
    }),
    answer(body, { skip }) {
      const found = { list: body['Matches'], nextSkip: body['NextSkip'], skip };
      const { rows, next } = toPage(found, clientRow);
      if (!rows.length) return { say: say`No client matches.` };
      const total = rowsOf(body['Matches']).length;
      const counted = body['NextSkip'] === undefined ? count(total, 'client') : say`More than ${total} clients`;
      return { say: say`${counted} found.${goOn(next)}`, data: { contacts: rows } };
    },
  },
};

export const saveContact: Tool = {
  name: 'save_contact',
  description:
    'Add a client, or change the one of contact_id. A client with the same e-mail and a name that agrees, or with the ' +
    'same phone and name, is updated.',
  input: { contact_id: id(), ...objectOf(Object.keys(ownFields), () => text()) },
  isWrite: true,
  job: {
    call: (args) => ({ operation: 'contacts/addupdate', request: fieldsOf(args, { contact_id: 'Id', ...ownFields }) }),
    answer(body, { contact_id }, isDone) {
      const [found = {}] = rowsOf(body['Matches']);
      const contact = clientRow(found);
      const isKnown = contact_id !== undefined;
      if (isDone) return { say: say`Saved as client ${Number(found['Id'])}.`, data: { contact } };
      const { id: _, ...shown } = contact;
      return {
        say: isKnown
          ? say`This changes client ${Number(contact_id)}.`
          : say`This adds the client, or updates a known one.`,
        data: { contact: isKnown ? contact : shown },
      };
    },
  },
};

export const logCall: Tool = {
  name: 'log_call',
  description: 'Store a phone call, as a note of the client.',
  input: {
    contact_id: id(),
    phone: text(),
    direction: { type: 'string', enum: ['Inbound', 'Outbound'] },
    seconds: id(),
    note: text('What was said.'),
  },
  required: ['note'],
  isWrite: true,
  job: {
    call({ contact_id, phone, direction, seconds, note }) {
      if (contact_id === undefined && phone === undefined) throw new AskFor(say`Give contact_id or phone.`);
      const call = { ContactId: contact_id, Phone: phone, Direction: direction, DurationSeconds: seconds, Note: note };
      return { operation: 'contacts/logcall', request: { Chars: JSON.stringify(given(call)) } };
    },
    answer(body, { note, contact_id, phone }, isDone) {
      if (isDone) return { say: say`The call is stored.`, data: { stored: body['Message'] } };
      const whose = contact_id ? say`client ${Number(contact_id)}` : say`a number`;
      return { say: say`This stores a call of ${whose}.`, data: given({ phone, note }) };
    },
  },
};
