import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allows,
  channelsFor,
  dropUnknownOptions,
  parseNotificationOptions,
  readNotificationOptions,
} from '../../../lib/domain/messages/notification-options.ts';
import { CHANNELS, MESSAGE_KINDS, messageKinds } from '../../../lib/entities/message-kinds.ts';

const BOTH = ['Email', 'Text'] as const;

describe('what NotificationOptions of a visit allow', () => {
  test.each([
    ['nothing said: as the company has it', [], 'Reminder', BOTH, BOTH],
    ['nothing said, turned off by the company', [], 'Reminder', [], []],
    ['only e-mails', ['Email'], 'Reminder', BOTH, ['Email']],
    ['only texts, in any case', ['TEXT'], 'Reminder', BOTH, ['Text']],
    ['only texts, by their other name', ['sms'], 'Reminder', BOTH, ['Text']],
    ['both', ['Email', 'Text'], 'Reminder', BOTH, BOTH],
    ["a channel in place of the company's", ['Text'], 'Reminder', ['Email'], ['Text']],
    ['a channel, of a message that the company turned off', ['Text'], 'HowWasIt', [], []],
    ['a channel that the message does not have', ['Email'], 'OnTheWay', ['Text'], []],
    ['none', ['none'], 'Reminder', BOTH, []],
    ['none, whatever else it says', ['Email', 'None', 'Reminder'], 'Reminder', BOTH, []],
    ['only reminders', ['reminder'], 'Reminder', BOTH, BOTH],
    ['only reminders, not this', ['reminder'], 'VisitMoved', BOTH, []],
    ['reminders by text', ['Reminder', 'Text'], 'Reminder', BOTH, ['Text']],
    ['reminders by text, not this', ['Reminder', 'Text'], 'VisitMoved', BOTH, []],
    ['a reminder that the company turned off', ['Reminder'], 'Reminder', [], BOTH],
    ['unknown words of earlier versions', ['push', 'sms'], 'Reminder', BOTH, ['Text']],
    ['only unknown words of earlier versions', ['push'], 'Reminder', ['Text'], ['Text']],
  ] as const)('%s', (_, words, kind, ofCompany, channels) => {
    expect(channelsFor(parseNotificationOptions(words), kind, ofCompany)).toEqual(channels);
  });

  test('is never more than a message has, and nothing that the words exclude', () => {
    const words = fc.array(fc.constantFrom('Email', 'text', 'NONE', 'reminder', 'VisitMoved', 'HowWasIt', 'push'));
    fc.assert(
      fc.property(words, fc.constantFrom(...MESSAGE_KINDS), fc.subarray([...CHANNELS]), (sent, kind, company) => {
        const own: readonly string[] = messageKinds[kind].channels;
        const options = parseNotificationOptions(sent);
        const channels = channelsFor(
          options,
          kind,
          company.filter((each) => own.includes(each)),
        );
        for (const channel of channels) {
          expect(own).toContain(channel);
          expect(allows(options, kind, channel)).toBe(true);
        }
        if (sent.includes('NONE')) expect(channels).toEqual([]);
      }),
      { numRuns: 1_000, seed: 44 },
    );
  });
});

describe('the words of a request', () => {
  test('are stored once, in their canonical spelling', () => {
    const sent = ['SMS', 'text', ' reminder ', 'visitmoved', ''];
    expect(readNotificationOptions(sent)).toEqual({ options: ['Text', 'Reminder', 'VisitMoved'], errors: [] });
  });

  test('are refused one by one if they are unknown, with all that exist and the likeliest', () => {
    const { errors } = readNotificationOptions(['Email', 'Remindr', 'Office']);
    expect(errors).toMatchObject([
      { field: 'NotificationOptions[1]', code: 'unknown_value' },
      { field: 'NotificationOptions[2]', code: 'unknown_value' },
    ]);
    expect(errors[0]?.message).toMatch(/^must be one of Email, Text, None, VisitBooked, .* Did you mean "Reminder"\?$/);
    expect(errors[1]?.message).toMatch(/^must be one of Email, Text, None, VisitBooked, .*, NewLink\.$/);
  });

  test('are left out for a lenient key if they are unknown, with a sentence', () => {
    const body = { NotificationOptions: ['Email', 'push note', 3] };
    expect(dropUnknownOptions(body)).toEqual([
      expect.stringMatching(/^NotificationOptions "push note" is left out; it must be one of Email, .*\.$/),
    ]);
    expect(body).toEqual({ NotificationOptions: ['Email', 3] });
  });

  test.each([
    ['only unknown ones', { NotificationOptions: ['push'] }, {}, 1],
    ['no unknown one', { NotificationOptions: ['sms'] }, { NotificationOptions: ['sms'] }, 0],
    ['an empty list', { NotificationOptions: [] }, { NotificationOptions: [] }, 0],
    ['no list', { NotificationOptions: 'push' }, { NotificationOptions: 'push' }, 0],
  ])('leave a lenient request with %s as it should be', (_, body, after, sentences) => {
    expect(dropUnknownOptions(body)).toHaveLength(sentences);
    expect(body).toEqual(after);
  });
});
