import { Note } from '../../lib/entities/contact-parts.ts';
import { operation, save } from '../../lib/api/operation.ts';
import { notesError } from '../../lib/domain/contacts/record.ts';
import { id, nested, required } from '../../lib/resources/fields.ts';
import { invalid } from '../../lib/shared/failure.ts';
import { updateContactChanges } from '../../lib/store/contacts/contacts.ts';
import { reserveIds } from '../../lib/store/dynamodb/records.ts';
import { loadContact } from '../../lib/workflows/contacts/load-contact.ts';

export const addnote = operation({
  title: 'Add a note',
  summary: 'Adds a note to a contact.',
  access: 'write',
  request: () => ({ ContactId: required(id()), Note: required(nested(Note)) }),
  response: () => ({ ContactId: id(), Note: nested(Note) }),
  document: () => ({ fields: { Note: 'Title or Body is required in it.' } }),
  example: { ContactId: 1, Note: { Title: 'Gate', Body: 'The gate code is 4711; the dog is friendly.' } },
  async run({ ContactId, Note: input }, context) {
    const { store, now } = context;
    const Title = input.Title?.trim() ?? '';
    const Body = input.Body?.trim() ?? '';
    if (!Title && !Body) throw invalid({ field: 'Note.Body', code: 'required', message: 'is required, or Note.Title' });
    const contact = await loadContact(context, ContactId);
    const [Id = 0] = await reserveIds(store, 'Note', 1);
    const note = { Id, Title, Body };
    const after = { ...contact, Notes: [...contact.Notes, note] };
    const tooMany = notesError(after);
    if (tooMany) throw invalid({ field: 'Note', code: 'limit', message: tooMany });
    const changes = updateContactChanges(store, { before: contact, after, now });
    return save(changes, { ContactId, Note: note });
  },
});
