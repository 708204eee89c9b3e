import { bytesOf } from '../sizes.ts';
import type { ContactFault } from './merge.ts';
import type { ContactRecord } from './record.ts';

/** An item holds 400 KB: 48,000 characters of notes, at most 3 bytes each, and this. */
const MOST_BYTES_BESIDES_NOTES = 200_000;
/** A transaction holds 4 MB. */
const MOST_BYTES = 3_000_000;

/** Contacts that are too large to be stored, alone or together with those before them. */
export function tooLarge(contacts: readonly ContactRecord[]): (ContactFault & { readonly index: number })[] {
  let together = 0;
  return contacts.flatMap((contact, index) => {
    // What is open is listed by invoices and proposals, and cannot be made less by whoever sends the contact.
    const { Notes, OpenInvoices: _invoices, OpenProposals: _proposals, ...others } = contact;
    const besidesNotes = bytesOf(others);
    const before = together;
    together += besidesNotes + bytesOf(Notes);
    if (besidesNotes > MOST_BYTES_BESIDES_NOTES) {
      return [
        {
          index,
          field: 'CustomFields',
          message: `make the contact too large: at most ${MOST_BYTES_BESIDES_NOTES} bytes besides its notes`,
        },
      ];
    }
    const crosses = before <= MOST_BYTES && together > MOST_BYTES;
    return crosses
      ? [
          {
            index,
            field: 'Notes',
            message: `make the call too large: at most ${MOST_BYTES} bytes of contacts and notes are stored at once`,
          },
        ]
      : [];
  });
}
