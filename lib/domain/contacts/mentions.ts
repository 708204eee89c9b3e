import { mapTexts } from './erasure.ts';
import type { Person } from './person.ts';

/** What people write in records of each kind, where it may be about somebody else than the record's own contact. */
const writtenFields = {
  Contact: ['Notes', 'FlashMessage', 'CustomFields'],
  Call: ['Text', 'Note'],
  Task: ['Description', 'Note'],
  Appointment: ['Notes', 'InternalNotes', 'ServiceName', 'CustomProperties', 'Feedback', 'BilledLines', 'AddOnParts'],
  Proposal: ['Title', 'Description', 'CustomerNotes', 'ProposalNotes', 'CustomFields', 'Lines', 'Options', 'Book'],
  Invoice: ['Terms', 'CustomerNotes', 'Lines'],
  Payment: ['Reference', 'Method'],
} as const;

export type MentioningKind = keyof typeof writtenFields;
export const mentioningKinds = Object.keys(writtenFields) as MentioningKind[];

/** A record of somebody else that has a person in a text. */
export interface Mention {
  readonly Kind: MentioningKind;
  readonly Id: number;
  readonly Field: string;
}

function hasPerson(value: unknown, person: Person): boolean {
  if (typeof value === 'string') return person.isMeantIn(value);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
  return Object.values(value).some((each) => hasPerson(each, person));
}

/** The fields of a record that mention a person. */
export const mentionsIn = (kind: MentioningKind, record: { readonly Id: number }, person: Person): Mention[] =>
  writtenFields[kind].flatMap((Field) =>
    hasPerson(record[Field as keyof typeof record], person) ? [{ Kind: kind, Id: record.Id, Field }] : [],
  );

/** A record of somebody else without the person in what people wrote. */
export function redactMentions<RecordType extends object>(
  kind: MentioningKind,
  record: RecordType,
  person: Person,
): RecordType {
  const written = writtenFields[kind].filter((name) => name in record);
  const redacted = written.map((name) => [
    name,
    mapTexts(record[name as keyof RecordType], (text) => person.redact(text)),
  ]);
  return { ...record, ...(Object.fromEntries(redacted) as Partial<RecordType>) };
}
