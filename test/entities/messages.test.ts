import { describe, expect, test } from 'vitest';
import { CHANNELS, MESSAGE_KINDS, MESSAGE_NOUNS, declarationOf } from '../../lib/entities/message-kinds.ts';
import { messageEntity, messageSettingsEntity, noticeEntity } from '../../lib/entities/messages.ts';
import { NOW } from '../support/message-records.ts';

describe('a message', () => {
  const message = messageEntity.blank({
    Id: 1,
    Kind: 'Reminder',
    Channel: 'Text',
    Address: '+12175550143',
    State: 'Failed',
    Reason: 'The number has opted out of texts (STOP).',
    Noun: 'Appointment',
    RecordId: 7,
    ContactId: 3,
    OrganizationId: 1,
    Visits: [{ Id: 7, FormerStart: null }],
    Stamp: '1 1804507200000 ',
    Due: NOW,
    ClaimedUntil: NOW,
    ServiceId: 's-1',
    Created: NOW,
  });

  test('shows what was sent to whom about which record, and nothing of how it is worked on', () => {
    const { Created: _, Updated: __, ...shown } = messageEntity.toResource(message) as Record<string, unknown>;
    expect(shown).toEqual({
      Id: 1,
      OrganizationId: 1,
      ContactId: 3,
      Kind: 'Reminder',
      Channel: 'Text',
      Address: '+12175550143',
      State: 'Failed',
      Reason: 'The number has opted out of texts (STOP).',
      About: 'Appointment',
      RecordId: 7,
      Due: '2027-03-01T12:00:00Z',
      SentAt: null,
      Uncertain: false,
    });
  });

  test('is read as it was written', () => {
    expect(messageEntity.read({ ...messageEntity.write(message) })).toEqual(message);
    expect(() => messageEntity.read({ ...messageEntity.write(message), State: 7 })).toThrow('Message 1: State');
  });
});

test('a notice of a new visit has nothing that the client knew', () => {
  expect(noticeEntity.readDeclared({ First: NOW, At: NOW, PK: 'A', SK: 'B' })).toEqual({
    Was: null,
    First: NOW,
    At: NOW,
  });
});

test('settings that are not set are absent, so that those of the account apply', () => {
  expect(messageSettingsEntity.readDeclared({ OrganizationId: 4 })).toEqual({ OrganizationId: 4 });
});

test.each(MESSAGE_KINDS)('%s says what it is about, how it is sent, and why it may be', (kind) => {
  const { about, channels, because } = declarationOf(kind);
  expect(MESSAGE_NOUNS).toContain(about);
  expect(channels.length).toBeGreaterThan(0);
  expect(CHANNELS).toEqual(expect.arrayContaining([...channels]));
  expect(because).toMatch(/^[A-Z].*\.$/);
});
