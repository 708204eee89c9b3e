import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MessageKind } from '../../lib/entities/message-kinds.ts';
import { renderText } from '../../lib/messages/text.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { START, everyMessage, messageView, messageVisit, weeklyVisits } from '../support/message-views.ts';

const HOUR = 3_600_000;
const linkIn = (text: string): string => /https:\S+/.exec(text)?.[0] ?? '';
const C = 'Evergreen Lawn & Garden';

test.each<[MessageKind, string, string]>([
  [
    'VisitBooked',
    `${C}: your visit (Lawn care) is on Tue, March 9, 8-10 AM. LINK`,
    `${C}: su visita (Lawn care) es el mar, 9 de marzo, 8-10 a.m.: LINK`,
  ],
  [
    'VisitConfirm',
    `${C}: please confirm your visit (Lawn care) on Tue, March 9, 8-10 AM: LINK`,
    `${C}: confirme su visita (Lawn care) del mar, 9 de marzo, 8-10 a.m.: LINK`,
  ],
  [
    'VisitMoved',
    `${C}: your visit (Lawn care) is moved from Mon, March 8, 8-10 AM to Tue, March 9, 8-10 AM. LINK`,
    `${C}: su visita (Lawn care) cambia del lun, 8 de marzo, 8-10 a.m. al mar, 9 de marzo, 8-10 a.m.: LINK`,
  ],
  [
    'VisitCanceled',
    `${C}: your visit (Lawn care) on Tue, March 9, 8-10 AM is canceled. LINK`,
    `${C}: se ha cancelado su visita (Lawn care) del mar, 9 de marzo, 8-10 a.m.: LINK`,
  ],
  [
    'Reminder',
    `${C}: your visit (Lawn care) is on Tue, March 9, 8-10 AM. LINK`,
    `${C}: su visita (Lawn care) es el mar, 9 de marzo, 8-10 a.m.: LINK`,
  ],
  [
    'OnTheWay',
    `${C}: Ben is on the way to you. Follow the visit: LINK`,
    `${C}: Ben esta en camino. Siga la visita: LINK`,
  ],
  [
    'HowWasIt',
    `${C}: how was your visit (Lawn care)? LINK Reply STOP to get no more texts.`,
    `${C}: ¿qué tal su visita (Lawn care)? LINK Responda STOP para no recibir mas mensajes.`,
  ],
  [
    'Proposal',
    `${C}: your proposal for $1,340.00 (New lawn): LINK`,
    `${C}: su presupuesto por $1,340.00 (New lawn): LINK`,
  ],
  [
    'ProposalExpiring',
    `${C}: your proposal for $1,340.00 (New lawn) expires on March 9, 2027: LINK Reply STOP to get no more texts.`,
    `${C}: su presupuesto por $1,340.00 (New lawn) vence el 9 de marzo de 2027: LINK ` +
      'Responda STOP para no recibir mas mensajes.',
  ],
  [
    'ProposalSigned',
    `${C}: thank you for signing (New lawn). Your copy: LINK`,
    `${C}: gracias por firmar (New lawn). Su copia: LINK`,
  ],
  ['Invoice', `${C}: invoice 10023 for $250.00: LINK`, `${C}: factura 10023 por $250.00: LINK`],
  [
    'InvoiceDue',
    `${C}: $200.00 of invoice 10023 is due on March 9, 2027. LINK`,
    `${C}: $200.00 de la factura 10023 vence el 9 de marzo de 2027. LINK`,
  ],
  [
    'InvoiceOverdue',
    `${C}: $200.00 of invoice 10023 is overdue. LINK`,
    `${C}: $200.00 de la factura 10023 esta vencido. LINK`,
  ],
  [
    'Receipt',
    `${C}: thank you, we received your payment of $50.00 for invoice 10023. LINK`,
    `${C}: gracias, recibimos su pago de $50.00 de la factura 10023. LINK`,
  ],
  [
    'Refund',
    `${C}: we sent you a refund of $50.00 for invoice 10023. LINK`,
    `${C}: le enviamos un reembolso de $50.00 de la factura 10023. LINK`,
  ],
  [
    'CardFailed',
    `${C}: your payment of $200.00 for invoice 10023 was refused. LINK`,
    `${C}: su pago de $200.00 por la factura 10023 fue rechazado. LINK`,
  ],
  ['NewLink', `${C}: here is your new link: LINK`, `${C}: aqui esta su enlace nuevo: LINK`],
  ['Office', `${C}: A proposal was declined`, `${C}: A proposal was declined`],
])('%s is short, in both languages', (kind, english, spanish) => {
  for (const [language, expected] of [
    ['en', english],
    ['es', spanish],
  ] as const) {
    const { text, segments } = renderText(messageView(kind, language));
    expect(text.replace(/https:\S+/, 'LINK')).toBe(expected);
    expect(segments).toBeLessThanOrEqual(2);
    // Two parts of GSM-7; the letters of our texts are all in it.
    expect(text).toMatch(/^[\x20-\x5a_a-z¿¡éñü\s]+$/);
  }
});

test('the text on the way has no name if none is known', () => {
  const { text } = renderText(messageView('OnTheWay', 'en', { visits: [messageVisit({ agent: '' })] }));
  expect(text).toContain(': we are on the way to you.');
});

test('a series is one text with the first of its visits', () => {
  const { text } = renderText(messageView('VisitBooked', 'en', { visits: weeklyVisits(8) }));
  expect(text).toContain('your 8 visits (Lawn care) are booked, the first is on Tue, March 9, 8-10 AM. https://');
  const moved = renderText(messageView('VisitMoved', 'es', { visits: weeklyVisits(2, { formerStart: START - HOUR }) }));
  expect(moved.text).toContain('sus 2 visitas (Lawn care) cambian de hora, la primera del mar, 9 de marzo, 7 a.m. al');
});

test("a long service's name is shortened to two parts, and the link never is", () => {
  const service = 'Aeration and overseeding of the front and the back lawn '.repeat(8).trim();
  for (const [kind, language] of everyMessage) {
    const view = messageView(kind, language);
    const { text, segments } = renderText({
      ...view,
      visits: view.visits.map((visit) => ({ ...visit, service })),
      ...(view.proposal && { proposal: { ...view.proposal, title: service } }),
      ...(view.office && { office: { title: service, text: '' } }),
    });
    expect(segments, text).toBeLessThanOrEqual(2);
    const usual = renderText(view).text;
    expect(linkIn(text)).toBe(linkIn(usual));
    if (text.includes('Aeration')) expect(text).toMatch(/Aeration.*\.\.\./);
  }
  const { text } = renderText(messageView('Reminder', 'en', { visits: [messageVisit({ service })] }));
  // As much of the name as two parts of 153 letters have.
  expect(text.length).toBeGreaterThan(300);
  expect(text.length).toBeLessThanOrEqual(306);
});

test('letters outside of GSM-7 make the name shorter, not the text longer', () => {
  const service = 'Стрижка газона, обрезка кустов и уборка листьев во дворе';
  const { text, segments } = renderText(messageView('Reminder', 'en', { visits: [messageVisit({ service })] }));
  expect(segments).toBe(2);
  expect(text).not.toContain('Стрижка');
  expect(linkIn(text)).not.toBe('');
});

test('a text of the company is what it says, with its lines', () => {
  const ownTexts = { text: 'Hi {{contact.name}},\r\n{{visit.service}} {{visit.when}}.  \n{{visit.link}}' };
  const { text, segments } = renderText(messageView('Reminder', 'en', { ownTexts, contactName: 'José\nÁlvarez' }));
  const link = linkIn(text);
  expect(text).toBe(`Hi José Alvarez,\nLawn care Tue, March 9, 8-10 AM.\n${link}`);
  expect(segments).toBe(1);
});

test('no text of a person adds a line or a control character', () => {
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary' })), (hostile) => {
      const visits = [messageVisit({ service: hostile, agent: hostile })];
      for (const kind of ['Reminder', 'OnTheWay'] as const) {
        const { text, segments } = renderText(messageView(kind, 'en', { visits, contactName: hostile }));
        expect(text).not.toMatch(/\p{Cc}/u);
        expect(text.isWellFormed()).toBe(true);
        expect(text).toContain(
          'https://a1b2c3d4e5.execute-api.us-east-1.amazonaws.com/c/visit/k7Qm-412-0-20811-3fV9xZt2bQw1LmN8',
        );
        expect(segments).toBeGreaterThanOrEqual(1);
      }
    }),
    { numRuns: 50 },
  );
});
