import { blankLine } from '../../lib/domain/invoices/record.ts';
import { type PaymentRecord, paymentEntity } from '../../lib/entities/payments.ts';
import { type BookingView, type OfferedService, servicePage } from '../../lib/pages/booking-page.ts';
import { bookedPage, detailsPage } from '../../lib/pages/booking-details.ts';
import { outsidePage } from '../../lib/pages/booking-outside.ts';
import { timesPage } from '../../lib/pages/booking-month.ts';
import { cardPage } from '../../lib/pages/card.ts';
import { type FeedbackView, feedbackPage } from '../../lib/pages/feedback.ts';
import { type Company, type Frame, deadPage } from '../../lib/pages/frame.ts';
import { type InvoiceView, invoicePage } from '../../lib/pages/invoice.ts';
import { wordingOf } from '../../lib/pages/language.ts';
import { type OverviewView, overviewPage } from '../../lib/pages/overview.ts';
import { preferencesPage } from '../../lib/pages/preferences.ts';
import { type ProposalView, proposalPage } from '../../lib/pages/proposal-page.ts';
import { moveVisitPage } from '../../lib/pages/move-visit.ts';
import { type VisitView, visitPage } from '../../lib/pages/visit-page.ts';
import { invoiceOver } from './invoices.ts';

export const NOW = Date.UTC(2026, 10, 23, 15);
const zone = 'America/New_York';

const blankPayment = (of: Pick<PaymentRecord, 'Id' | 'InvoiceId' | 'Amount' | 'Method'>): PaymentRecord =>
  paymentEntity.blank({
    OrganizationId: 1,
    ContactId: 1,
    InvoiceNumber: '',
    Reference: '',
    TransactionId: '',
    Date: NOW,
    Created: NOW,
    Updated: NOW,
    V: 1,
    ...of,
  });

export const frame: Frame = {
  wording: wordingOf('en', 'US'),
  path: '/c/proposal/a-1-0-0-x',
  assets: { style: '/c/assets/style.css', script: '/c/assets/script.js' },
  token: 'token',
  preferencesLink: 'https://api.example.com/c/preferences/x',
  overviewLink: 'https://api.example.com/c/overview/x',
};

/** A company whose texts are all the same. */
const companyOf = (text: string): Company => ({
  name: text,
  address: text,
  phone: text,
  email: text,
  website: 'https://www.example.com',
  color: '#2e7d32',
  logo: '/c/logo/a-1-0123456789abcdef.png',
});

export const invoiceViewOf = (text: string): InvoiceView => ({
  company: companyOf(text),
  contactName: text,
  contactAddress: text,
  invoice: invoiceOver(100, {
    Id: 1,
    CustomerNotes: text,
    Terms: text,
    RateName: text,
    TaxRate: 6,
    Lines: [blankLine({ Id: 1, Description: text, Rate: 50, Qty: 2, Taxable: true })],
  }),
  payments: [blankPayment({ Id: 1, InvoiceId: 1, Amount: 5, Method: text })],
  isPaid: false,
  dueDate: '2026-03-17',
  isOverdue: true,
  canPay: true,
  phoneCheck: 'asked',
  isProcessing: false,
  isTest: false,
});

export const proposalViewOf = (text: string): ProposalView =>
  ({
    company: companyOf(text),
    contactName: text,
    content: {
      Id: 1,
      OrganizationId: 1,
      ContactId: 1,
      Date: '2026-11-23',
      Title: text,
      ServiceName: text,
      Description: text,
      CustomerNotes: text,
      ChangeOrderForProposalId: null,
      Quantity: 1,
      BasePrice: 10,
      UnitPrice: 0,
      Options: [
        { Id: 1, Name: text, Selected: true },
        { Id: 2, Name: text, Selected: false },
      ],
      Lines: [
        {
          Id: 1,
          Name: text,
          LineDescription: '',
          Notes: text,
          OptionId: null,
          AssemblyLineId: null,
          Quantity: 1,
          ExtendedTotal: 9,
        },
        {
          Id: 2,
          Name: '',
          LineDescription: text,
          Notes: text,
          OptionId: 1,
          AssemblyLineId: null,
          Quantity: 1,
          ExtendedTotal: 9,
        },
      ],
      TaxRate: { Name: text, Percent: 6 },
      Subtotal: 19,
      Tax: 1,
      Total: 20,
      Deposit: 5,
      DepositRate: 25,
    },
    shown: 'hash',
    choice: 'one',
    phoneCheck: 'asked',
    describedLines: new Set([1]),
    optionTotals: new Map([[1, 20]]),
    visits: Array.from({ length: 14 }, (_, day) => `2026-03-${day + 10}`),
    zone,
    expiresAt: NOW,
    state: { kind: 'open' },
    family: [
      {
        content: { Title: text, ServiceName: text, ChangeOrderForProposalId: null },
        isParent: false,
        status: 'open',
        link: 'https://api.example.com/c/proposal/x',
      },
    ],
    pictures: [
      { id: 1, note: text, filename: text, width: 40, height: 30, isLarge: false },
      { id: 2, note: `${text}!`, filename: text, width: 40, height: 30, isLarge: false },
      { id: 3, note: '', filename: text, width: 40, height: 30, isLarge: true },
    ],
  }) as unknown as ProposalView;

export const visitViewOf = (text: string): VisitView => ({
  company: companyOf(text),
  state: 'booked',
  mayConfirm: true,
  heldUntil: null,
  isMailed: true,
  start: NOW,
  duration: 60,
  arrivalThrough: null,
  zone,
  service: text,
  agent: text,
  address: text,
  place: text,
  arrival: null,
  cancel: { until: NOW, reasons: [{ en: text, es: text }] },
  moveUntil: NOW,
  version: 1,
  changed: NOW,
  link: 'https://api.example.com/c/visit/x',
  bookAgain: undefined,
  feedbackLink: '',
});

export const feedbackViewOf = (note: string): FeedbackView => ({
  company: companyOf(note),
  service: note,
  start: NOW,
  zone,
  score: 9,
  note,
  contactMe: true,
  isOpen: true,
  tip: { isOffered: true, choices: [{ percent: 15, amount: 9 }], given: 5, isProcessing: false, isTest: false },
});

const offeredOf = (text: string): OfferedService => ({
  Id: 1,
  Name: text,
  Description: text,
  price: { amount: 50, isFixed: false },
  minutes: 90,
});

export const bookingViewOf = (text: string): BookingView => ({
  company: companyOf(text),
  zone,
  isOpen: true,
  services: [offeredOf(text)],
  service: offeredOf(text),
  zip: text,
  isZip: true,
  isClient: false,
  hasZip: false,
});

export function overviewViewOf(text: string): OverviewView {
  const link = 'https://api.example.com/c/invoice/x';
  const titled = { Title: text, ServiceName: text, ChangeOrderForProposalId: null };
  return {
    company: companyOf(text),
    contactName: text,
    zone,
    credit: 20,
    visits: [{ link, start: NOW, duration: 60, arrivalThrough: null, service: text, state: 'booked' }],
    proposals: [{ link, title: titled, total: 20, zone, expiresAt: NOW }],
    invoices: [{ link, number: text, balance: 20, dueDate: '2026-03-17', isOverdue: true }],
    papers: [
      { link, of: { invoice: text }, at: NOW, zone, total: 20 },
      { link, of: { proposal: titled }, at: NOW, zone, total: 20 },
    ],
    preferences: link,
    booking: link,
    card: link,
  };
}

/** Every page with a text wherever a person's can stand. */
export function pagesWith(text: string): Readonly<Record<string, string>> {
  const booking = bookingViewOf(text);
  const carried = { utm_source: text };
  const time = { start: NOW, agent: { id: 1, name: text } };
  const found = { month: '2026-11', times: [time], previous: '2026-10', next: '2026-12', searchOn: '2026-11-28' };
  const proposal = proposalViewOf(text);
  const accepted = { kind: 'accepted', by: text, byKey: text, at: NOW, evidence: 'hash', deposit: undefined } as const;
  const values = {
    name: text,
    email: text,
    phone: text,
    address: text,
    address2: text,
    city: text,
    state: text,
    note: text,
  };
  return {
    invoice: invoicePage(frame, invoiceViewOf(text)),
    proposal: proposalPage(frame, proposal, { refused: { values: { name: text, reason: text }, errors: {} } }),
    accepted: proposalPage(frame, { ...proposal, state: accepted }),
    visit: visitPage(frame, visitViewOf(text)),
    move: moveVisitPage(frame, visitViewOf(text), { times: [{ start: NOW }] }),
    feedback: feedbackPage(frame, feedbackViewOf(text)),
    preferences: preferencesPage(frame, {
      company: companyOf(text),
      contactName: text,
      byEmail: false,
      byText: true,
      withOffers: true,
      language: 'es',
    }),
    service: servicePage(frame, booking, { carried }),
    times: timesPage(frame, booking, { found, day: undefined, carried, mark: 'mark' }),
    outside: outsidePage(frame, booking, { cause: 'unserved', values, carried, mark: 'mark' }),
    details: detailsPage(frame, booking, { slot: time, values, carried, mark: 'mark' }),
    booked: bookedPage(frame, booking, { ...visitViewOf(text), time, heldUntil: NOW }),
    card: cardPage(frame, {
      company: companyOf(text),
      contactName: text,
      card: { kind: text, last4: text, expires: text },
      canSave: true,
      isTest: false,
    }),
    overview: overviewPage(frame, overviewViewOf(text)),
    dead: deadPage(frame, { mayAsk: true, values: { from: text, message: text } }),
  };
}
