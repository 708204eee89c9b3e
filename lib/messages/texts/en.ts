import type { MessageKind } from '../../entities/message-kinds.ts';

/** What a message says: templates with the fields that a company's own texts have. */
export interface KindTexts {
  readonly subject: string;
  /** The paragraphs of the e-mail, in front of its facts and its button. */
  readonly body: string;
  /** The text message. Its letters are those of GSM-7 where the language allows it. */
  readonly text: string;
}

const HELLO = 'Hello{{#if contact.name}} {{contact.name}}{{/if}},\n\n';
const SERVICE = '{{#if visit.service}} ({{visit.service}}){{/if}}';
const STOP = ' Reply STOP to get no more texts.';

/** The texts of the messages in English. */
export const enKinds: Readonly<Record<MessageKind, KindTexts>> = {
  VisitBooked: {
    subject:
      '{{#if series.count}}Your {{series.count}} visits are booked, the first is on {{visit.when}}' +
      '{{else}}Your visit is on {{visit.when}}{{/if}}',
    body:
      `${HELLO}{{#if series.count}}Your visits are booked. The attached file adds them to your calendar.` +
      '{{else}}Your visit is booked. The attached file adds it to your calendar.{{/if}}',
    text:
      '{{company.name}}: {{#if series.count}}your {{series.count}} visits' +
      `${SERVICE} are booked, the first is on {{visit.when}}.` +
      `{{else}}your visit${SERVICE} is on {{visit.when}}.{{/if}} {{visit.link}}`,
  },
  VisitConfirm: {
    subject:
      'Please confirm your {{#if series.count}}{{series.count}} visits, the first is{{else}}visit{{/if}} ' +
      'on {{visit.when}}',
    body:
      `${HELLO}We hold {{#if series.count}}these times{{else}}this time{{/if}} for you. Please confirm your visit` +
      '{{#if series.count}}s{{/if}}' +
      '{{#if visit.heldUntil}} by {{visit.heldUntil}}. After that the time is free again{{/if}}.',
    text:
      '{{company.name}}: please confirm your {{#if series.count}}{{series.count}} visits' +
      `${SERVICE}, the first is{{else}}visit${SERVICE}{{/if}} on {{visit.when}}: {{visit.link}}`,
  },
  VisitMoved: {
    subject:
      '{{#if series.count}}Your {{series.count}} visits are moved, the first to {{visit.when}}' +
      '{{else}}Your visit is moved to {{visit.when}}{{/if}}',
    body:
      `${HELLO}{{#if series.count}}Your visits have new times. The attached file changes them in your calendar.` +
      '{{else}}Your visit has a new time. The attached file changes it in your calendar.{{/if}}',
    text:
      '{{company.name}}: {{#if series.count}}your {{series.count}} visits' +
      `${SERVICE} are moved, the first {{else}}your visit${SERVICE} is moved {{/if}}` +
      '{{#if visit.former}}from {{visit.former}} {{/if}}to {{visit.when}}. {{visit.link}}',
  },
  VisitCanceled: {
    subject:
      '{{#if series.count}}Your {{series.count}} visits are canceled, the first was on ' +
      '{{else}}Your visit is canceled: {{/if}}{{visit.when}}',
    body:
      `${HELLO}{{#if series.count}}Your visits are canceled. The attached file removes them from your calendar.` +
      '{{else}}Your visit is canceled. The attached file removes it from your calendar.{{/if}}',
    text:
      '{{company.name}}: {{#if series.count}}your {{series.count}} visits' +
      `${SERVICE} are canceled, the first was on {{visit.when}}.` +
      `{{else}}your visit${SERVICE} on {{visit.when}} is canceled.{{/if}} {{visit.link}}`,
  },
  Reminder: {
    subject:
      'Reminder: {{#if series.count}}your {{series.count}} visits, the first is{{else}}your visit is{{/if}} ' +
      'on {{visit.when}}',
    body:
      `${HELLO}{{#if visit.tentative}}Your visit waits for your confirmation. Please confirm it` +
      '{{#if visit.heldUntil}} by {{visit.heldUntil}}{{/if}}.{{else}}We look forward to seeing you. ' +
      'If you need another time, tell us on the page of the visit.{{/if}}',
    text:
      '{{company.name}}: {{#if series.count}}your {{series.count}} visits' +
      `${SERVICE}, the first is{{else}}{{#if visit.tentative}}please confirm your visit${SERVICE}` +
      `{{else}}your visit${SERVICE} is{{/if}}{{/if}} on {{visit.when}}. {{visit.link}}`,
  },
  OnTheWay: {
    subject: '{{#if visit.agent}}{{visit.agent}} is{{else}}We are{{/if}} on the way to you',
    body: `${HELLO}{{#if visit.agent}}{{visit.agent}} is{{else}}We are{{/if}} on the way to you.`,
    text:
      '{{company.name}}: {{#if visit.agent}}{{visit.agent}} is{{else}}we are{{/if}} on the way to you. ' +
      'Follow the visit: {{visit.link}}',
  },
  HowWasIt: {
    subject: 'How was your visit on {{visit.date}}?',
    body:
      `${HELLO}Thank you for choosing {{company.name}}. Please tell us how your visit was: it takes a minute` +
      '{{#if visit.tipLink}}, and you can leave a tip{{/if}}.',
    text:
      `{{company.name}}: how was your visit${SERVICE}? ` +
      `{{#if visit.tipLink}}{{visit.tipLink}}{{else}}{{visit.link}}{{/if}}${STOP}`,
  },
  Proposal: {
    subject: 'Your proposal for {{proposal.total}}: {{proposal.title}}',
    body: `${HELLO}Here is our proposal. You can review and sign it online.`,
    text: '{{company.name}}: your proposal for {{proposal.total}} ({{proposal.title}}): {{proposal.link}}',
  },
  ProposalExpiring: {
    subject:
      'Your proposal expires {{#if proposal.expires}}on {{proposal.expires}}{{else}}soon{{/if}}: {{proposal.title}}',
    body:
      `${HELLO}You can sign our proposal ` +
      '{{#if proposal.expires}}until {{proposal.expires}}{{else}}for a few more days{{/if}}. ' +
      'If you have questions, call or write to us.',
    text:
      '{{company.name}}: your proposal for {{proposal.total}} ({{proposal.title}}) expires ' +
      `{{#if proposal.expires}}on {{proposal.expires}}{{else}}soon{{/if}}: {{proposal.link}}${STOP}`,
  },
  ProposalSigned: {
    subject: 'Signed: {{proposal.title}}',
    body: `${HELLO}Thank you. The proposal is signed, and we will contact you about the next steps.`,
    text: '{{company.name}}: thank you for signing ({{proposal.title}}). Your copy: {{proposal.link}}',
  },
  Invoice: {
    subject: 'Invoice {{invoice.number}} for {{invoice.total}}',
    body: `${HELLO}Here is your invoice.`,
    text: '{{company.name}}: invoice {{invoice.number}} for {{invoice.total}}: {{invoice.link}}',
  },
  InvoiceDue: {
    subject:
      'Invoice {{invoice.number}} is due {{#if invoice.due}}on {{invoice.due}}{{else}}soon{{/if}}: {{invoice.balance}}',
    body:
      `${HELLO}{{invoice.balance}} of your invoice is due ` +
      '{{#if invoice.due}}on {{invoice.due}}{{else}}soon{{/if}}. If you have paid already, thank you.',
    text:
      '{{company.name}}: {{invoice.balance}} of invoice {{invoice.number}} is due ' +
      '{{#if invoice.due}}on {{invoice.due}}{{else}}soon{{/if}}. {{invoice.link}}',
  },
  InvoiceOverdue: {
    subject: 'Invoice {{invoice.number}} is overdue: {{invoice.balance}}',
    body:
      `${HELLO}{{invoice.balance}} of your invoice is not paid yet` +
      '{{#if invoice.due}}, and was due on {{invoice.due}}{{/if}}. If you have paid already, thank you. ' +
      'If you have questions, call or write to us.',
    text: '{{company.name}}: {{invoice.balance}} of invoice {{invoice.number}} is overdue. {{invoice.link}}',
  },
  Receipt: {
    subject: 'We received your payment of {{payment.amount}}',
    body: `${HELLO}Thank you. We received your payment.`,
    text:
      '{{company.name}}: thank you, we received your payment of {{payment.amount}}' +
      '{{#if invoice.number}} for invoice {{invoice.number}}{{/if}}. {{invoice.link}}',
  },
  Refund: {
    subject: 'Your refund of {{payment.amount}}',
    body: `${HELLO}We sent you a refund. Your bank may take some days to show it.`,
    text:
      '{{company.name}}: we sent you a refund of {{payment.amount}}' +
      '{{#if invoice.number}} for invoice {{invoice.number}}{{/if}}. {{invoice.link}}',
  },
  CardFailed: {
    subject: 'Your payment of invoice {{invoice.number}} failed',
    body: `${HELLO}Your card or bank refused the payment of this invoice. Please try again, or pay it another way.`,
    text:
      '{{company.name}}: your payment of {{invoice.balance}} for invoice {{invoice.number}} was refused. ' +
      '{{invoice.link}}',
  },
  NewLink: {
    subject: 'Your new link',
    body: `${HELLO}You asked for a new link. Links that you had before may no longer work.`,
    text: '{{company.name}}: here is your new link: {{link.page}}',
  },
  Office: { subject: '{{task.title}}', body: '{{task.text}}', text: '{{company.name}}: {{task.title}}' },
};

/** The answers to words that clients text, behind the name of the company. */
export const enAnswers = {
  stop: 'You get no more texts from us. Reply START to get them again.',
  start: 'You get our texts again. Reply STOP to end them, HELP for help.',
  help: 'We text you about visits, proposals and invoices. Reply STOP to end it. To reach us:',
  reach: 'Please call or e-mail us.',
} as const;

/** What stands around the texts, and on buttons, where the pages have no words for it. */
export const enWords = {
  when: 'When',
  former: 'Before',
  with: 'With',
  due: 'Due',
  method: 'Method',
  signedBy: 'Signed by',
  reviewProposal: 'Review and sign',
  viewProposal: 'View the proposal',
  viewInvoice: 'View the invoice',
  openLink: 'Open the page',
  declined: 'Proposal declined',
  booked: 'Booked by a new client',
} as const;

export type TextAnswers = Readonly<Record<keyof typeof enAnswers, string>>;
export type MessageWords = Readonly<Record<keyof typeof enWords, string>>;
