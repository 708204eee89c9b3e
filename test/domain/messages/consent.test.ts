import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageAddress, phoneForTexts, refusalOf } from '../../../lib/domain/messages/consent.ts';
import { CHANNELS, MESSAGE_KINDS, messageKinds } from '../../../lib/entities/message-kinds.ts';

const ann = {
  Email: 'Ann@Example.com',
  EmailProblem: '',
  PhoneKey: '+18045550100',
  PhoneLabel: '',
  AltPhoneKey: '',
  AltPhoneLabel: '',
  DoNotEmail: false,
  DoNotText: false,
  Unsubscribed: false,
};

const NO_EMAIL = 'The contact has no e-mail address.';
const NO_PHONE = 'The contact has no phone that takes texts.';
const BOUNCED = 'ann@example.com bounced on 2026-11-29: mailbox does not exist';

describe('why a contact gets no message', () => {
  test.each([
    ['nothing in the way', {}, 'Invoice', 'Email', undefined],
    ['nothing in the way of a text', {}, 'OnTheWay', 'Text', undefined],
    ['no e-mail wanted', { DoNotEmail: true }, 'Invoice', 'Email', 'The contact has DoNotEmail.'],
    ['no e-mail wanted, but a text', { DoNotEmail: true }, 'Invoice', 'Text', undefined],
    ['no text wanted', { DoNotText: true }, 'Reminder', 'Text', 'The contact has DoNotText.'],
    ['no text wanted, but an e-mail', { DoNotText: true }, 'Reminder', 'Email', undefined],
    ['unsubscribed, of a favour', { Unsubscribed: true }, 'HowWasIt', 'Email', 'The contact has Unsubscribed.'],
    ['unsubscribed, of a favour by text', { Unsubscribed: true }, 'HowWasIt', 'Text', 'The contact has Unsubscribed.'],
    ['unsubscribed, of what was ordered', { Unsubscribed: true }, 'Reminder', 'Email', undefined],
    ['no address', { Email: '' }, 'Invoice', 'Email', NO_EMAIL],
    ['an address that is none', { Email: 'ann at example' }, 'Invoice', 'Email', NO_EMAIL],
    ['no phone', { PhoneKey: '' }, 'Reminder', 'Text', NO_PHONE],
    ['a number without its area', { PhoneKey: '+15550143' }, 'Reminder', 'Text', NO_PHONE],
    ['a number that cannot be read', { PhoneKey: '0123456789' }, 'Reminder', 'Text', NO_PHONE],
    ['a landline in Berlin', { PhoneKey: '+493012345678' }, 'Reminder', 'Text', NO_PHONE],
    ['a toll-free number', { PhoneKey: '+18005550100' }, 'Reminder', 'Text', NO_PHONE],
    ['a phone labelled a fax', { PhoneLabel: 'Office fax' }, 'Reminder', 'Text', NO_PHONE],
    ['a phone labelled so', { PhoneLabel: 'Do not text' }, 'Reminder', 'Text', NO_PHONE],
    ['an address that bounced', { EmailProblem: BOUNCED }, 'Invoice', 'Email', BOUNCED],
    ['one that bounced, but a text', { EmailProblem: BOUNCED }, 'Invoice', 'Text', undefined],
    ['another address since', { EmailProblem: BOUNCED, Email: 'ann@example.org' }, 'Invoice', 'Email', undefined],
    ['a shorter address since', { EmailProblem: BOUNCED, Email: 'ann@example.co' }, 'Invoice', 'Email', undefined],
    ['no address since', { EmailProblem: BOUNCED, Email: '' }, 'Invoice', 'Email', NO_EMAIL],
  ] as const)('%s', (_, more, kind, channel, refusal) => {
    expect(refusalOf({ ...ann, ...more }, kind, channel)).toBe(refusal);
  });

  const contacts = fc.record({
    Email: fc.constantFrom('', 'ann@example.com', 'no address'),
    EmailProblem: fc.constantFrom('', BOUNCED, 'bob@example.com bounced'),
    PhoneKey: fc.constantFrom('', '+18045550100', '+493012345678'),
    PhoneLabel: fc.constantFrom('', 'Cell', 'Fax'),
    AltPhoneKey: fc.constantFrom('', '+12175550143'),
    AltPhoneLabel: fc.constantFrom('', 'mobile', 'landline'),
    DoNotEmail: fc.boolean(),
    DoNotText: fc.boolean(),
    Unsubscribed: fc.boolean(),
  });

  test('whoever may be written to has an address and none of the flags against it', () => {
    let allowed = 0;
    fc.assert(
      fc.property(
        contacts,
        fc.constantFrom(...MESSAGE_KINDS),
        fc.constantFrom(...CHANNELS),
        (contact, kind, channel) => {
          if (refusalOf(contact, kind, channel) !== undefined) return;
          allowed++;
          expect(channel === 'Email' ? contact.DoNotEmail : contact.DoNotText).toBe(false);
          expect(contact.Unsubscribed && !messageKinds[kind].isTransactional).toBe(false);
          expect(messageAddress(contact, channel)).toMatch(channel === 'Email' ? /^ann@example.com$/ : /^\+1\d{10}$/);
          expect(channel === 'Email' && contact.EmailProblem === BOUNCED).toBe(false);
        },
      ),
      { numRuns: 2_000, seed: 44 },
    );
    expect(allowed).toBeGreaterThan(100);
  });
});

describe('the address of a channel', () => {
  test('is the e-mail as it is written to', () => {
    expect(messageAddress(ann, 'Email')).toBe('ann@example.com');
  });

  const both = { ...ann, AltPhoneKey: '+12175550143' };
  test.each([
    ['Phone before AltPhone', {}, '+18045550100'],
    ['a mobile phone before another', { AltPhoneLabel: 'Cell' }, '+12175550143'],
    ['the same in Spanish', { AltPhoneLabel: 'Móvil' }, '+12175550143'],
    ['Phone, if both are mobile', { PhoneLabel: 'mobile', AltPhoneLabel: 'Cell' }, '+18045550100'],
    ['AltPhone, if Phone is a landline', { PhoneLabel: 'Landline' }, '+12175550143'],
    ['AltPhone, if Phone can be no mobile number', { PhoneKey: '+442071838750' }, '+12175550143'],
    ['none, if none takes texts', { PhoneLabel: 'fax', AltPhoneLabel: 'Teléfono fijo' }, ''],
  ])('is %s', (_, more, phone) => {
    expect(phoneForTexts({ ...both, ...more })).toBe(phone);
    expect(messageAddress({ ...both, ...more }, 'Text')).toBe(phone);
  });
});
