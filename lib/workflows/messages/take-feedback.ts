import type { Delivery } from '../../delivery/delivery.ts';
import { languageFor } from '../../domain/messages/language.ts';
import {
  type MessageReport,
  type Report,
  type TextWord,
  emailProblem,
  parseReport,
} from '../../domain/messages/reports.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
import { type TextedCompany, renderAnswer } from '../../messages/answer.ts';
import type { BatchOptions } from '../../shared/batch.ts';
import { normalizePhone } from '../../shared/text/phones.ts';
import { normalizeEmail } from '../../shared/text/text.ts';
import type { FailedMessage, QueueOutcome } from '../../shared/queues.ts';
import { listAccountIds } from '../../store/administration/account-administration.ts';
import { searchContacts } from '../../store/contacts/contact-search.ts';
import { findMeantContact, updateContactChanges } from '../../store/contacts/contacts.ts';
import type { PatientTable } from '../../store/dynamodb/table.ts';
import { accountOfKey } from '../../store/keys.ts';
import { writeMessageReport } from '../../store/messages.ts';
import { findMessageSettings } from '../../store/message-settings.ts';
import { findOrganization } from '../../store/organizations/organizations.ts';
import { toClientCompany } from '../pages/load-company.ts';
import { officeTaskChange } from '../pages/office-task.ts';
import { type PatientStore, accountStore } from '../../store/store.ts';

/**
 * Stores what the services report about e-mails and texts, and what clients text. Safe to repeat and in any order. One
 * that fails is delivered again.
 */
export async function takeFeedback(
  table: PatientTable,
  bodies: readonly unknown[],
  { now }: Pick<BatchOptions, 'now'>,
  delivery: Pick<Delivery, 'sendText'>,
): Promise<QueueOutcome> {
  const failures: FailedMessage[] = [];
  for (const [index, body] of bodies.entries())
    try {
      const report = parseReport(body, now);
      if (report?.kind === 'message') await takeReport(table, report, now);
      if (report?.kind === 'text') await takeText(table, report, { now, delivery });
    } catch (error) {
      failures.push({ index, error });
    }
  return { done: bodies.length - failures.length, failures };
}

async function takeReport(
  table: PatientTable,
  { key, report, isLasting }: Extract<Report, { kind: 'message' }>,
  now: Date,
): Promise<void> {
  const store = accountStore(table, accountOfKey(key) ?? '');
  const message = await writeMessageReport(store, key, report);
  if (isLasting && message?.ContactId)
    await writeEmailProblem(store, { ...message, id: message.ContactId }, report, now);
}

/** Asks the office for another address, unless the address was corrected since the message was sent. */
async function writeEmailProblem(
  store: PatientStore,
  { id, Address }: { readonly id: number; readonly Address: string },
  report: MessageReport,
  now: Date,
): Promise<void> {
  const before = (await findMeantContact(store, id))?.contact;
  if (!before || normalizeEmail(before.Email) !== normalizeEmail(Address)) return;
  const EmailProblem = emailProblem(Address, report);
  if (before.EmailProblem === EmailProblem) return;
  const { Id: ContactId, OrganizationId } = before;
  const task = await officeTaskChange(
    { store, now },
    {
      OrganizationId,
      ContactId,
      Category: 'Messages',
      Description: `${EmailProblem}. Please ask for another address.`,
    },
  );
  await store.table.commit([...updateContactChanges(store, { before, after: { ...before, EmailProblem }, now }), task]);
}

/**
 * The number is that of the deployment, so the word counts for the contacts of all its accounts with that phone. The
 * answer is that of the first contact's organization, in the contact's language: where the opt-outs of the number
 * are self-managed, AWS answers nobody. It is sent behind the change; one that fails is not repeated.
 */
async function takeText(
  table: PatientTable,
  { from, word }: Extract<Report, { kind: 'text' }>,
  { now, delivery }: { readonly now: Date; readonly delivery: Pick<Delivery, 'sendText'> },
): Promise<void> {
  const phone = normalizePhone(from);
  if (phone === null) return;
  let texted: TextedCompany | undefined;
  for (const account of await listAccountIds(table)) {
    const store = accountStore(table, account);
    const contact = await takeWord(store, { phone, word, now });
    texted ??= contact && (await findTextedCompany(store, contact));
    if (word === 'help' && texted) break;
  }
  await delivery.sendText({ to: from, text: renderAnswer(word, texted), tags: {} });
}

async function findTextedCompany(store: PatientStore, contact: ContactRecord): Promise<TextedCompany | undefined> {
  const [organization, settings] = await Promise.all([
    findOrganization(store, contact.OrganizationId),
    findMessageSettings(store, contact.OrganizationId),
  ]);
  const language = languageFor(contact, settings);
  return organization && { company: toClientCompany(store.account, organization).company, language };
}

const PAGE = 100;

/** Sets or clears DoNotText of an account's contacts with a phone; returns the first of them. */
async function takeWord(
  store: PatientStore,
  { phone, word, now }: { readonly phone: string; readonly word: TextWord; readonly now: Date },
): Promise<ContactRecord | undefined> {
  const isRefused = word === 'stop';
  let first: ContactRecord | undefined;
  for (let skip = 0; ; skip += PAGE) {
    const { records, hasMore } = await searchContacts(store, { phone }, { skip, limit: PAGE }, now);
    first ??= records[0];
    if (word === 'help') return first;
    const changed = records.filter(({ DoNotText }: ContactRecord) => DoNotText !== isRefused);
    for (const before of changed)
      await store.table.commit(
        updateContactChanges(store, { before, after: { ...before, DoNotText: isRefused }, now }),
      );
    if (!hasMore) return first;
  }
}
