import { mergeFileTask, pairTasks } from '../../../lib/domain/task-file.ts';
import type { ContactRecord } from '../../../lib/domain/contacts/record.ts';
import { blankTask, isSameTask, taskTypes, type TaskRecord } from '../../../lib/domain/tasks.ts';
import { datetime, int32, nullable, text } from '../../../lib/resources/fields.ts';
import { resource } from '../../../lib/resources/resource.ts';
import { readContacts } from '../../../lib/store/contacts.ts';
import { leaseIds } from '../../../lib/store/ids.ts';
import { queryTasks, storeTask } from '../../../lib/store/tasks.ts';
import { form, words, type FileValue } from './form.ts';
import { momentText, sameSecond } from './organization-list.ts';
import { readPeople, type People } from './people.ts';
import type { Section, SectionFault, Stage, Target } from './section.ts';
import { bringContact, contactText } from './task-contacts.ts';

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
async function listTasks({ table, account, now }: Target): Promise<TaskRecord[]> {
  const tasks = new Map<number, TaskRecord>();
  for (let skip = 0; ; skip += PAGE) {
    const page = await queryTasks(
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
  const [tasks, people] = await Promise.all([listTasks(target), readPeople(target)]);
  const contacts = new Map(
    (await readContacts(table, account, [...new Set(tasks.flatMap(({ ContactId }) => ContactId ?? []))])).map(
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
  const contact = await bringContact(target, Contact, organizationId);
  return 'message' in contact
    ? { field: 'contact', message: contact.message }
    : { contact, organizationId: contact.OrganizationId };
}

/** Tasks, known by contact and description. A contact who is not there yet is made of what the task says of them. */
export const taskStage: Stage = {
  sections: [section],
  async bring(target, entries) {
    const { table, account, now } = target;
    const given = (entries.get(section.key) ?? []).map((entry) => taskForm.read(entry) as Given);
    if (!given.length) return [];
    const faults: SectionFault[] = [];
    const people = await readPeople(target);
    const homes: Awaited<ReturnType<typeof homeOf>>[] = [];
    for (const entry of given) homes.push(await homeOf(target, people, entry));
    const wanted = given.map(({ Description }, index) => {
      const home = homes[index];
      return {
        ContactId: home && 'organizationId' in home ? (home.contact?.Id ?? null) : null,
        Description: Description ?? '',
      };
    });
    const pairs = pairTasks(await listTasks(target), wanted);
    for (const [index, { AssignedTo, ...entry }] of given.entries()) {
      const home = homes[index];
      if (!home || 'message' in home) {
        if (home) faults.push({ path: [section.key, index, home.field], message: home.message });
        continue;
      }
      const { contact, organizationId } = home;
      const before = pairs[index];
      const [Id = 0] = before ? [before.Id] : await leaseIds(table, account, 'Task', 1);
      const blank = blankTask({
        Id,
        OrganizationId: organizationId,
        ContactId: contact?.Id ?? null,
        Created: now.getTime(),
      });
      const user = AssignedTo ? people.user(AssignedTo) : undefined;
      const zone = people.organizations.find((each) => each.Id === organizationId)?.Timezone ?? 'UTC';
      const { Note, CompletedAt, CompletedBy, ...rest } = entry;
      const { task: merged, faults: own } = mergeFileTask(
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
      faults.push(
        ...own.map(({ field, message }) => ({ path: [section.key, index, ...taskForm.place(field)], message })),
      );
      if (!own.length && !(before && isSameTask(before, task)))
        await table.commit([storeTask(account, { before, after: task, now }).change]);
    }
    return faults;
  },
};
