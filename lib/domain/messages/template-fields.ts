import { type MessageKind, type MessageNoun, declarationOf } from '../../entities/message-kinds.ts';

/** The named fields of a company's own texts, and what each says. Every field may be empty. */
const common = {
  'company.name': 'The name of the company.',
  'company.phone': 'Its phone number.',
  'company.email': 'Its e-mail address.',
  'company.website': 'Its website.',
  'company.address': 'Its address.',
  'contact.name': 'The name of the client.',
} as const;

const visit = {
  'visit.when': 'The day and time of the visit: `Tue, March 9, 8–10 AM`. In messages about several: of the first.',
  'visit.date': 'Its day: `Tuesday, March 9`.',
  'visit.time': 'When it begins, or its arrival window: `8–10 AM`.',
  'visit.former': 'The day and time before the visit was moved; empty if it was not moved.',
  'visit.heldUntil': 'Until when a tentative visit can be confirmed.',
  'visit.tentative': 'That it waits for a confirmation; empty if it does not.',
  'visit.service': 'The service.',
  'visit.agent': 'The first name of who comes.',
  'visit.address': 'Where it is.',
  'visit.link': 'The page of the visit.',
  'visit.tipLink': 'The page on which the visit is rated and tipped.',
  'series.count': 'How many visits the message is about; empty if it is one.',
} as const;

const proposal = {
  'proposal.title': 'The title of the proposal.',
  'proposal.total': 'Its total.',
  'proposal.expires': 'The last day on which it can be signed.',
  'proposal.signedBy': 'Who signed it.',
  'proposal.link': 'Its page.',
} as const;

const invoice = {
  'invoice.number': 'The number of the invoice.',
  'invoice.total': 'Its total.',
  'invoice.balance': 'What is not paid.',
  'invoice.due': 'The day on which it is due.',
  'invoice.link': 'Its page.',
} as const;

const payment = {
  'payment.amount': 'The amount of the payment or refund.',
  'payment.method': 'How it was paid.',
  'payment.date': 'The day of the payment.',
  ...invoice,
} as const;

const task = { 'task.title': 'What happened.', 'task.text': 'The text of the task.' } as const;
const contact = { 'link.page': 'The page that the link opens.' } as const;

type NamesOf<Fields> = Extract<keyof Fields, string>;
export type TemplateField =
  | NamesOf<typeof common>
  | NamesOf<typeof visit>
  | NamesOf<typeof proposal>
  | NamesOf<typeof payment>
  | NamesOf<typeof task>
  | NamesOf<typeof contact>;

const byNoun: Readonly<Record<MessageNoun, Readonly<Partial<Record<TemplateField, string>>>>> = {
  Appointment: visit,
  Proposal: proposal,
  Invoice: invoice,
  Payment: payment,
  Task: task,
  Contact: contact,
};

/** The fields that a text of a kind can have, with what they say. */
export const fieldsOf = (kind: MessageKind): ReadonlyMap<string, string> =>
  new Map(Object.entries({ ...common, ...byNoun[declarationOf(kind).about] }));
