import { MESSAGE_KINDS, type MessageKind, declarationOf } from '../../lib/entities/message-kinds.ts';
import type { MessageLanguage } from '../../lib/domain/messages/settings.ts';
import type { MessageView, MessageVisit } from '../../lib/messages/view.ts';

/** Tuesday, March 9, 2027, 8:00 in New York. */
export const START = Date.UTC(2027, 2, 9, 13);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BASE = 'https://a1b2c3d4e5.execute-api.us-east-1.amazonaws.com/c';
const HANDLE = 'k7Qm-412-0-20811-3fV9xZt2bQw1LmN8';

export const messageVisit = (more: Partial<MessageVisit> = {}): MessageVisit => ({
  id: 412,
  start: START,
  through: START + 2 * HOUR,
  duration: 90,
  isCanceled: false,
  isTentative: false,
  service: 'Lawn care',
  agent: 'Ben',
  address: '12 Main St, Springfield, IL 62701',
  link: `${BASE}/visit/${HANDLE}`,
  tipLink: '',
  version: 3,
  uid: 'visit-k7Qm-412@a1b2c3d4e5.execute-api.us-east-1.amazonaws.com',
  changed: START - 9 * DAY,
  ...more,
});

/** Visits on the same weekday, weekly. */
export const weeklyVisits = (count: number, more: Partial<MessageVisit> = {}): MessageVisit[] =>
  Array.from({ length: count }, (_, week) =>
    messageVisit({
      id: 412 + week,
      uid: `visit-k7Qm-${412 + week}@example.com`,
      link: `${BASE}/visit/${HANDLE}${week}`,
      start: START + week * 7 * DAY,
      through: START + week * 7 * DAY + 2 * HOUR,
      ...more,
    }),
  );

const visitOf: Readonly<Partial<Record<MessageKind, Partial<MessageVisit>>>> = {
  VisitConfirm: { isTentative: true, heldUntil: START - 2 * DAY },
  VisitMoved: { formerStart: START - DAY, formerThrough: START - DAY + 2 * HOUR },
  VisitCanceled: { isCanceled: true },
  HowWasIt: { tipLink: `${BASE}/feedback/${HANDLE}` },
};

/** A usual message of a kind, with everything that it can say. */
export function messageView(
  kind: MessageKind,
  language: MessageLanguage,
  more: Partial<MessageView> = {},
): MessageView {
  const { about, isTransactional } = declarationOf(kind);
  return {
    kind,
    language,
    now: START - 9 * DAY,
    to: 'ana@example.com',
    company: {
      name: 'Evergreen Lawn & Garden',
      address: '5 Elm St, Springfield, IL 62701',
      phone: '(217) 555-0100',
      email: 'office@evergreen.example',
      website: 'https://www.evergreen.example',
      color: '#2e7d32',
      logo: 'https://a1b2c3d4e5.execute-api.us-east-1.amazonaws.com/c/logo/k7Qm-1-0123456789abcdef.png',
    },
    country: 'US',
    zone: 'America/New_York',
    contactName: kind === 'Office' ? '' : 'Ana Diaz',
    visits: about === 'Appointment' ? [messageVisit(visitOf[kind])] : [],
    ...(about === 'Proposal' && {
      proposal: {
        title: 'New lawn',
        total: 1340,
        expiresAt: START,
        signedBy: 'Ana Diaz',
        link: `${BASE}/proposal/${HANDLE}`,
      },
    }),
    ...((about === 'Invoice' || about === 'Payment') && {
      invoice: {
        number: '10023',
        total: 250,
        balance: about === 'Payment' ? 0 : 200,
        dueDate: '2027-03-09',
        link: `${BASE}/invoice/${HANDLE}`,
        canPay: true,
      },
    }),
    ...(about === 'Payment' && { payment: { amount: 50, method: 'Card', at: START } }),
    ...(kind === 'Office' && { office: { title: 'A proposal was declined', text: 'Ana Diaz:\n\nToo expensive.' } }),
    ...(kind === 'NewLink' && { newLink: `${BASE}/overview/${HANDLE}` }),
    preferencesLink: kind === 'Office' ? '' : `${BASE}/preferences/${HANDLE}`,
    unsubscribeLink: isTransactional ? '' : `${BASE}/unsubscribe/${HANDLE}`,
    ...more,
  };
}

export const everyMessage = MESSAGE_KINDS.flatMap((kind) =>
  (['en', 'es'] as const).map((language) => [kind, language] as const),
);
