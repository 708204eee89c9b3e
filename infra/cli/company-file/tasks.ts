import type { ContactRecord } from '../../../lib/domain/contacts/record.ts';
import {
  type TaskInput,
  type TaskRecord,
  blankTask,
  isEqualTask,
  applyTaskInput,
  readMoment,
  taskTypes,
} from '../../../lib/domain/tasks.ts';
import { datetime, int32, nullable, text } from '../../../lib/resources/fields.ts';
import { resource } from '../../../lib/resources/resource.ts';
import type { FieldError } from '../../../lib/shared/field-errors.ts';
import { fold } from '../../../lib/shared/text.ts';
import { callerOrganization } from '../../../lib/store/accounts.ts';
import { findContacts } from '../../../lib/store/contacts.ts';
import { reserveIds } from '../../../lib/store/dynamodb/ids.ts';
import { listTasks, taskChanges } from '../../../lib/store/tasks.ts';
import { findMatches, planUpserts } from '../../../lib/workflows/contacts/upsert-contacts.ts';
import type { Section, SectionFault, Stage, Target } from './section.ts';
import { type FileValue, form, words } from './form.ts';
import { type People, momentText, readPeople, sameSecond } from './people.ts';

/** A task as the file says it; things are named by names and e-mails. */
const FileTask = resource('FileTask', () => ({
  Description: text(),
  Contact: text(500),
  Organization: text(200),
  Category: text(100),
  Due: datetime(),
  DurationMinutes: nullable(int32(0)),
  AssignedTo: text(254),
  Note: text(),
  CompletedAt: datetime(),
  CompletedBy: text(200),
}));

const taskForm = form(
  FileTask,
  {
    description: 'Description',
    type: words('TaskType', taskTypes),
    contact: 'Contact',
    organization: 'Organization',
    category: 'Category',
    due: 'Due',
    duration: 'DurationMinutes',
    assignedTo: 'AssignedTo',
    note: 'Note',
    completed: 'CompletedAt',
    completedBy: 'CompletedBy',
  },
  { needs: ['description'] },
);

const PAGE = 500;

/** All tasks, oldest first. */
async function listAllTasks({ table, account, now }: Target): Promise<TaskRecord[]> {
  const tasks = new Map<number, TaskRecord>();
  for (let skip = 0; ; skip += PAGE) {
    const page = await listTasks(
      table,
      { accountId: account, organizationId: null },
      { due: {}, updated: {}, skip, take: PAGE },
      now,
    );
    for (const task of page.tasks) tasks.set(task.Id, task);
    if (page.tasks.length < PAGE) return [...tasks.values()].sort((a, b) => a.Id - b.Id);
  }
}

/**
 * Tasks of contacts that nothing tells apart from others are left out: another account could not find whose they are.
 */
async function show(target: Target): Promise<FileValue[]> {
  const { table, account } = target;
  const [tasks, people] = await Promise.all([listAllTasks(target), readPeople(target)]);
  const contacts = new Map(
    (await findContacts(table, account, [...new Set(tasks.flatMap(({ ContactId }) => ContactId ?? []))])).map(
      (contact): [number, ContactRecord] => [contact.Id, contact],
    ),
  );
  return tasks.flatMap((task): FileValue[] => {
    const contact = contacts.get(task.ContactId ?? 0);
    const Contact = contact ? contactText(contact) : '';
    if (contact && !Contact) return [];
    const zone = people.organizations.find(({ Id }) => Id === task.OrganizationId)?.Timezone ?? 'UTC';
    const moment = (at: number | null) => (at === null ? '' : momentText(at, zone));
    const entry = taskForm.write({
      ...task,
      Contact,
      Organization: people.organizations.length > 1 ? people.organizationName(task.OrganizationId) : '',
      Due: moment(task.Due),
      DurationMinutes: task.Duration,
      AssignedTo: people.userEmail(task.AssignedToUserId) || task.AssignedTo,
      CompletedAt: moment(task.CompletedAt),
    });
    return [entry];
  });
}

const section: Section = {
  key: 'tasks',
  noun: 'task',
  keyField: 'description',
  mayRepeat: true,
  entry: taskForm.schema,
  identity: (entry) => [entry['contact'], entry['description']].filter(Boolean).join(': '),
  show,
};

type Given = ReturnType<typeof taskForm.read> & { readonly TaskType?: number | null };

/** Whose task it is: the contact, and the organization, which is the contact's, the one named, or the only one. */
async function homeOf(
  target: Target,
  people: People,
  { Contact, Organization }: Given,
): Promise<{ contact: ContactRecord | undefined; organizationId: number } | { field: string; message: string }> {
  const named = Organization ? people.organization(Organization) : undefined;
  if (Organization && !named)
    return { field: 'organization', message: `names no organization there is: ${Organization}` };
  const only = people.organizations.length === 1 ? people.organizations[0]?.Id : undefined;
  const organizationId = named?.Id ?? only;
  if (!Contact)
    return organizationId === undefined
      ? { field: 'organization', message: 'is required, because there are several organizations' }
      : { contact: undefined, organizationId };
  const contact = await findOrCreateContact(target, Contact, organizationId);
  return 'message' in contact
    ? { field: 'contact', message: contact.message }
    : { contact, organizationId: contact.OrganizationId };
}

/** Tasks, known by contact and description. A contact who is not there yet is made of what the task says of them. */
export const taskStage: Stage = {
  sections: [section],
  async bring(target, entries) {
    const { table, account, now } = target;
    const contactInput = (entries.get(section.key) ?? []).map((entry) => taskForm.read(entry) as Given);
    if (!contactInput.length) return [];
    const errors: SectionFault[] = [];
    const people = await readPeople(target);
    const homes: Awaited<ReturnType<typeof homeOf>>[] = [];
    for (const entry of contactInput) homes.push(await homeOf(target, people, entry));
    const wanted = contactInput.map(({ Description }, index) => {
      const home = homes[index];
      return {
        ContactId: home && 'organizationId' in home ? (home.contact?.Id ?? null) : null,
        Description: Description ?? '',
      };
    });
    const pairs = pairTasks(await listAllTasks(target), wanted);
    for (const [index, { AssignedTo, ...entry }] of contactInput.entries()) {
      const home = homes[index];
      if (!home || 'message' in home) {
        if (home) errors.push({ path: [section.key, index, home.field], message: home.message });
        continue;
      }
      const { contact, organizationId } = home;
      const before = pairs[index];
      const [Id = 0] = before ? [before.Id] : await reserveIds(table, account, 'Task', 1);
      const blank = blankTask({
        Id,
        OrganizationId: organizationId,
        ContactId: contact?.Id ?? null,
        Created: now.getTime(),
      });
      const user = AssignedTo ? people.user(AssignedTo) : undefined;
      const zone = people.organizations.find((each) => each.Id === organizationId)?.Timezone ?? 'UTC';
      const { Note, CompletedAt, CompletedBy, ...rest } = entry;
      const { task: merged, errors: own } = applyTaskEntry(
        before ?? blank,
        {
          ...rest,
          Description: entry.Description ?? '',
          Note: Note ?? '',
          CompletedAt: CompletedAt ?? '',
          CompletedBy: CompletedBy ?? '',
          AssignedTo: user?.Name ?? AssignedTo ?? '',
          AssignedToUserId: user?.Id ?? null,
        },
        zone,
      );
      const task =
        before && sameSecond(before.CompletedAt, merged.CompletedAt)
          ? { ...merged, CompletedAt: before.CompletedAt }
          : merged;
      errors.push(
        ...own.map(({ field, message }) => ({ path: [section.key, index, ...taskForm.place(field)], message })),
      );
      if (!own.length && !(before && isEqualTask(before, task)))
        await table.commit([taskChanges(account, { before, after: task, now }).change]);
    }
    return errors;
  },
};

/**
 * `Jane Doe <jane@example.com>`, or with a phone number: by what another account finds the contact. `""` when there is
 * no such thing.
 */
export function contactText({ Name, Email, Phone }: ContactRecord): string {
  if (Email) return Name ? `${Name} <${Email}>` : Email;
  return Name && Phone ? `${Name} <${Phone}>` : '';
}

function contactInput(text: string): { Name?: string; Email?: string; Phone?: string } {
  const [, name = '', within = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? [];
  const Name = name ? { Name: name } : {};
  return within.includes('@') ? { ...Name, Email: within.trim() } : name ? { ...Name, Phone: within.trim() } : {};
}

/** The contact that a text names, made when new; it needs an organization then. */
export async function findOrCreateContact(
  { table, account, now }: Target,
  text: string,
  organizationId: number | undefined,
): Promise<ContactRecord | { readonly message: string }> {
  const contact = contactInput(text);
  if (!contact.Email && !contact.Phone)
    return { message: 'must be like `Jane Doe <jane@example.com>`, or with a phone number' };
  const scope = { accountId: account, organizationId: null };
  const organization = await callerOrganization(table, scope, now);
  const context = { table, caller: scope, now };
  const { candidates: found } = await findMatches(contact, undefined, organization, context);
  const [only] = found;
  if (found.length > 1) return { message: `fits ${found.length} contacts` };
  if (only) return only;
  if (organizationId === undefined)
    return { message: 'is nobody there is: name the organization too, and the contact is made' };
  const upsert = await planUpserts(
    [{ input: { ...contact, OrganizationId: organizationId }, criteria: undefined, distribute: false }],
    context,
  );
  if (upsert.kind !== 'ready')
    return {
      message:
        upsert.kind === 'invalid'
          ? `cannot be made a contact: ${upsert.errors.map(({ field, message }) => `${field} ${message}`).join(', ')}`
          : 'is not clear',
    };
  await table.commit(upsert.changes);
  return upsert.records[0] ?? { message: 'is not clear' };
}

/** A task of the company file: also what no operation brings. A completed one has the moment it was completed. */
export interface TaskEntry extends TaskInput {
  readonly Description: string;
  readonly Note?: string | undefined;
  readonly AssignedTo?: string | undefined;
  readonly AssignedToUserId?: number | null | undefined;
  readonly CompletedAt?: string | undefined;
  readonly CompletedBy?: string | undefined;
}

const identity = (ContactId: number | null, Description: string): string =>
  `${ContactId ?? ''}#${fold(Description.trim())}`;

/**
 * The tasks that the file's tasks are, of those there are: the same contact and description, whatever its case. Of
 * several that are alike the first in the file is the oldest there is, and so on, so that a file imported again finds
 * each of them. `undefined` is a new one.
 */
export function pairTasks(
  existing: readonly TaskRecord[],
  wanted: readonly { readonly ContactId: number | null; readonly Description: string }[],
): (TaskRecord | undefined)[] {
  const known = Map.groupBy(
    [...existing].sort((a, b) => a.Id - b.Id),
    ({ ContactId, Description }) => identity(ContactId, Description),
  );
  return wanted.map(({ ContactId, Description }) => known.get(identity(ContactId, Description))?.shift());
}

/**
 * A task as the file says. What the file leaves out is empty, so that the file is the whole of it; moments are read in
 * the zone.
 */
export function applyTaskEntry(
  task: TaskRecord,
  contactInput: TaskEntry,
  zone: string,
): { readonly task: TaskRecord; readonly errors: readonly FieldError[] } {
  const { Description, TaskType = 0, DurationMinutes = null, Due = null, Category = '' } = contactInput;
  const { task: merged, errors } = applyTaskInput(
    task,
    { Description, TaskType, DurationMinutes, Due, Category },
    zone,
  );
  const completed = readMoment('CompletedAt', contactInput.CompletedAt, zone);
  const known = TaskType === null || taskTypes[TaskType] !== undefined;
  return {
    task: {
      ...merged,
      Note: contactInput.Note ?? '',
      AssignedTo: contactInput.AssignedTo ?? '',
      AssignedToUserId: contactInput.AssignedToUserId ?? null,
      CompletedAt: completed.at,
      CompletedBy: contactInput.CompletedBy ?? '',
    },
    errors: [...errors, ...(known ? [] : [{ field: 'TaskType', message: 'must be 0 to 5' }]), ...completed.errors],
  };
}
