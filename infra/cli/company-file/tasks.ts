import { type TaskRecord, taskTypes } from '../../../lib/entities/tasks.ts';
import type { ContactRecord } from '../../../lib/entities/contacts.ts';
import { contactLineError, formatContactLine, parseContactLine } from '../../../lib/domain/contacts/contact-line.ts';
import { applyImportedTask, matchImportedTasks } from '../../../lib/domain/imported-tasks.ts';
import { blankTask, isEqualTask } from '../../../lib/domain/tasks.ts';
import { moment, int32, nullable, resource, text } from '../../../lib/resources/fields.ts';
import { type FieldError, collectErrors } from '../../../lib/shared/failure.ts';
import { findContacts } from '../../../lib/store/contacts/contacts.ts';
import { reserveIds } from '../../../lib/store/dynamodb/records.ts';
import { listAllTasks, taskChanges } from '../../../lib/store/tasks.ts';
import { findOrCreateContact } from '../../../lib/workflows/contacts/find-or-create-contact.ts';
import { type Directory, formatMoment, loadDirectory } from './directory.ts';
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
  Due: moment(),
  Duration: nullable(int32(0)),
  AssignedTo: text(254),
  Note: text(),
  CompletedAt: moment(),
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

/** Tasks of contacts without a text of their own are left out, because another account could not find the contact. */
async function exportTasks(context: AccountContext): Promise<Entry[]> {
  const [tasks, directory] = await Promise.all([listAllTasks(context.store), loadDirectory(context)]);
  const contactIds = [...new Set(tasks.flatMap(({ ContactId }) => ContactId ?? []))];
  const contacts = await findContacts(context.store, contactIds, { asRecorded: true });
  const contactById = new Map(contacts.map((contact) => [contact.Id, contact]));
  return tasks.flatMap((task): Entry[] => {
    const contact = contactById.get(task.ContactId ?? 0);
    const Contact = contact ? formatContactLine(contact) : '';
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
  areRecords: true,
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
      // Sequential: an earlier task may create the contact of a later one.
      const owners: Awaited<ReturnType<typeof resolveOwner>>[] = [];
      for (const task of tasks) owners.push(await resolveOwner(context, directory, task));
      const identities = tasks.map(({ Description }, index) => ({
        ContactId: owners[index]?.contact?.Id ?? null,
        Description: Description ?? '',
      }));
      const existing = matchImportedTasks(await listAllTasks(context.store), identities);
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
    ['Organization', !!Organization && !requested && directory.unknownOrganization(Organization), 'not_found'],
    ['Contact', !!Contact && contactLineError(Contact), 'format'],
  );
  const only = directory.organizations.length === 1 ? directory.organizations[0] : undefined;
  const organizationId = (requested ?? only)?.Id;
  if (errors.length) return { organizationId: 0, errors };
  if (!Contact) {
    const message = 'is required, because the account has several organizations';
    return {
      organizationId: organizationId ?? 0,
      errors: collectErrors(['Organization', !organizationId && message, 'required']),
    };
  }
  const { store, now } = context;
  const found = await findOrCreateContact(parseContactLine(Contact), organizationId, { store, now });
  if (found.kind === 'invalid')
    return { organizationId: 0, errors: [{ field: 'Contact', code: 'ambiguous', message: found.message }] };
  await store.table.commit(found.changes);
  return { contact: found.contact, organizationId: found.contact.OrganizationId, errors: [] };
}

/** Commits a new or changed task. */
async function importTask(
  { store, now }: AccountContext,
  directory: Directory,
  { task, owner }: { task: FileTask; owner: TaskOwner },
  before: TaskRecord | undefined,
): Promise<readonly FieldError[]> {
  const { contact, organizationId: OrganizationId } = owner;
  const [Id = 0] = before ? [before.Id] : await reserveIds(store, 'Task', 1);
  const blank = blankTask({ Id, OrganizationId, ContactId: contact?.Id ?? null, Created: now.getTime() });
  const user = task.AssignedTo ? directory.findUser(task.AssignedTo) : undefined;
  const { task: after, errors } = applyImportedTask(
    before ?? blank,
    { ...task, DurationMinutes: task.Duration, AssignedTo: user?.Name ?? task.AssignedTo, AssignedToUserId: user?.Id },
    findZone(directory, OrganizationId),
  );
  if (errors.length) return errors;
  if (!before || !isEqualTask(before, after))
    await store.table.commit([taskChanges(store, { before, after, now }).change]);
  return [];
}
