import { describe, expect, test } from 'vitest';
import { type ContactInput, hasMarketingInput, resolveMarketing } from '../../../lib/domain/contacts/apply-input.ts';
import { someContact } from '../../support/contacts.ts';

const channels = [
  {
    Id: 1,
    Name: 'Google',
    Campaigns: [
      { Id: 11, Name: 'Spring' },
      { Id: 12, Name: 'Fall' },
    ],
  },
  { Id: 2, Name: 'Télévision', Campaigns: [{ Id: 21, Name: 'Morning' }] },
];
const none = { Channel: '', ChannelId: 0, Campaign: '', CampaignId: 0 };
const google = { Channel: 'Google', ChannelId: 1, Campaign: '', CampaignId: 0 };
const spring = { ...google, Campaign: 'Spring', CampaignId: 11 };

describe('channel and campaign', () => {
  test.each<[string, ContactInput, object, object]>([
    ['by id', { ChannelId: 1 }, none, google],
    [
      'by name, whatever its case and accents',
      { Channel: ' TELEVISION ' },
      none,
      { ...none, Channel: 'Télévision', ChannelId: 2 },
    ],
    ['by both', { ChannelId: 1, Channel: 'google' }, none, google],
    ['with its campaign', { Channel: 'Google', Campaign: 'spring' }, none, spring],
    [
      'by the campaign alone',
      { CampaignId: 21 },
      none,
      { Channel: 'Télévision', ChannelId: 2, Campaign: 'Morning', CampaignId: 21 },
    ],
    [
      'a campaign of the present channel',
      { Campaign: 'Fall' },
      google,
      { ...google, Campaign: 'Fall', CampaignId: 12 },
    ],
    ['the same channel again keeps the campaign', { Channel: 'google' }, spring, spring],
    ['another channel drops the campaign', { ChannelId: 2 }, spring, { ...none, Channel: 'Télévision', ChannelId: 2 }],
    ['null clears both', { Channel: null }, spring, none],
    ['null clears the campaign', { Campaign: null }, spring, google],
  ])('%s', (_, input, was, expected) => {
    expect(resolveMarketing(someContact(1, was), input, channels)).toEqual({ marketing: expected });
  });

  test.each<[string, ContactInput, object]>([
    ['Channel', { Channel: 'Radio' }, none],
    ['ChannelId', { ChannelId: 9 }, none],
    ['Channel', { Channel: 'Google', ChannelId: 2 }, none],
    ['Campaign', { Channel: 'Google', Campaign: 'Morning' }, none],
    ['CampaignId', { ChannelId: 2, CampaignId: 11 }, none],
    ['Campaign', { Campaign: 'Morning' }, google],
    ['Campaign', { Campaign: 'Spring', CampaignId: 12 }, google],
    ['CampaignId', { CampaignId: 99 }, none],
  ])('%s of %j is invalid', (field, input, was) => {
    expect(resolveMarketing(someContact(1, was), input, channels)).toMatchObject({
      error: { field, message: expect.stringMatching(/\S/) as string },
    });
  });
});

test.each<[boolean, ContactInput]>([
  [false, {}],
  [false, { ...spring }],
  [false, { Channel: 'Google', CampaignId: 11 }],
  [true, { Channel: null }],
  [true, { Campaign: 'Fall' }],
  [true, { ChannelId: 2 }],
])('changes something: %s for %j', (expected, input) => {
  expect(hasMarketingInput(someContact(1, spring), input)).toBe(expected);
});
