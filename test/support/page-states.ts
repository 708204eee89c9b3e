import { InvoiceStatus } from '../../lib/entities/invoices.ts';
import { type BookingView, servicePage } from '../../lib/pages/booking-page.ts';
import { bookedPage, detailsPage } from '../../lib/pages/booking-details.ts';
import { timesPage } from '../../lib/pages/booking-month.ts';
import { failurePage } from '../../lib/pages/failed.ts';
import { cardPage } from '../../lib/pages/card.ts';
import { feedbackPage } from '../../lib/pages/feedback.ts';
import { type Company, type Frame, deadPage, paidDeadPage } from '../../lib/pages/frame.ts';
import { type InvoiceView, invoicePage } from '../../lib/pages/invoice.ts';
import { type Language, wordingOf } from '../../lib/pages/language.ts';
import { moveVisitPage } from '../../lib/pages/move-visit.ts';
import { type OverviewView, overviewPage } from '../../lib/pages/overview.ts';
import { preferencesPage } from '../../lib/pages/preferences.ts';
import { type ProposalView, proposalPage } from '../../lib/pages/proposal-page.ts';
import { type VisitView, visitPage } from '../../lib/pages/visit-page.ts';
import { HOUR } from '../../lib/shared/time/time.ts';
import {
  NOW,
  bookingViewOf,
  feedbackViewOf,
  frame as anyFrame,
  invoiceViewOf,
  overviewViewOf,
  proposalViewOf,
  visitViewOf,
} from './page-views.ts';

export const evergreen: Company = {
  name: 'Evergreen Richmond',
  address: 'PO Box 6840, Richmond, VA 23230',
  phone: '(804) 555-0100',
  email: 'richmond@example.com',
  website: '',
  color: '',
  logo: '',
};

type States = Readonly<Record<string, string>>;

const contactName = 'Ana María Díaz';

function proposalStates(frame: Frame, company: Company): States {
  const view: ProposalView = { ...proposalViewOf('Perennials and shrubs'), company, contactName, phoneCheck: 'none' };
  const show = (of: Partial<ProposalView>) => proposalPage(frame, { ...view, ...of });
  const unchosen = { ...view.content, Options: view.content.Options.map((each) => ({ ...each, Selected: false })) };
  const plain = { ...view.content, Options: [], Lines: view.content.Lines.slice(0, 1) };
  const missing = (obstacle: Extract<ProposalView['state'], { kind: 'open' }>['obstacle']) =>
    show({ content: unchosen, state: { kind: 'open', obstacle } });
  const ended = (kind: 'declined' | 'expired', newerLink?: string) => show({ state: { kind, newerLink } });
  const accepted = { kind: 'accepted', by: contactName, byKey: '', at: NOW, evidence: 'f'.repeat(64) } as const;
  const signed = (deposit: { link: string; due: number } | undefined) => show({ state: { ...accepted, deposit } });
  return {
    'proposal with options': show({}),
    'proposal without options': show({ content: plain, family: [], pictures: [] }),
    'proposal with an option to choose': missing({ kind: 'choice' }),
    'proposal with a number of options to choose': missing({ kind: 'options', minimum: 2 }),
    'proposal with a price to reach': missing({ kind: 'subtotal', minimum: 80 }),
    'proposal that cannot be signed': missing({ kind: 'incomplete' }),
    'proposal that asks for digits': show({ phoneCheck: 'asked' }),
    'proposal of a client without a phone': show({ phoneCheck: 'missing' }),
    'proposal accepted': signed(undefined),
    'proposal accepted, deposit due': signed({ link: '/c/invoice/x', due: 20 }),
    'proposal accepted, deposit revoked': signed({ link: '', due: 20 }),
    'proposal accepted, deposit paid': signed({ link: '/c/invoice/x', due: 0 }),
    'proposal accepted by the office': show({ state: { ...accepted, byKey: 'Office', deposit: undefined } }),
    'proposal declined': ended('declined'),
    'proposal declined, with a newer one': ended('declined', '/c/proposal/x'),
    'proposal expired': ended('expired'),
    'proposal replaced': ended('expired', '/c/proposal/x'),
  };
}

function invoiceStates(frame: Frame, company: Company): States {
  const view: InvoiceView = {
    ...invoiceViewOf('Gutters, both sides of the house'),
    company,
    contactName,
    payments: [],
    isOverdue: false,
    phoneCheck: 'none',
  };
  const show = (of: Partial<InvoiceView>, invoice: Partial<InvoiceView['invoice']> = {}) =>
    invoicePage(frame, { ...view, ...of, invoice: { ...view.invoice, ...invoice } });
  const { payments } = invoiceViewOf('Check');
  return {
    'invoice open': show({}),
    'invoice without a due date': show({ dueDate: null }),
    'invoice in test mode': show({ isTest: true }),
    'invoice partly paid': show({ payments }, { Paid: 5, BalanceDue: 101 }),
    'invoice overdue': show({ isOverdue: true }),
    'invoice being paid': show({ canPay: false, isProcessing: true }),
    'invoice paid': show({ isPaid: true, canPay: false, payments }, { Status: InvoiceStatus.Paid, DatePaid: NOW }),
    'invoice of more than can be paid': show({ canPay: false }, { CanAcceptClientPayment: true, BalanceDue: 2e6 }),
    'invoice without payments': show({ canPay: false }),
    'invoice without payments and terms': show({ canPay: false }, { Terms: '' }),
    'invoice that asks for digits': show({ phoneCheck: 'asked' }),
    'invoice of a client without a phone': show({ phoneCheck: 'missing' }),
    'invoice voided while it was paid': paidDeadPage(frame),
  };
}

function visitStates(frame: Frame, company: Company): States {
  const view: VisitView = { ...visitViewOf('Window cleaning'), company, cancel: undefined, moveUntil: undefined };
  const show = (of: Partial<VisitView>) => visitPage(frame, { ...view, ...of });
  const changeable = visitViewOf('Window cleaning');
  return {
    'visit tentative': show({ state: 'tentative', heldUntil: NOW + HOUR }),
    'visit tentative, confirmed by e-mail': show({ state: 'tentative', heldUntil: NOW + HOUR, mayConfirm: false }),
    'visit booked': show({}),
    'visit that may be moved': show({ ...changeable, company }),
    'visit on the way': show({ state: 'onTheWay', arrival: NOW }),
    'visit in progress': show({ state: 'arrived', arrival: NOW }),
    'visit finished': show({ state: 'finished', feedbackLink: '/c/feedback/x' }),
    'visit canceled': show({ state: 'canceled' }),
    'visit canceled, to book again': show({ state: 'canceled', bookAgain: { link: '/c/rebook/x', service: 3 } }),
    'visit without agent and address': show({ agent: '', address: '' }),
    'visit in an arrival window': show({ arrivalThrough: NOW + 2 * HOUR }),
    'times of a visit': moveVisitPage(frame, view, { times: [{ start: NOW }, { start: NOW + HOUR }] }),
    'no times of a visit': moveVisitPage(frame, view, { times: [] }),
  };
}

function contactStates(frame: Frame, company: Company): States {
  const feedback = { ...feedbackViewOf('On time'), company };
  const { tip } = feedback;
  const noTip = { ...tip, isOffered: false, given: 0 };
  const asked = { company, contactName, byEmail: true, byText: false, withOffers: true, language: 'en' } as const;
  const card = { company, contactName, card: undefined, canSave: true, isTest: false };
  const overview: OverviewView = { ...overviewViewOf('Window cleaning'), company, contactName };
  return {
    'feedback with a tip': feedbackPage(frame, feedback),
    'feedback with a tip being paid': feedbackPage(frame, {
      ...feedback,
      tip: { ...tip, isOffered: false, isProcessing: true },
    }),
    'feedback without a tip': feedbackPage(frame, { ...feedback, tip: noTip }),
    'feedback over': feedbackPage(frame, { ...feedback, isOpen: false, tip: noTip }),
    preferences: preferencesPage(frame, asked),
    'no card': cardPage(frame, card),
    'card on file': cardPage(frame, { ...card, card: { kind: 'visa', last4: '4242', expires: '2029-04' } }),
    'card without payments': cardPage(frame, { ...card, canSave: false }),
    'overview of all': overviewPage(frame, overview),
    'overview of nothing': overviewPage(frame, { ...overview, visits: [], proposals: [], invoices: [], papers: [] }),
  };
}

function bookingStates(frame: Frame, company: Company): States {
  const { wording } = frame;
  const view: BookingView = { ...bookingViewOf('Window cleaning'), company, zip: '23220' };
  const carried = { utm_source: 'mail' };
  const time = { start: NOW, agent: { id: 1, name: 'Ted' } };
  const month = { month: '2026-11', previous: undefined, next: '2026-12', searchOn: undefined };
  const free = { ...month, times: [time, { start: NOW + HOUR }] };
  const service = (of: Partial<BookingView>, more: object = {}) =>
    servicePage(frame, { ...view, service: undefined, zip: '', ...of }, { carried, ...more });
  const times = (found: Parameters<typeof timesPage>[2]['found'], of: Partial<BookingView> = {}) =>
    timesPage(frame, { ...view, ...of }, { found, day: undefined, carried, mark: 'mark' });
  const details = (more: object = {}, of: Partial<BookingView> = {}) =>
    detailsPage(frame, { ...view, ...of }, { slot: time, carried, mark: 'mark', ...more });
  const required = wording.text('required');
  const bad = (title: string, text = '') => ({ notice: { kind: 'bad', title, text } });
  const enough = bad(wording.text('enoughTitle'), wording.text('enoughText'));
  const elsewhere = bad(wording.text('elsewhereTitle', { zip: '22903' }), wording.text('elsewhereText', { name: 'C' }));
  const booked = { ...visitViewOf('Window cleaning'), company, time };
  return {
    'booking off': service({ isOpen: false }),
    'booking without services': service({ services: [] }),
    'booking begun': service({}),
    'booking without postal code': service({}, { errors: { service: required, zip: required } }),
    'booking in the area of another location': service({}, elsewhere),
    'booking by a client': service({ isClient: true, hasZip: true }),
    'booking of a month with times': times(free),
    'booking of a full month': times({ ...month, times: [] }),
    'booking with nothing free ahead': times({ ...month, times: [], next: undefined }),
    'booking of a search that goes on': times({ ...month, times: [], searchOn: '2026-11-20' }),
    'booking details': details(),
    'booking details of a client': details({}, { isClient: true, hasZip: true }),
    'booking details that are wrong': details({ errors: { name: required, email: wording.text('badEmail') } }),
    'booking of a time that was taken': details({ slot: undefined, times: free.times }),
    'booking at the limit': details(enough),
    'booking held': bookedPage(frame, view, { ...booked, heldUntil: NOW + HOUR }),
    'booking held, confirmed by a call': bookedPage(frame, view, { ...booked, heldUntil: NOW + HOUR, isMailed: false }),
    'booking done': bookedPage(frame, view, { ...booked, heldUntil: null }),
  };
}

function failedStates(frame: Frame): States {
  const form = { isForm: true, sent: new URLSearchParams({ action: 'accept', name: contactName }) };
  const opened = { isForm: false, sent: undefined };
  return {
    'link of nobody': deadPage(frame),
    'link over': deadPage(frame, { mayAsk: true }),
    'link over, asked': deadPage(frame, {
      mayAsk: false,
      notice: { kind: 'good', title: frame.wording.text('requestSent') },
    }),
    'page that fails': failurePage(frame, 'busy', opened),
    'form that fails': failurePage(frame, 'busy', form),
    'too many calls': failurePage(frame, 'tooMany', opened),
    'too many forms': failurePage(frame, 'tooMany', form),
    'form that is too large': failurePage(frame, 'tooLarge', { ...form, sent: undefined }),
  };
}

/** Every state of every page: what a client may find behind a link. */
export function pageStates(language: Language, company: Company): States {
  const frame: Frame = { ...anyFrame, wording: wordingOf(language, 'US') };
  return {
    ...proposalStates(frame, company),
    ...invoiceStates(frame, company),
    ...visitStates(frame, company),
    ...bookingStates(frame, company),
    ...contactStates(frame, company),
    ...failedStates(frame),
  };
}
