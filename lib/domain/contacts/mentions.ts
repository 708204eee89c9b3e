import type { Fields } from '../../entities/declaration/field.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { type PersonalNoun, nouns, personalNouns } from '../../entities/nouns.ts';
import { mapTexts } from './erasure.ts';
import { identityFields } from './former.ts';
import type { Person } from './person.ts';

const isWritten = ({ options: { personal }, fields }: Fields[string]): boolean =>
  personal === 'written' ||
  personal === 'replaced' ||
  personal === 'named' ||
  Object.values(fields ?? {}).some(isWritten);

/** The fields that people write, in whole or in part, by kind. */
const writtenFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  personalNouns.map((kind) => {
    const { fields }: { readonly fields: Fields } = nouns[kind];
    return [kind, Object.keys(fields).filter((name) => fields[name] && isWritten(fields[name]))];
  }),
);

/** A record of somebody else with a text that mentions the person. */
export interface Mention {
  readonly Kind: PersonalNoun;
  readonly Id: number;
  readonly Field: string;
}

function hasPerson(value: unknown, person: Person): boolean {
  if (typeof value === 'string') return person.isMeantIn(value);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
  return Object.values(value).some((each) => hasPerson(each, person));
}

const mentionsAmong = (
  fields: readonly string[],
  kind: PersonalNoun,
  record: { readonly Id: number },
  person: Person,
) =>
  fields.flatMap((Field): Mention[] =>
    hasPerson(record[Field as keyof typeof record], person) ? [{ Kind: kind, Id: record.Id, Field }] : [],
  );

/** The fields that mention a person. */
export const mentionsIn = (kind: PersonalNoun, record: { readonly Id: number }, person: Person): Mention[] =>
  mentionsAmong(writtenFields[kind] ?? [], kind, record, person);

/** Fields of another contact with the same name, street, e-mail or phone: they are its own, and stay. */
export const likenessOf = (contact: ContactRecord, person: Person): Mention[] =>
  mentionsAmong(identityFields, 'Contact', contact, person);

/** Removes the person from the texts in somebody else's record. */
export function redactMentions<RecordType extends object>(
  kind: PersonalNoun,
  record: RecordType,
  person: Person,
): RecordType {
  const written = (writtenFields[kind] ?? []).filter((name) => name in record);
  const redacted = written.map((name) => [
    name,
    mapTexts(record[name as keyof RecordType], (text) => person.redact(text)),
  ]);
  return { ...record, ...(Object.fromEntries(redacted) as Partial<RecordType>) };
}
