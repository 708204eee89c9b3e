import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type MessageSettingsInput,
  applyMessageSettings,
  blankMessageSettings,
} from '../../../lib/domain/messages/apply-settings.ts';
import { describeMessageSettings, resolveMessageSettings } from '../../../lib/domain/messages/settings.ts';
import { MESSAGE_KINDS, messageKinds } from '../../../lib/entities/message-kinds.ts';
import type { MessageSettingsRecord } from '../../../lib/entities/messages.ts';

const [MONDAY, TUESDAY] = [Date.parse('2026-11-30T12:00Z'), Date.parse('2026-12-01T12:00Z')];
const stored = (input: MessageSettingsInput, organization = 0, at = MONDAY): MessageSettingsRecord =>
  applyMessageSettings(blankMessageSettings(organization), input, at);

describe('the settings of an organization', () => {
  test('are the defaults where nothing is set: off, with every channel of each message', () => {
    const { kinds, ...general } = resolveMessageSettings({});
    expect(general).toEqual({
      isOn: false,
      since: 0,
      senderName: '',
      replyTo: '',
      notify: [],
      delaySeconds: 60,
      language: 'en',
      taskWithoutAddress: false,
      keptDays: 730,
    });
    for (const kind of MESSAGE_KINDS) expect(kinds[kind].channels).toEqual(messageKinds[kind].channels);
    expect(kinds.Reminder).toEqual({ channels: ['Email', 'Text'], hours: [24], days: 0, texts: {} });
    expect(kinds.HowWasIt.hours).toEqual([2]);
    const { ProposalExpiring, InvoiceDue, InvoiceOverdue, Invoice } = kinds;
    expect([ProposalExpiring, InvoiceDue, InvoiceOverdue, Invoice].map(({ days }) => days)).toEqual([3, 3, 7, 0]);
  });

  test('are its own field by field, then those of the account', () => {
    const account = stored({
      On: true,
      SenderName: 'Evergreen',
      ReplyTo: 'office@example.com',
      Notify: ['boss@example.com'],
      Kinds: {
        Reminder: {
          Channels: ['Email'],
          Hours: [48, 2],
          English: { Subject: 'Soon', Body: 'Hello', Text: '' },
          Spanish: { Subject: 'Pronto', Body: '', Text: '' },
        },
        VisitMoved: { Channels: [] },
      },
    });
    const organization = stored(
      {
        SenderName: '',
        Notify: [],
        DelaySeconds: 0,
        Kinds: {
          Reminder: { Channels: ['Text'], English: { Subject: 'Very soon', Body: '', Text: '' } },
          InvoiceOverdue: { Days: 14 },
        },
      },
      3,
    );
    const settings = resolveMessageSettings({ account, organization });
    expect(settings).toMatchObject({
      isOn: true,
      since: MONDAY,
      senderName: '',
      replyTo: 'office@example.com',
      notify: [],
      delaySeconds: 0,
    });
    expect(settings.kinds.Reminder).toEqual({
      channels: ['Text'],
      hours: [48, 2],
      days: 0,
      texts: { en: { subject: 'Very soon', body: 'Hello' }, es: { subject: 'Pronto' } },
    });
    expect(settings.kinds.VisitMoved.channels).toEqual([]);
    expect(settings.kinds.InvoiceOverdue).toMatchObject({ channels: ['Email', 'Text'], days: 14 });
  });

  test.each([
    ['of the account', { On: true }, {}, true, MONDAY],
    ['of the organization, which turns it on', {}, { On: true }, true, TUESDAY],
    ['of the organization, which repeats it', { On: true }, { On: true }, true, TUESDAY],
    ['none, where the organization turns it off', { On: true }, { On: false }, false, 0],
  ] as const)('are on since the moment %s', (_, account, organization, isOn, since) => {
    const layers = { account: stored(account), organization: stored(organization, 3, TUESDAY) };
    expect(resolveMessageSettings(layers)).toMatchObject({ isOn, since });
  });

  test('have a row each, which says where it comes from', () => {
    const account = stored({ On: true, Kinds: { Reminder: { Hours: [48] } } });
    const organization = stored(
      { On: false, Kinds: { VisitMoved: { Channels: ['Text'], English: { Subject: '', Body: '', Text: 'Moved' } } } },
      3,
    );
    const rows = describeMessageSettings({ account, organization });
    expect(rows).toEqual(
      expect.arrayContaining([
        { setting: 'on', value: false, from: 'organization' },
        { setting: 'delaySeconds', value: 60, from: 'default' },
        { setting: 'reminder.hours', value: [48], from: 'account' },
        { setting: 'reminder.channels', value: ['email', 'text'], from: 'default' },
        { setting: 'visitMoved.channels', value: ['text'], from: 'organization' },
        { setting: 'visitMoved.texts.en.text', value: 'Moved', from: 'organization' },
        { setting: 'invoiceOverdue.days', value: 7, from: 'default' },
      ]),
    );
    expect(rows.filter(({ setting }) => setting.includes('.texts.'))).toHaveLength(1);
    expect(rows.filter(({ setting }) => setting.endsWith('.channels'))).toHaveLength(MESSAGE_KINDS.length);
  });
});

describe('settings of a company file', () => {
  test('keep what they leave out, and null takes a field away', () => {
    const before = stored({ SenderName: 'A', ReplyTo: 'a@example.com', DelaySeconds: 5 });
    expect(applyMessageSettings(before, { SenderName: 'B', ReplyTo: null }, TUESDAY)).toEqual({
      OrganizationId: 0,
      SenderName: 'B',
      DelaySeconds: 5,
    });
    expect(applyMessageSettings(before, undefined, TUESDAY)).toBe(before);
    expect(applyMessageSettings(before, null, TUESDAY)).toEqual({ OrganizationId: 0 });
    // The company file does not say how long messages are kept.
    const kept = { OrganizationId: 0, KeptDays: 90 };
    expect(applyMessageSettings({ ...before, KeptDays: 90 }, null, TUESDAY)).toEqual(kept);
  });

  test('replace a message that they have, and keep others, in one order', () => {
    const before = stored({ Kinds: { Invoice: { Channels: [] }, Reminder: { Hours: [48], Channels: ['Email'] } } });
    const after = applyMessageSettings(before, { Kinds: { Reminder: { Hours: [2] }, Invoice: null } }, TUESDAY);
    expect(after.Kinds).toEqual([{ Kind: 'Reminder', Hours: [2] }]);
    const both = applyMessageSettings(after, { Kinds: { VisitBooked: { Channels: [] } } }, TUESDAY);
    expect(both.Kinds?.map(({ Kind }) => Kind)).toEqual(['VisitBooked', 'Reminder']);
  });

  test('remember when messages were first turned on, whatever comes later', () => {
    const changes = fc.array(
      fc.oneof(
        fc.constant(null),
        fc.record(
          { On: fc.constantFrom(true, false, null), SenderName: fc.constantFrom('A', null) },
          { requiredKeys: [] },
        ),
      ),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(changes, (inputs) => {
        const first = inputs.findIndex((input) => input?.On === true);
        const after = inputs.reduce<MessageSettingsRecord>(
          (record, input, index) => applyMessageSettings(record, input, MONDAY + index),
          blankMessageSettings(0),
        );
        expect(after.Since).toBe(first < 0 ? undefined : MONDAY + first);
      }),
      { numRuns: 500, seed: 44 },
    );
  });
});
