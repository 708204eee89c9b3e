import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import type { Appointment } from '../../lib/entities/appointments.ts';
import type { Contact } from '../../lib/entities/contacts.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import type { ContactMessage } from '../../lib/entities/messages.ts';
import type { Proposal } from '../../lib/entities/proposals.ts';
import type { Task } from '../../lib/entities/tasks.ts';
import { INVOICE_LINES, PAYMENT_METHODS } from '../../lib/pages/office/client-forms.ts';
import { clientPage } from '../../lib/pages/office/client-page.ts';
import { MAX_TAKE } from '../../lib/resources/queries.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import { readDate, readId, readText } from '../pages/parameters.ts';
import { findUserName, loadCompany } from './company.ts';
import { mayMessage } from './message.ts';
import {
  type FormChange,
  type OfficePage,
  type UserCall,
  type UserForm,
  htmlAnswer,
  formNotice,
  sendChange,
  seeOther,
} from './office-page.ts';

const TAKE = 20;

const done = {
  noted: 'isNoted',
  paid: 'isPaid',
  added: 'isAdded',
  completed: 'isCompleted',
  booked: 'isBooked',
  proposed: 'isProposed',
  billed: 'isBilled',
  sent: 'isSent',
  merged: 'isMerged',
} as const;

/** Everything about a client, in one round of calls. */
async function loadClient({ call, mayCall, ...user }: UserCall, id: number) {
  const list = async <Item>(operation: string, field: string, request: object): Promise<readonly Item[]> => {
    if (!mayCall(operation)) return [];
    const answer = await call<Readonly<Record<string, readonly Item[]>>>({ operation, request });
    return answer[field] ?? [];
  };
  const [company, { contact, ownerName }, tags, visits, invoices, proposals, tasks, messages] = await Promise.all([
    loadCompany(user),
    list<Contact>('contacts/locate', 'Matches', { IdSearch: id }).then(async ([contact]) => ({
      contact,
      ownerName: await findUserName(user, contact?.OwnerUserId ?? null),
    })),
    list<{ readonly Name: string }>('contacts/listtags', 'TagList', { ContactId: id }),
    list<Appointment>('appointments/query', 'Appointments', { ContactId: id, Take: MAX_TAKE }),
    list<Invoice>('invoice/query', 'Invoices', { ContactId: id, Status: 'Open' }),
    list<Proposal>('proposal/query', 'Proposals', { ContactId: id, Scope: 'open', Take: TAKE }),
    list<Task>('task/query', 'Tasks', { ContactId: id, Take: TAKE }),
    list<ContactMessage>('contacts/messages', 'Messages', { ContactId: id, Take: TAKE }),
  ]);
  return { company, contact, ownerName, tags, visits, invoices, proposals, tasks, messages };
}

async function show(call: UserCall, failure?: Failure): Promise<OfficeAnswer | undefined> {
  const { id, now, mayCall } = call;
  if (id === undefined) return undefined;
  const { company, contact, ownerName, tags, ...lists } = await loadClient(call, id);
  if (!contact) return undefined;
  // A merged contact opens as the one that is kept.
  if (contact.Id !== id) return seeOther(`/office/client/${contact.Id}`);
  const view = {
    contact,
    tags: tags.map(({ Name }) => Name),
    zone: company.Timezone,
    now: now.getTime(),
    ...lists,
    ownerName,
    may: {
      note: mayCall('contacts/addnote'),
      book: mayCall('appointments/book'),
      pay: mayCall('payment/import'),
      task: mayCall('task/create'),
      invoice: mayCall('invoice/import'),
      propose: mayCall('proposal/create'),
      message: mayMessage(call),
      merge: mayCall('contacts/merge'),
    },
  };
  const notice = formNotice(call, failure, done);
  return htmlAnswer(clientPage(call.frame(`/office/client/${id}`), view, [notice]), failure?.status ?? 200);
}

function changeOf({ id, sent, action }: UserForm): FormChange | undefined {
  const ContactId = id;
  switch (action) {
    case 'note': {
      const Body = readText(sent, 'body', 4000);
      const Chars = JSON.stringify({ ContactId, Direction: 'Inbound', Note: Body });
      const called = sent.has('call')
        ? { operation: 'contacts/logcall', request: { Length: 0, Chars } }
        : { operation: 'contacts/addnote', request: { ContactId, Note: { Body } } };
      return { called, done: 'noted' };
    }
    case 'task': {
      const request = {
        ContactId,
        Description: readText(sent, 'description', 500),
        Due: readDate(sent, 'due') ?? null,
      };
      return { called: { operation: 'task/create', request }, done: 'added' };
    }
    case 'complete':
      return {
        called: { operation: 'task/complete', request: { TaskId: readId(sent.get('task')) } },
        done: 'completed',
      };
    case 'pay': {
      const Method = PAYMENT_METHODS.find((method) => method === sent.get('method'));
      const InvoiceId = readId(sent.get('invoice'));
      const payment = { ...(InvoiceId ? { InvoiceId } : { ContactId }), Amount: readText(sent, 'amount', 20), Method };
      return { called: { operation: 'payment/import', request: { Payment: payment } }, done: 'paid' };
    }
    case 'invoice':
      return {
        called: { operation: 'invoice/import', request: { Invoice: toInvoice(sent, ContactId) } },
        done: 'billed',
      };
    default:
      return undefined;
  }
}

/** The invoice that the form describes. Every line is taxed if there is a tax. */
function toInvoice(sent: URLSearchParams, ContactId: number | undefined) {
  const TaxRate = readText(sent, 'tax', 20).trim();
  const Lines = INVOICE_LINES.map((number) => ({
    Description: readText(sent, `what${number}`, 500),
    Qty: readText(sent, `quantity${number}`, 20).trim() || '1',
    Rate: readText(sent, `rate${number}`, 20).trim(),
    Taxable: TaxRate !== '',
  })).filter(({ Description, Rate }) => Description.trim() || Rate);
  return { ContactId, Lines, ...(TaxRate ? { TaxRate } : {}) };
}

/** A client's file. */
export const client: OfficePage = {
  show: (call) => show(call),
  send: async (form) =>
    form.id === undefined ? undefined : sendChange(form, `client/${form.id}`, changeOf(form), show),
};
