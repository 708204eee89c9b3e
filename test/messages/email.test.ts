import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MessageKind, declarationOf } from '../../lib/entities/message-kinds.ts';
import type { MessageLanguage } from '../../lib/domain/messages/settings.ts';
import { renderEmail } from '../../lib/messages/email.ts';
import type { MessageView } from '../../lib/messages/view.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { START, everyMessage, messageView, messageVisit, weeklyVisits } from '../support/message-views.ts';
import { parseHtml, plain } from '../support/parsed-html.ts';

const HOUR = 3_600_000;

test.each<[MessageKind, string, string]>([
  ['VisitBooked', 'Your visit is on Tue, March 9, 8–10 AM', 'Su visita es el mar, 9 de marzo, 8–10 a.m.'],
  [
    'VisitConfirm',
    'Please confirm your visit on Tue, March 9, 8–10 AM',
    'Confirme su visita del mar, 9 de marzo, 8–10 a.m.',
  ],
  [
    'VisitMoved',
    'Your visit is moved to Tue, March 9, 8–10 AM',
    'Su visita cambia de hora: mar, 9 de marzo, 8–10 a.m.',
  ],
  [
    'VisitCanceled',
    'Your visit is canceled: Tue, March 9, 8–10 AM',
    'Su visita está cancelada: mar, 9 de marzo, 8–10 a.m.',
  ],
  [
    'Reminder',
    'Reminder: your visit is on Tue, March 9, 8–10 AM',
    'Recordatorio: su visita es el mar, 9 de marzo, 8–10 a.m.',
  ],
  ['OnTheWay', 'Ben is on the way to you', 'Ben está en camino'],
  ['HowWasIt', 'How was your visit on Tuesday, March 9?', '¿Qué tal su visita del martes, 9 de marzo?'],
  ['Proposal', 'Your proposal for $1,340.00: New lawn', 'Su presupuesto por $1,340.00: New lawn'],
  [
    'ProposalExpiring',
    'Your proposal expires on March 9, 2027: New lawn',
    'Su presupuesto vence el 9 de marzo de 2027: New lawn',
  ],
  ['ProposalSigned', 'Signed: New lawn', 'Firmado: New lawn'],
  ['Invoice', 'Invoice 10023 for $250.00', 'Factura 10023 por $250.00'],
  [
    'InvoiceDue',
    'Invoice 10023 is due on March 9, 2027: $200.00',
    'La factura 10023 vence el 9 de marzo de 2027: $200.00',
  ],
  ['InvoiceOverdue', 'Invoice 10023 is overdue: $200.00', 'La factura 10023 está vencida: $200.00'],
  ['Receipt', 'We received your payment of $50.00', 'Recibimos su pago de $50.00'],
  ['Refund', 'Your refund of $50.00', 'Su reembolso de $50.00'],
  ['CardFailed', 'Your payment of invoice 10023 failed', 'Su pago de la factura 10023 falló'],
  ['NewLink', 'Your new link', 'Su enlace nuevo'],
  ['Office', 'A proposal was declined', 'A proposal was declined'],
])('%s says first what it is: %s', (kind, english, spanish) => {
  expect(renderEmail(messageView(kind, 'en')).subject).toBe(english);
  expect(renderEmail(messageView(kind, 'es')).subject).toBe(spanish);
});

test('the table of subjects has every kind', () => {
  expect(everyMessage).toHaveLength(2 * 18);
});

/** The buttons, and the page that each opens. */
const buttonOf = (html: string): { text: string; link: string } | undefined => {
  const [, link = '', text = ''] = /class="button"\s+href="([^"]+)"[^>]*>\s*([^<]+?)\s*</.exec(html) ?? [];
  return text ? { text, link } : undefined;
};

test.each<[MessageKind, MessageLanguage, string, string]>([
  ['VisitBooked', 'en', 'View your visit', 'visit'],
  ['VisitConfirm', 'en', 'Confirm visit', 'visit'],
  ['VisitConfirm', 'es', 'Confirmar la visita', 'visit'],
  ['VisitMoved', 'es', 'Ver su visita', 'visit'],
  ['HowWasIt', 'en', 'Rate your visit', 'feedback'],
  ['Proposal', 'es', 'Revisar y firmar', 'proposal'],
  ['ProposalSigned', 'en', 'View the proposal', 'proposal'],
  ['Invoice', 'en', 'Pay $200.00', 'invoice'],
  ['CardFailed', 'es', 'Pagar $200.00', 'invoice'],
  ['Receipt', 'en', 'View the invoice', 'invoice'],
  ['NewLink', 'en', 'Open the page', 'overview'],
])('the button of %s in %s is "%s", and the plain text has its link', (kind, language, label, page) => {
  const { html, text } = renderEmail(messageView(kind, language));
  const button = buttonOf(html);
  expect(button?.text).toBe(label);
  expect(button?.link).toMatch(new RegExp(`^https://a1b2c3d4e5\\..*/c/${page}/k7Qm-`));
  expect(text).toContain(`${label}:\n${button?.link}\n`);
  expect(html.match(/class="button"/g)).toHaveLength(1);
});

test.each(everyMessage)(
  '%s in %s: both parts have its facts and the company, and it loads nothing',
  (kind, language) => {
    const view = messageView(kind, language);
    const { html, text, headers } = renderEmail(view);
    const { texts, addresses, structure } = parseHtml(html);
    const shown = plain(texts);
    // What the text says between its links, the page says too.
    const said = text
      .replaceAll(/https:\S+/g, '')
      .split('\n')
      .flatMap((line) => line.split(':').map(plain))
      .filter((each) => each && each !== '--');
    expect(said.filter((each) => !shown.includes(each))).toEqual([]);
    for (const each of [view.company.name, view.company.address, view.company.phone]) expect(text).toContain(each);
    expect(structure).toContain('html[lang]');
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain('<meta name="color-scheme" content="light dark" />');
    expect(html.match(/https?:[^"\s<]+\.(?:css|js|png|gif|jpg)|url\(|@import|<(?:link|script|iframe|table)/g)).toEqual([
      view.company.logo,
    ]);
    expect(addresses.filter((each) => !/^https:\/\/a1b2c3d4e5\.|^tel:2175550100$/.test(each))).toEqual([]);
    if (kind !== 'Office') {
      expect(addresses).toContain(view.preferencesLink);
      expect(text).toContain(view.preferencesLink);
      expect(text).toContain('Ana Diaz');
    }
    const isAdvertising = !declarationOf(kind).isTransactional;
    expect(headers['List-Unsubscribe']).toBe(isAdvertising ? `<${view.unsubscribeLink}>` : undefined);
    expect(headers['List-Unsubscribe-Post']).toBe(isAdvertising ? 'List-Unsubscribe=One-Click' : undefined);
    expect(headers['Auto-Submitted']).toBe('auto-generated');
  },
);

test('only what asks for a favour or a purchase is advertising', () => {
  const kinds = everyMessage.filter(([kind, language]) => {
    const { headers } = renderEmail(messageView(kind, language, { unsubscribeLink: 'https://api.example.com/c/u/x' }));
    return 'List-Unsubscribe' in headers;
  });
  expect([...new Set(kinds.map(([kind]) => kind))]).toEqual(['HowWasIt', 'ProposalExpiring']);
});

test('a visit shows its window, or its time if it has none', () => {
  const textOf = (visit: ReturnType<typeof messageVisit>) => {
    const { subject, text } = renderEmail(messageView('VisitBooked', 'en', { visits: [visit] }));
    return { subject, text };
  };
  const window = textOf(messageVisit({ start: START + HOUR / 2 }));
  expect(window.subject).toBe('Your visit is on Tue, March 9, 8:30–10:00 AM');
  expect(window.text).toContain('When: Tuesday, March 9, 2027\n  We arrive between 8:30 AM and 10:00 AM\n');
  const noon = textOf(messageVisit({ start: START + 3 * HOUR, through: START + 5 * HOUR }));
  expect(noon.subject).toBe('Your visit is on Tue, March 9, 11 AM–1 PM');
  const exact = textOf(messageVisit({ through: null }));
  expect(exact.subject).toBe('Your visit is on Tue, March 9, 8 AM');
  expect(exact.text).toContain('When: Tuesday, March 9, 2027\n  8:00 AM to 9:30 AM\n');
  const night = textOf(messageVisit({ start: START + 15 * HOUR, through: START + 17 * HOUR }));
  expect(night.subject).toBe('Your visit is on Tue, March 9, 11 PM–1 AM');
});

test('a visit that is moved or canceled names the time that its client knows', () => {
  const former = { formerStart: START - 24 * HOUR, formerThrough: START - 22 * HOUR };
  const moved = renderEmail(messageView('VisitMoved', 'en'));
  expect(moved.text).toContain('\nBefore: Mon, March 8, 8–10 AM\n');
  const visits = [messageVisit({ ...former, isCanceled: true })];
  const canceled = renderEmail(messageView('VisitCanceled', 'en', { visits }));
  expect(canceled.subject).toBe('Your visit is canceled: Mon, March 8, 8–10 AM');
  expect(canceled.text).not.toContain('March 9');
});

test('a tentative visit names until when it can be confirmed', () => {
  expect(renderEmail(messageView('VisitConfirm', 'en')).text).toContain(
    'Please confirm your visit by Sun, March 7, 8 AM. After that the time is free again.',
  );
  const visits = [messageVisit({ isTentative: true })];
  expect(renderEmail(messageView('VisitConfirm', 'en', { visits })).text).toContain('Please confirm your visit.\n');
  expect(buttonOf(renderEmail(messageView('Reminder', 'en', { visits })).html)?.text).toBe('Confirm visit');
});

test('a series is one message with all its visits, each with its page', () => {
  const visits = weeklyVisits(3);
  const { subject, html, text } = renderEmail(messageView('VisitBooked', 'en', { visits }));
  expect(subject).toBe('Your 3 visits are booked, the first is on Tue, March 9, 8–10 AM');
  // Clocks change on March 14.
  const times = ['Tue, March 9, 8–10 AM', 'Tue, March 16, 9–11 AM', 'Tue, March 23, 9–11 AM'];
  for (const [index, time] of times.entries()) {
    expect(text).toContain(`- ${time}\n  ${visits[index]?.link}\n`);
    expect(html).toContain(`href="${visits[index]?.link}"`);
    expect(html).toContain(`>${time}<`);
  }
  expect(text).toContain('Service: Lawn care\n');
  expect(buttonOf(html)).toBeUndefined();
  const moved = weeklyVisits(2, { formerStart: START - HOUR });
  expect(renderEmail(messageView('VisitMoved', 'es', { visits: moved })).text).toContain(
    '- mar, 16 de marzo, 9–11 a.m. (antes: mar, 9 de marzo, 7 a.m.)\n',
  );
  const different = [messageVisit(), messageVisit({ service: 'Pruning', agent: 'Eve' })];
  const { text: mixed } = renderEmail(messageView('Reminder', 'en', { visits: different }));
  expect(mixed).not.toMatch(/Service:|With:/);
});

test('a company that takes no payments online has no button to pay, and a paid invoice none either', () => {
  const view = messageView('Invoice', 'en');
  const withInvoice = (more: object) =>
    buttonOf(
      renderEmail({ ...view, invoice: { ...view.invoice, ...more } as NonNullable<MessageView['invoice']> }).html,
    )?.text;
  expect(withInvoice({ canPay: false })).toBe('View the invoice');
  expect(withInvoice({ balance: 0 })).toBe('View the invoice');
});

test("a company's own texts replace ours, and only those that it has", () => {
  const own = (ownTexts: MessageView['ownTexts']) => renderEmail(messageView('VisitBooked', 'en', { ownTexts }));
  const { subject, html, text } = own({
    subject: '{{visit.service}}\n on {{visit.date}}',
    body: 'Dear {{contact.name}},\n\n{{#if visit.agent}}<b>{{visit.agent}}</b> & team{{/if}} come.',
  });
  expect(subject).toBe('Lawn care on Tuesday, March 9');
  expect(text).toContain('Dear Ana Diaz,\n\n<b>Ben</b> & team come.\n');
  expect(html).toContain('<p>Dear Ana Diaz,</p><p>&lt;b&gt;Ben&lt;/b&gt; &amp; team come.</p>');
  expect(text).toContain('Service: Lawn care');
  expect(own({ body: 'Hi.' }).subject).toBe('Your visit is on Tue, March 9, 8–10 AM');
  // A field that is no longer known, or a subject without any letter, has our text.
  expect(own({ subject: '{{visit.oldField}}' }).subject).toBe('Your visit is on Tue, March 9, 8–10 AM');
  expect(own({ subject: '{{visit.tipLink}} ' }).subject).toBe('Your visit is on Tue, March 9, 8–10 AM');
});

/** A message with a text wherever a person's can stand. */
const withText = (kind: MessageKind, text: string): MessageView => {
  const view = messageView(kind, 'en');
  return {
    ...view,
    company: { ...view.company, name: text, address: text, phone: text, email: text, website: text },
    contactName: text,
    visits: view.visits.map((visit) => ({ ...visit, service: text, agent: text, address: text })),
    ...(view.proposal && { proposal: { ...view.proposal, title: text, signedBy: text } }),
    ...(view.invoice && { invoice: { ...view.invoice, number: text } }),
    ...(view.payment && { payment: { ...view.payment, method: text } }),
    ...(view.office && { office: { title: text, text: 'x' } }),
    // A text with a control character of its own is none that can be read.
    ownTexts: { body: `${text.replaceAll(/[{\p{Cc}]+/gu, ' ')} {{contact.name}}` },
  };
};

test('hostile texts change no element of an e-mail, open no other address, and add no line to a subject', () => {
  const kinds = [...new Set(everyMessage.map(([kind]) => kind))];
  const benign = new Map(
    kinds.map((kind) => [kind, parseHtml(renderEmail(withText(kind, 'Ana Diaz')).html).structure]),
  );
  const wrong: unknown[] = [];
  for (const [index, text] of hostileTexts.entries()) {
    // Three kinds for each text: all kinds for all texts would say the same.
    for (const kind of [0, 1, 2].map((more) => kinds[(index * 3 + more) % kinds.length] ?? 'Invoice')) {
      const expected = benign.get(kind);
      const { subject, html, headers } = renderEmail(withText(kind, text));
      const { structure, addresses } = parseHtml(html);
      if (structure !== expected) wrong.push({ kind, text, structure, expected });
      const others = addresses.filter((each) => !/^https:\/\/a1b2c3d4e5\.|^tel:[\d+]*$/.test(each));
      if (others.length > 0) wrong.push({ kind, text, others });
      if (/\p{Cc}/u.test(subject) || !subject.isWellFormed()) wrong.push({ kind, text, subject });
      if (JSON.stringify(headers).includes('evil')) wrong.push({ kind, text, headers });
    }
  }
  expect(wrong).toEqual([]);
});

test('whatever the texts are, the page shows them as they are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), (text) => {
      const { html, text: shown } = renderEmail(withText('ProposalSigned', text));
      const clean = text.replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim();
      expect(shown).toContain(clean);
      expect(plain(parseHtml(html).texts)).toContain(clean);
    }),
    { numRuns: 50 },
  );
});

test('the text of a task has its paragraphs', () => {
  const office = { title: 'A question', text: 'First line\nsecond line\n\nAnother <b>paragraph</b>' };
  const { html, text } = renderEmail(messageView('Office', 'en', { office }));
  expect(html).toContain('<p>First line<br />second line</p><p>Another &lt;b&gt;paragraph&lt;/b&gt;</p>');
  expect(text).toContain(office.text);
});

test('a link that is no web address is no link', () => {
  const link = 'javascript:alert(1)';
  const view = messageView('NewLink', 'en', { newLink: link, preferencesLink: link });
  const { html } = renderEmail({ ...view, company: { ...view.company, logo: link } });
  expect(html).not.toContain('javascript');
  expect(parseHtml(html).structure).not.toContain('img');
});
