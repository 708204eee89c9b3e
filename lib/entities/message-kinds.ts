/** The messages of a company, each declared once: what it is about, its channels, and whether it is transactional. */

export const CHANNELS = ['Email', 'Text'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The kinds of records that messages are about. */
export const MESSAGE_NOUNS = ['Appointment', 'Proposal', 'Invoice', 'Payment', 'Task', 'Contact'] as const;
export type MessageNoun = (typeof MESSAGE_NOUNS)[number];

interface KindDeclaration {
  readonly about: MessageNoun;
  /** The channels that it can use; the company chooses among them, and all are the default. */
  readonly channels: readonly Channel[];
  /**
   * Whether it belongs to what the client ordered. Others are not sent to who has unsubscribed, and their e-mails have
   * List-Unsubscribe.
   */
  readonly isTransactional: boolean;
  /** Why, for the documentation. */
  readonly because: string;
}

const both = ['Email', 'Text'] as const;
const VISIT = 'It is about a visit that the client ordered.';
const MONEY = 'It is about money that the client owes, paid or gets back.';

export const messageKinds = {
  VisitBooked: { about: 'Appointment', channels: both, isTransactional: true, because: VISIT },
  VisitConfirm: { about: 'Appointment', channels: both, isTransactional: true, because: VISIT },
  VisitMoved: { about: 'Appointment', channels: both, isTransactional: true, because: VISIT },
  VisitCanceled: { about: 'Appointment', channels: both, isTransactional: true, because: VISIT },
  Reminder: { about: 'Appointment', channels: both, isTransactional: true, because: VISIT },
  OnTheWay: { about: 'Appointment', channels: ['Text'], isTransactional: true, because: VISIT },
  HowWasIt: {
    about: 'Appointment',
    channels: both,
    isTransactional: false,
    because: 'It asks for a favour after the work is done.',
  },
  Proposal: { about: 'Proposal', channels: both, isTransactional: true, because: 'The client asked for the offer.' },
  ProposalExpiring: {
    about: 'Proposal',
    channels: both,
    isTransactional: false,
    because: 'It asks to buy what was offered before.',
  },
  ProposalSigned: {
    about: 'Proposal',
    channels: both,
    isTransactional: true,
    because: 'It is the copy of what the client signed.',
  },
  Invoice: { about: 'Invoice', channels: both, isTransactional: true, because: MONEY },
  InvoiceDue: { about: 'Invoice', channels: both, isTransactional: true, because: MONEY },
  InvoiceOverdue: { about: 'Invoice', channels: both, isTransactional: true, because: MONEY },
  Receipt: { about: 'Payment', channels: both, isTransactional: true, because: MONEY },
  Refund: { about: 'Payment', channels: both, isTransactional: true, because: MONEY },
  CardFailed: { about: 'Invoice', channels: both, isTransactional: true, because: MONEY },
  NewLink: { about: 'Contact', channels: both, isTransactional: true, because: 'The client asked for the link.' },
  /** To the office, not to a client. */
  Office: { about: 'Task', channels: ['Email'], isTransactional: true, because: 'The company writes to itself.' },
} as const satisfies Record<string, KindDeclaration>;

export type MessageKind = keyof typeof messageKinds;
export const MESSAGE_KINDS = Object.keys(messageKinds) as [MessageKind, ...MessageKind[]];

export const declarationOf = (kind: MessageKind): KindDeclaration => messageKinds[kind];
