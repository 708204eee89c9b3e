import { createHash } from 'node:crypto';
import type { ContactInput } from '../../domain/contacts/apply-input.ts';
import { notesError } from '../../domain/contacts/record.ts';
import { leadNotes, leadSummary } from '../../domain/leads/notes.ts';
import type { ReadLead } from '../../domain/leads/read-lead.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import type { LeadForm } from '../../entities/leads.ts';
import { Failure, conflict } from '../../shared/failure.ts';
import { omit } from '../../shared/objects.ts';
import { DAY, MINUTE } from '../../shared/time/time.ts';
import { updateContactChanges } from '../../store/contacts/contacts.ts';
import type { Change } from '../../store/dynamodb/changes.ts';
import { reserveIds } from '../../store/dynamodb/records.ts';
import { findLeadReceipt, leadReceiptChange } from '../../store/lead-forms.ts';
import { accountCaller } from '../../store/requests/caller.ts';
import { organizationStore } from '../../store/store.ts';
import type { WriteContext } from '../context.ts';
import { findGivenContact } from '../pages/booking-person.ts';
import { newOfficeTask } from '../pages/office-task.ts';
import type { OpenedForm } from './open-form.ts';

/** Stores a lead: the person as a contact, what has no field in its notes, and a task for the office. */

/** For how long the same lead is not stored again: with an id of the provider, and by the same body. */
const [SAME_REFERENCE, SAME_BODY] = [7 * DAY, 10 * MINUTE];

interface ReceivedLead {
  readonly lead: ReadLead;
  /** The provider's id of the lead, or `''`. */
  readonly reference: string;
  readonly body: Buffer;
}

/** The type and category of the task. */
const [CALL, EMAIL, CATEGORY] = [1, 2, 'Lead'];

interface LeadReceipt {
  readonly mark: string;
  readonly lasts: number;
}

/** What makes two leads of a form the same: the provider's id for the same person, else the body. */
function receiptOf({ Id }: LeadForm, { lead, reference, body }: ReceivedLead): LeadReceipt {
  const { Name = '', Email = '', Phone = '' } = lead.contact;
  const hash = createHash('sha256').update(`${Id}\n`);
  if (!reference) return { mark: hash.update(body).digest('base64url'), lasts: SAME_BODY };
  return { mark: hash.update([reference, Name, Email, Phone].join('\n')).digest('base64url'), lasts: SAME_REFERENCE };
}

/** The context in which the rules of contacts/addupdate run, as for a key of the organization with a lead source. */
function leadContext({ store, form }: OpenedForm, now: Date): WriteContext {
  const { OrganizationId: organizationId, Channel, Campaign } = form;
  const caller = accountCaller(store.account, { keyName: `Lead form ${form.Name}` });
  return {
    store: organizationStore(store, organizationId),
    caller: { ...caller, organizationId, leadSource: { Channel, Campaign } },
    now,
    isClient: true,
  };
}

/**
 * The changes that store a lead; none if the same one came before. Its person is found as a stranger who books is
 * (decision 32): a contact that exists keeps its fields, and gets the notes.
 */
export async function storeLead(opened: OpenedForm, received: ReceivedLead, now: Date): Promise<readonly Change[]> {
  const { store, form } = opened;
  const { mark, lasts } = receiptOf(form, received);
  const before = await findLeadReceipt(store, mark);
  if (before !== undefined && before > now.getTime()) return [];
  const { contact, changes, typed } = await findPerson(leadContext(opened, now), form, personOf(form, received.lead));
  const { Phone, Email } = received.lead.contact;
  const task = await newOfficeTask(
    { store, now },
    {
      OrganizationId: form.OrganizationId,
      ContactId: contact.Id,
      Description: `Lead from ${form.Name}: ${leadSummary(received.lead)}${typed && `\n${typed}`}`,
      Category: CATEGORY,
      TaskType: Email && !Phone ? EMAIL : CALL,
    },
  );
  return [...changes, task.change, leadReceiptChange(store, { mark, before, until: now.getTime() + lasts }, now)];
}

interface LeadPerson {
  readonly contact: ContactRecord;
  readonly changes: readonly Change[];
  /** For the task: what a contact that exists does not have. */
  readonly typed: string;
}

/** What a lead says of a person, and the lines for the notes. */
interface Person {
  readonly input: ContactInput;
  readonly answers: readonly string[];
  readonly others: readonly string[];
}

const MAX_NAME = 200;
const nameless = ({ Name }: LeadForm): ContactInput => ({ Name: `Lead from ${Name}`.slice(0, MAX_NAME) });

/** The person of a lead. One without a name, an e-mail and a phone is named by the form. */
function personOf(form: LeadForm, { contact, answers, others }: ReadLead): Person {
  const { Name, Company, Email, Phone, LeadSource = form.Name } = contact;
  const named = Name || Company || Email || Phone ? {} : nameless(form);
  return { input: { ...contact, ...named, LeadSource }, answers, others };
}

/** How often the rules of contacts may refuse fields, before only a name is left. */
const MAX_TRIES = 5;

/**
 * The contact of a lead with its notes. A field that the rules of contacts refuse becomes a line of the note; at last,
 * the contact has only a name. So no rule loses a lead.
 */
async function findPerson(context: WriteContext, form: LeadForm, person: Person, tries = 1): Promise<LeadPerson> {
  try {
    return await findOrAdd(context, form, person);
  } catch (error) {
    const refused = tries < MAX_TRIES ? refusedFields(error, person.input) : [];
    if (!refused.length) throw error;
    const all = tries === MAX_TRIES - 1 ? Object.keys(person.input) : refused;
    return findPerson(context, form, withoutFields(person, all, form), tries + 1);
  }
}

function withoutFields({ input, answers, others }: Person, fields: readonly string[], form: LeadForm): Person {
  const lines = Object.entries(input).flatMap(([name, value]) =>
    fields.includes(name) && name !== 'LeadSource' ? [`${name}: ${String(value)}`] : [],
  );
  const left = omit(input, ...(fields as (keyof ContactInput)[]));
  const names = Object.keys(left).some((name) => name !== 'LeadSource');
  return { input: names ? left : nameless(form), answers: [...answers, ...lines], others };
}

/** The fields of an input that a failure names; all of them if it names others. */
function refusedFields(error: unknown, input: ContactInput): string[] {
  if (!(error instanceof Failure) || error.status >= 500) return [];
  if (error.code === 'postal_code_owned') return ['Zip'];
  const named = error.errors.map(({ field }) => field).filter((field) => field in input);
  return named.length ? named : Object.keys(input);
}

async function findOrAdd(context: WriteContext, form: LeadForm, { input, ...lines }: Person): Promise<LeadPerson> {
  const source = `Lead from ${form.Name}.`;
  const notes = leadNotes(form.Name, lines);
  const found = await findGivenContact(input, context, { source, ...(notes.length ? { notes } : {}) });
  const { known } = found;
  if (!known) return { contact: found.contact, changes: found.changes, typed: '' };
  const typed = found.notes === source ? '' : found.notes.replace(`${source} `, '');
  const all = typed ? leadNotes(form.Name, { ...lines, answers: [typed, ...lines.answers] }) : notes;
  const changes = await noteChanges(context, known, all);
  if (!changes) throw conflict('limit_reached', 'The notes of the contact are full.');
  return { contact: known, changes, typed };
}

/** The changes that add notes to a contact; `undefined` if they do not fit. */
async function noteChanges(
  { store, now }: WriteContext,
  before: ContactRecord,
  notes: ReturnType<typeof leadNotes>,
): Promise<readonly Change[] | undefined> {
  if (!notes.length) return [];
  const ids = await reserveIds(store, 'Note', notes.length);
  const added = notes.map((note, index) => ({ Id: ids[index] ?? 0, ...note }));
  const after = { ...before, Notes: [...before.Notes, ...added] };
  return notesError(after) ? undefined : updateContactChanges(store, { before, after, now });
}
