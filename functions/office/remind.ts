import { randomUUID } from 'node:crypto';
import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { type Reminder, behind, placeOf, remindPage, toReminders } from '../../lib/pages/office/remind-page.ts';
import { chunks } from '../../lib/store/dynamodb/table.ts';
import type { MessagePreview } from '../../lib/resources/messages.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { readText } from '../pages/parameters.ts';
import { mayMessage } from './message.ts';
import { type OfficePage, type UserCall, type UserForm, htmlAnswer, refusalIn } from './office-page.ts';
import { readAll } from './read-all.ts';

/** The most messages of one form, and how many of them are sent side by side. */
const MAX_REMINDERS = 100;
const AT_ONCE = 10;

/** 2,000 open invoices. */
const PAGES = 4;

/** The reminders of one form: those behind a place in the list. */
async function loadReminders(call: UserCall, after: string) {
  const request = { Status: 'Open', IncludeContact: true };
  const query = { operation: 'invoice/query', list: 'Invoices', request };
  const { items, isCut } = await readAll<Invoice>(call, query, PAGES);
  const all = behind(toReminders(items, call.now.getTime()), after);
  const reminders = all.slice(0, MAX_REMINDERS);
  const last = reminders.at(-1);
  return { reminders, isCut, after, next: last && all.length > MAX_REMINDERS ? placeOf(last) : '' };
}

/** The work on the list that an address or a form goes on with. */
const readRun = (asked: URLSearchParams): string => /^[\w-]{36}$/.exec(asked.get('run') ?? '')?.[0] ?? '';
const readPlace = (asked: URLSearchParams): string => readText(asked, 'after', 30);

const requestOf = ({ contactId, invoiceId }: Reminder) => ({
  ContactId: contactId,
  Kind: 'InvoiceOverdue',
  RecordId: invoiceId,
});

async function show(call: UserCall): Promise<OfficeAnswer | undefined> {
  if (!mayMessage(call)) return undefined;
  const loaded = await loadReminders(call, readPlace(call.query));
  const [first] = loaded.reminders;
  const preview =
    first &&
    (await call
      .call<{ Preview: MessagePreview }>({ operation: 'messages/preview', request: requestOf(first) })
      .then(({ Preview }) => Preview)
      .catch(refusalIn));
  const isShown = preview && 'To' in preview;
  const view = { ...loaded, preview: isShown ? preview : undefined, run: readRun(call.query) || randomUUID() };
  return htmlAnswer(remindPage(call.frame('/office/remind'), view));
}

/** Sends a reminder once for each run. Any failure is the reason why this one was not sent. */
async function remind(form: UserForm, reminder: Reminder, run: string) {
  const called = {
    operation: 'messages/send',
    request: requestOf(reminder),
    idempotencyKey: `${run}-${reminder.invoiceId}`,
  };
  try {
    const failure = await form.change(called);
    return { ...reminder, why: failure?.message ?? '' };
  } catch (error) {
    if (error instanceof Failure) return { ...reminder, why: error.message };
    throw error;
  }
}

/** Reminds everybody who owes an invoice of more than 30 days, of the oldest one. */
export const reminders: OfficePage = {
  show,
  async send(form) {
    const run = readRun(form.sent);
    if (form.action !== 'remind' || !run || !mayMessage(form)) return undefined;
    const found = await loadReminders(form, readPlace(form.sent));
    const sent = [];
    for (const some of chunks(found.reminders, AT_ONCE))
      sent.push(...(await Promise.all(some.map((reminder) => remind(form, reminder, run)))));
    return htmlAnswer(remindPage(form.frame('/office/remind'), { ...found, run, sent }));
  },
};
