import { Appointment } from '../../lib/entities/appointments.ts';
import { Contact } from '../../lib/entities/contacts.ts';
import { ContactDocument } from '../../lib/entities/contact-parts.ts';
import { MonthFigures } from '../../lib/entities/figures.ts';
import { Invoice } from '../../lib/entities/invoices.ts';
import { ContactMessage } from '../../lib/entities/messages.ts';
import { Payment } from '../../lib/entities/payments.ts';
import { Proposal } from '../../lib/entities/proposals.ts';
import { Task } from '../../lib/entities/tasks.ts';
import { Status } from '../../lib/domain/appointments/record.ts';
import { bookPage } from '../../lib/pages/office/book-page.ts';
import { clientPage } from '../../lib/pages/office/client-page.ts';
import { clientsPage } from '../../lib/pages/office/clients-page.ts';
import { toDay, toVisit } from '../../lib/pages/office/day.ts';
import { dayPlanPage } from '../../lib/pages/office/dayplan-page.ts';
import { failurePage } from '../../lib/pages/office/failure-page.ts';
import type { OfficeFrame } from '../../lib/pages/office/frame.ts';
import { toFreeTime } from '../../lib/pages/office/free-times.ts';
import { mergePage } from '../../lib/pages/office/merge-page.ts';
import { messageChoices } from '../../lib/pages/office/message-choices.ts';
import { messagePage } from '../../lib/pages/office/message-page.ts';
import { moneyPage } from '../../lib/pages/office/money-page.ts';
import { numbersPage } from '../../lib/pages/office/numbers-page.ts';
import { movePage } from '../../lib/pages/office/move-page.ts';
import { paymentsPage } from '../../lib/pages/office/payments-page.ts';
import { proposePage } from '../../lib/pages/office/propose-page.ts';
import { remindPage } from '../../lib/pages/office/remind-page.ts';
import { signInPage, signedOutPage } from '../../lib/pages/office/sign-in-page.ts';
import { switchPage } from '../../lib/pages/office/switch-page.ts';
import { tasksPage } from '../../lib/pages/office/tasks-page.ts';
import { todayPage } from '../../lib/pages/office/today-page.ts';
import { officeVisitPage } from '../../lib/pages/office/visit-page.ts';
import { weekPage } from '../../lib/pages/office/week-page.ts';
import { officeWording } from '../../lib/pages/office/wording.ts';
import { type DayPlanAnswer, PlannedAgent, PlannedVisit, WaitingVisit } from '../../lib/resources/day-plans.ts';
import { DuplicatePair, PairedContact } from '../../lib/resources/duplicates.ts';
import { MessagePreview } from '../../lib/resources/messages.ts';
import { WebhookCall } from '../../lib/resources/webhooks.ts';
import { type Output, type Resource, emptyOf } from '../../lib/resources/fields.ts';

const zone = 'America/New_York';
const AT = '2026-11-23T15:00:00Z';
const NOW = Date.parse(AT);

/** Texts that the table has only from us: addresses, moments, amounts and words of a list. */
const OURS = /(Url|Date|DateTime|From|Through|Start|Finish|At|Due|Created|Updated|Status|State|Channel|Kind|Currency)$/;

/** A resource whose texts are all the same, but for ours. */
function filled<Of extends Resource>(of: Of, text: string, fields: Partial<Output<Of>>): Output<Of> {
  const texts = Object.entries(emptyOf(of) as object).map(([name, value]) => [
    name,
    value === '' && !OURS.test(name) ? text : value,
  ]);
  return { ...(Object.fromEntries(texts) as Output<Of>), ...fields };
}

/** Every page of the office, on which each text of a person is `text`. */
export function officePagesWith(text: string): Readonly<Record<string, string>> {
  const wording = officeWording('en', 'US');
  const frame: OfficeFrame = {
    wording,
    path: '/office/x',
    address: `/office/x?${new URLSearchParams({ q: text })}`,
    token: 'token',
    submission: 'submission',
    userName: text,
    hasNumbers: true,
  };
  const notices = [{ kind: 'bad', title: wording.say('refused'), text }] as const;
  const file = filled(ContactDocument, text, { Id: 2, CreatedAt: AT });
  const contact = filled(Contact, text, {
    Id: 7,
    Notes: [{ Title: text, Body: text }] as unknown as Contact['Notes'],
    ContactDocuments: [file],
  });
  const visitOf = (status: Status, more: Partial<Appointment> = {}) =>
    filled(Appointment, text, {
      AppointmentId: 5,
      ContactId: 7,
      ServiceAgentId: 1,
      DateTime: AT,
      Duration: 60,
      Total: 50,
      Status: status,
      SeriesId: 5,
      DriveTimeMinutes: 12,
      AdditionalServiceAgents: [],
      Contact: contact,
      ...more,
    });
  const visits = [Status.Scheduled, Status.Tentative, Status.Started, Status.Completed, Status.Queued, Status.Canceled];
  const appointments = visits.map((status) => visitOf(status));
  const agents = [{ Id: 1, Name: text }];
  const day = toDay(appointments.map(toVisit), agents);
  const dates = { date: '2026-11-23', today: '2026-11-22', previous: '2026-11-22', next: '2026-11-24' };
  const planned = filled(PlannedVisit, text, {
    AppointmentId: 5,
    DateTime: AT,
    ArrivalFrom: AT,
    ArrivalThrough: AT,
    DriveMinutes: 12,
    IsMoved: true,
  });
  const dayPlan: DayPlanAnswer = {
    OrganizationId: 1,
    Date: dates.date,
    DriveMinutesBefore: 40,
    DriveMinutesAfter: 20,
    Agents: [filled(PlannedAgent, text, { Before: [planned], After: [planned] })],
    Waiting: [filled(WaitingVisit, text, { AppointmentId: 6, QueueDate: dates.date })],
    Moves: 1,
    IsApplied: false,
    Revision: 'p1',
    Undo: '',
    Message: 'Drive times are estimates.',
  };
  const task = filled(Task, text, { Id: 3, ContactId: 7, Due: AT });
  const pair = filled(DuplicatePair, text, {
    Contact: filled(PairedContact, text, { Id: 7 }),
    Duplicate: filled(PairedContact, text, { Id: 8 }),
  });
  const invoice = filled(Invoice, text, { Id: 9, ContactId: 7, Date: AT, BalanceDue: 40, Contact: contact });
  const proposal = filled(Proposal, text, { Id: 4, Subtotal: 10, ClientUrl: 'https://api.example.com/c/proposal/x' });
  const message = filled(ContactMessage, text, { Due: AT });
  const preview = filled(MessagePreview, text, { Channel: 'Email', Suppressed: '' });
  const records = { visits: appointments, proposals: [proposal], invoices: [invoice] };
  const choices = messageChoices(wording, records, { zone, now: NOW });
  const quote = {
    ...proposal,
    ProposalLines: [{ Part: { Name: text }, Quantity: 2, ProposalOption: { Name: text } }],
  } as unknown as Proposal;
  const search = { contact, asked: text, hasMore: true };
  const reminder = { contactId: 7, invoiceId: 9, at: 0, name: text };
  const remindView = { reminders: [reminder], after: text, next: text, isCut: true, run: text };
  const payment = { ...filled(Payment, text, { Amount: 5 }), Method: text } as Payment;
  const works = { id: 1, role: 'Office', organization: text } as const;
  const times = [toFreeTime(visitOf(Status.Scheduled))];
  const visitView = {
    appointment: visitOf(Status.Scheduled),
    notes: text,
    zone,
    mayChange: true,
    mayPlan: true,
    cancelReasons: [{ Id: 1, Reason: text }],
  };
  const move = { from: '2026-11-23', agentId: 1, agents, times, why: text };
  const services = [{ Id: 1, Name: text }];
  const figures = filled(MonthFigures, text, {
    Month: '2026-11',
    CountedAt: AT,
    Revenue: 1200,
    Proposals: 4,
    AcceptedProposals: 3,
    Leads: 9,
    LeadsByChannel: [...'abcdefg'].map((letter) => ({ Channel: `${letter}${text}`, Leads: 1 })),
  });
  return {
    today: todayPage(frame, { ...dates, zone, day, isCut: true, mayMove: true, mayPlan: true }, notices),
    'day plan': dayPlanPage(frame, { ...dates, zone, chosen: new Set(['queue']), plan: dayPlan, undo: 'p1' }, notices),
    week: weekPage(frame, {
      days: [{ date: dates.date, day }],
      previous: dates.previous,
      next: dates.next,
      isCut: false,
    }),
    visit: officeVisitPage(frame, visitView, notices),
    move: officeVisitPage(frame, { ...visitView, search: move }, notices),
    'move by drag': movePage(frame, {
      appointment: visitOf(Status.Scheduled),
      date: dates.date,
      zone,
      client: text,
      before: { start: NOW, end: NOW, window: null, agent: text },
      after: { start: NOW, end: NOW, window: { from: NOW, through: NOW }, agent: text },
      value: text,
    }),
    'no times': officeVisitPage(frame, { ...visitView, search: { ...move, times: [] } }, notices),
    clients: clientsPage(frame, { asked: text, found: [contact], invoices: [invoice], hasMore: true }),
    'no client': clientsPage(frame, { asked: text, found: [], hasMore: false }),
    client: clientPage(
      frame,
      {
        contact,
        tags: [text],
        zone,
        now: NOW,
        visits: appointments,
        invoices: [invoice],
        proposals: [proposal],
        tasks: [task],
        messages: [message],
        ownerName: text,
        may: {
          note: true,
          book: true,
          pay: true,
          task: true,
          invoice: true,
          propose: true,
          message: true,
          merge: true,
        },
      },
      notices,
    ),
    book: bookPage(
      frame,
      {
        contact,
        zone,
        services,
        wanted: { serviceId: 1, quantity: text, from: '2026-11-23' },
        found: { times, why: text, price: 50 },
      },
      notices,
    ),
    money: moneyPage(frame, {
      now: NOW,
      zone,
      invoices: [invoice],
      isCut: true,
      creditors: [{ ...contact, CreditBalance: 12.5 }],
      hasMoreCreditors: true,
      mayRemind: true,
    }),
    tasks: tasksPage(
      frame,
      {
        zone,
        now: NOW,
        tasks: [task],
        count: 2,
        tentative: [visitOf(Status.Tentative)],
        pairs: [pair],
        leads: [contact],
        bounced: [contact],
        hasMoreBounced: true,
        failedCalls: [filled(WebhookCall, text, { At: AT })],
        mayComplete: true,
        mayMerge: true,
      },
      notices,
    ),
    propose: proposePage(
      frame,
      { contact, templates: [{ Id: 1, Name: text }], templateId: 1, quote, optionTotals: text },
      notices,
    ),
    message: messagePage(frame, { contact, choices, chosen: text, channel: text, preview }, notices),
    'message that is not sent': messagePage(frame, {
      contact,
      choices,
      chosen: text,
      channel: '',
      preview: { ...preview, Suppressed: text },
    }),
    merge: mergePage(frame, { ...search, pairs: [pair], found: [contact] }, notices),
    'nobody to merge': mergePage(frame, { ...search, pairs: [], found: [] }),
    remind: remindPage(frame, { ...remindView, preview }),
    reminded: remindPage(frame, { ...remindView, sent: [{ ...reminder, why: text }] }),
    payments: paymentsPage(
      frame,
      { from: '2026-11-01', through: '2026-11-23', payments: [payment], isCut: true },
      notices,
    ),
    numbers: numbersPage(frame, { zone, months: ['2026-10', '2026-11'], figures: [figures] }),
    'no numbers': numbersPage(frame, { zone, months: ['2026-11'], figures: [] }),
    switch: switchPage(frame, { current: works, others: [{ ...works, id: 2 }] }),
    'signed out': signedOutPage(wording, 'https://sign-in.example.com/logout'),
    'sign-in': signInPage(wording, 'unknown'),
    failure: failurePage(wording, { status: 409, message: text }),
  };
}
