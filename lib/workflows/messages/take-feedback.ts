import type { Delivery } from '../../delivery/delivery.ts';
import {
  type MessageReport,
  type Report,
  type TextWord,
  emailProblem,
  parseReport,
} from '../../domain/messages/reports.ts';
import type { ContactRecord } from '../../entities/contacts.ts';
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

/** Sent to who writes a word, where the number's opt-outs are ours: AWS then answers nobody. */
const ANSWERS: Readonly<Record<TextWord, string>> = {
  stop: 'You get no more texts from us. Reply START to get them again.',
  start: 'You get our texts again. Reply STOP to end them, HELP for help.',
  help:
    'We text you about your visits, proposals and invoices. Reply STOP to end it. To reach us, please call or ' +
    'e-mail us.',
};

/**
 * The number is that of the deployment, so the word counts for the contacts of all its accounts with that phone. The
 * answer is sent behind the change; one that fails is not repeated.
 */
async function takeText(
  table: PatientTable,
  { from, word }: Extract<Report, { kind: 'text' }>,
  { now, delivery }: { readonly now: Date; readonly delivery: Pick<Delivery, 'sendText'> },
): Promise<void> {
  const phone = normalizePhone(from);
  if (phone === null) return;
  if (word !== 'help')
    for (const account of await listAccountIds(table))
      await writeDoNotText(accountStore(table, account), { phone, isRefused: word === 'stop', now });
  await delivery.sendText({ to: from, text: ANSWERS[word], tags: {} });
}

const PAGE = 100;

async function writeDoNotText(
  store: PatientStore,
  { phone, isRefused, now }: { readonly phone: string; readonly isRefused: boolean; readonly now: Date },
): Promise<void> {
  for (let skip = 0; ; skip += PAGE) {
    const { records, hasMore } = await searchContacts(store, { phone }, { skip, limit: PAGE }, now);
    const changed = records.filter(({ DoNotText }: ContactRecord) => DoNotText !== isRefused);
    for (const before of changed)
      await store.table.commit(
        updateContactChanges(store, { before, after: { ...before, DoNotText: isRefused }, now }),
      );
    if (!hasMore) return;
  }
}
