import { appointmentEntity } from '../../entities/appointments.ts';
import { callEntity } from '../../entities/calls.ts';
import { type ContactRecord, contactEntity } from '../../entities/contacts.ts';
import type { Fields } from '../../entities/declaration/fields.ts';
import { invoiceEntity } from '../../entities/invoices.ts';
import { paymentEntity } from '../../entities/payments.ts';
import { proposalEntity } from '../../entities/proposals.ts';
import { taskEntity } from '../../entities/tasks.ts';
import { uploadEntity } from '../../entities/uploads.ts';
import { mapTexts } from './erasure.ts';
import { identityFields } from './former.ts';
import type { Person } from './person.ts';

/** Kinds of records whose texts may be about somebody other than their own contact. */
const entities = {
  Contact: contactEntity,
  Call: callEntity,
  Task: taskEntity,
  Appointment: appointmentEntity,
  Proposal: proposalEntity,
  Invoice: invoiceEntity,
  Payment: paymentEntity,
  Upload: uploadEntity,
} as const;

const isWritten = ({ options: { personal }, fields }: Fields[string]): boolean =>
  personal === 'written' || personal === 'named' || Object.values(fields ?? {}).some(isWritten);

export type MentioningKind = keyof typeof entities;
export const mentioningKinds = Object.keys(entities) as MentioningKind[];

/** The fields that people write, in whole or in part, by kind. */
const writtenFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(entities).map(([kind, { fields }]: [string, { readonly fields: Fields }]) => [
    kind,
    Object.keys(fields).filter((name) => fields[name] && isWritten(fields[name])),
  ]),
);

/** A record of somebody else with a text that mentions the person. */
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

const mentionsAmong = (
  fields: readonly string[],
  kind: MentioningKind,
  record: { readonly Id: number },
  person: Person,
) =>
  fields.flatMap((Field): Mention[] =>
    hasPerson(record[Field as keyof typeof record], person) ? [{ Kind: kind, Id: record.Id, Field }] : [],
  );

/** The fields that mention a person. */
export const mentionsIn = (kind: MentioningKind, record: { readonly Id: number }, person: Person): Mention[] =>
  mentionsAmong(writtenFields[kind] ?? [], kind, record, person);

/** Fields of another contact with the same name, street, e-mail or phone: they are its own, and stay. */
export const likenessOf = (contact: ContactRecord, person: Person): Mention[] =>
  mentionsAmong(identityFields, 'Contact', contact, person);

/** Removes the person from the texts in somebody else's record. */
export function redactMentions<RecordType extends object>(
  kind: MentioningKind,
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
