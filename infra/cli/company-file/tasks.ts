import type { ContactRecord } from '../../../lib/domain/contacts/record.ts';
import {
  type TaskInput,
  type TaskRecord,
  applyTaskInput,
  blankTask,
  isEqualTask,
  readMoment,
  taskTypes,
} from '../../../lib/domain/tasks.ts';
import { datetime, int32, nullable, text } from '../../../lib/resources/fields.ts';
import { resource } from '../../../lib/resources/resource.ts';
import { type FieldError, collectErrors } from '../../../lib/shared/field-errors.ts';
import { fold } from '../../../lib/shared/text/text.ts';
import { callerOrganization } from '../../../lib/store/accounts/accounts.ts';
import { findContacts } from '../../../lib/store/contacts/contacts.ts';
import { reserveIds } from '../../../lib/store/dynamodb/ids.ts';
import { listAllTasks, taskChanges } from '../../../lib/store/tasks.ts';
import { findMatches, planUpserts } from '../../../lib/workflows/contacts/upsert-contacts.ts';
import { type Directory, formatMoment, isSameSecond, loadDirectory } from './directory.ts';
import { type Entry, entryFormat, fields, wordField } from './entry-format.ts';
import {
  type AccountContext,
  type PathError,
  type Section,
  type SectionGroup,
  importValid,
  toPathErrors,
} from './section.ts';

/** A task of the file, with names and e-mails in place of ids. */
const FileTask = resource('FileTask', () => ({
  Description: text(),
  Contact: text(500),
  Organization: text(200),
  Category: text(100),
  Due: datetime(),
  Duration: nullable(int32(0)),
  AssignedTo: text(254),
  Note: text(),
  CompletedAt: datetime(),
  CompletedBy: text(200),
}));

const format = entryFormat(
  FileTask,
  {
    description: 'Description',
    type: wordField('TaskType', taskTypes),
    ...fields('contact organization category due duration assignedTo note'),
    completed: 'CompletedAt',
    completedBy: 'CompletedBy',
  },
  { required: ['description'] },
);
type FileTask = ReturnType<typeof format.toInput> & { readonly TaskType?: number | null };

const findZone = ({ organizations }: Directory, organizationId: number): string =>
  organizations.find(({ Id }) => Id === organizationId)?.Timezone ?? 'UTC';

/** Tasks of contacts without a text of their own are left out: another account could not find the contact. */
async function exportTasks(context: AccountContext): Promise<Entry[]> {
  const [tasks, directory] = await Promise.all([listAllTasks(context.table, context.account), loadDirectory(context)]);
  const contactIds = [...new Set(tasks.flatMap(({ ContactId }) => ContactId ?? []))];
  const contacts = await findContacts(context.table, context.account, contactIds);
  const contactById = new Map(contacts.map((contact) => [contact.Id, contact]));
  return tasks.flatMap((task): Entry[] => {
    const contact = contactById.get(task.ContactId ?? 0);
    const Contact = contact ? formatContact(contact) : '';
    if (contact && !Contact) return [];
    const zone = findZone(directory, task.OrganizationId);
    const toText = (at: number | null) => (at === null ? '' : formatMoment(at, zone));
    return [
      format.toEntry({
        ...task,
        Contact,
        Organization: directory.organizations.length > 1 ? directory.organizationName(task.OrganizationId) : '',
        Due: toText(task.Due),
        AssignedTo: directory.userEmail(task.AssignedToUserId) || task.AssignedTo,
        CompletedAt: toText(task.CompletedAt),
      }),
    ];
  });
}

const section: Section = {
  key: 'tasks',
  noun: 'task',
  format,
  mayRepeat: true,
  identity: (entry) => [entry['contact'], entry['description']].filter(Boolean).join(': '),
  exportEntries: exportTasks,
};

/** Tasks, identified by contact and description. A contact that does not exist is created. */
export const taskGroup: SectionGroup = {
  sections: [section],
  importEntries: (context, run) =>
    importValid(run, async (entries) => {
      const tasks = (entries.get(section.key) ?? []).map((entry): FileTask => format.toInput(entry));
      if (!tasks.length) return [];
      const directory = await loadDirectory(context);
      // One after another: an earlier task may create the contact of a later one.
      const owners: Awaited<ReturnType<typeof resolveOwner>>[] = [];
      for (const task of tasks) owners.push(await resolveOwner(context, directory, task));
      const identities = tasks.map(({ Description }, index) => ({
        ContactId: owners[index]?.contact?.Id ?? null,
        Description: Description ?? '',
      }));
      const existing = pairTasks(await listAllTasks(context.table, context.account), identities);
      const errors: PathError[] = [];
      for (const [index, task] of tasks.entries()) {
        const owner = owners[index];
        if (!owner) continue;
        const own = owner.errors.length
          ? owner.errors
          : await importTask(context, directory, { task, owner }, existing[index]);
        errors.push(...toPathErrors([section.key, index], format, own));
      }
      return errors;
    }),
};

interface TaskOwner {
  readonly contact?: ContactRecord;
  readonly organizationId: number;
  readonly errors: readonly FieldError[];
}

/** The contact and organization of a task: the contact's organization, the named one, or the only one. */
async function resolveOwner(context: AccountContext, directory: Directory, task: FileTask): Promise<TaskOwner> {
  const { Contact, Organization } = task;
  const requested = Organization ? directory.findOrganization(Organization) : undefined;
  const errors = collectErrors(
    ['Organization', !!Organization && !requested && directory.unknownOrganization(Organization)],
    ['Contact', !!Contact && contactError(Contact)],
  );
  const only = directory.organizations.length === 1 ? directory.organizations[0] : undefined;
  const organizationId = (requested ?? only)?.Id;
  if (errors.length) return { organizationId: 0, errors };
  if (!Contact) {
    const message = 'is required, because the account has several organizations';
    return { organizationId: organizationId ?? 0, errors: collectErrors(['Organization', !organizationId && message]) };
  }
  const contact = await findOrCreateContact(context, Contact, organizationId);
  return 'message' in contact
    ? { organizationId: 0, errors: [{ field: 'Contact', message: contact.message }] }
    : { contact, organizationId: contact.OrganizationId, errors: [] };
}

/** Commits a new or changed task. */
async function importTask(
  { table, account, now }: AccountContext,
  directory: Directory,
  { task, owner }: { task: FileTask; owner: TaskOwner },
  before: TaskRecord | undefined,
): Promise<readonly FieldError[]> {
  const { contact, organizationId } = owner;
  const [Id = 0] = before ? [before.Id] : await reserveIds(table, account, 'Task', 1);
  const blank = blankTask({
    Id,
    OrganizationId: organizationId,
    ContactId: contact?.Id ?? null,
    Created: now.getTime(),
  });
  const user = task.AssignedTo ? directory.findUser(task.AssignedTo) : undefined;
  const { task: after, errors } = applyTaskEntry(
    before ?? blank,
    { ...task, DurationMinutes: task.Duration, AssignedTo: user?.Name ?? task.AssignedTo, AssignedToUserId: user?.Id },
    findZone(directory, organizationId),
  );
  if (errors.length) return errors;
  // The file has whole seconds.
  const isSameCompletion = isSameSecond(before?.CompletedAt ?? null, after.CompletedAt);
  const saved = before && isSameCompletion ? { ...after, CompletedAt: before.CompletedAt } : after;
  if (!before || !isEqualTask(before, saved))
    await table.commit([taskChanges(account, { before, after: saved, now }).change]);
  return [];
}

/** `Jane Doe <jane@example.com>`, or with a phone number: what another account finds the contact by; `""` without. */
export function formatContact({ Name, Email, Phone }: ContactRecord): string {
  if (Email) return Name ? `${Name} <${Email}>` : Email;
  return Name && Phone ? `${Name} <${Phone}>` : '';
}

function parseContact(text: string): { Name?: string; Email?: string; Phone?: string } {
  const [, name = '', address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? [];
  const Name = name ? { Name: name } : {};
  return address.includes('@') ? { ...Name, Email: address.trim() } : name ? { ...Name, Phone: address.trim() } : {};
}

function contactError(text: string): string | false {
  const { Email, Phone } = parseContact(text);
  return !Email && !Phone && 'must be like `Jane Doe <jane@example.com>`, or with a phone number';
}

/** The contact of a text; a new one needs an organization. */
async function findOrCreateContact(
  { table, account, now }: AccountContext,
  text: string,
  organizationId: number | undefined,
): Promise<ContactRecord | { readonly message: string }> {
  const contact = parseContact(text);
  const caller = { accountId: account, organizationId: null };
  const defaultOrganization = await callerOrganization(table, caller, now);
  const context = { table, caller, now, defaultOrganization, onlyOrganizationId: organizationId };
  const { candidates } = await findMatches(contact, undefined, context);
  if (candidates.length > 1) return { message: `matches ${candidates.length} contacts` };
  if (candidates[0]) return candidates[0];
  if (organizationId === undefined)
    return { message: 'does not exist; name the organization too, and the contact is created' };
  const input = { ...contact, OrganizationId: organizationId };
  const plan = await planUpserts([{ input, criteria: undefined, distribute: false }], context);
  if (plan.kind === 'invalid')
    return {
      message: `is not a valid contact: ${plan.errors.map(({ field, message }) => `${field} ${message}`).join(', ')}`,
    };
  if (plan.kind !== 'ready' || !plan.records[0]) return { message: 'matches several contacts' };
  await table.commit(plan.changes);
  return plan.records[0];
}

/** A task of the company file, which also has fields that no operation sets. */
export interface TaskEntry extends TaskInput {
  readonly Note?: string | null | undefined;
  readonly AssignedTo?: string | null | undefined;
  readonly AssignedToUserId?: number | null | undefined;
  readonly CompletedAt?: string | null | undefined;
  readonly CompletedBy?: string | null | undefined;
}

const taskIdentity = ({ ContactId, Description }: Pick<TaskRecord, 'ContactId' | 'Description'>): string =>
  `${ContactId ?? ''}#${fold(Description.trim())}`;

/**
 * The existing record of each task of the file: the same contact and description, whatever its case. Of several equal
 * ones the first in the file is the oldest record, and so on. `undefined` is a new task.
 */
export function pairTasks(
  existing: readonly TaskRecord[],
  tasks: readonly Pick<TaskRecord, 'ContactId' | 'Description'>[],
): (TaskRecord | undefined)[] {
  const byIdentity = Map.groupBy(
    [...existing].sort((a, b) => a.Id - b.Id),
    taskIdentity,
  );
  return tasks.map((task) => byIdentity.get(taskIdentity(task))?.shift());
}

/** A task as the file describes it: fields that the file leaves out are empty. Moments are read in the zone. */
export function applyTaskEntry(
  before: TaskRecord,
  entry: TaskEntry,
  zone: string,
): { readonly task: TaskRecord; readonly errors: readonly FieldError[] } {
  const { Description = '', TaskType = 0, DurationMinutes = null, Due = null, Category = '' } = entry;
  const { task, errors } = applyTaskInput(before, { Description, TaskType, DurationMinutes, Due, Category }, zone);
  const completed = readMoment('CompletedAt', entry.CompletedAt, zone);
  return {
    task: {
      ...task,
      Note: entry.Note ?? '',
      AssignedTo: entry.AssignedTo ?? '',
      AssignedToUserId: entry.AssignedToUserId ?? null,
      CompletedAt: completed.at,
      CompletedBy: entry.CompletedBy ?? '',
    },
    errors: [
      ...errors,
      ...collectErrors(['TaskType', TaskType !== null && !taskTypes[TaskType] && 'must be 0 to 5']),
      ...completed.errors,
    ],
  };
}
