import { expect, it } from 'vitest';
import { isPhoneText } from '../../lib/shared/text/phones.ts';

it.each(['(217) 555-0143', '217.555.0143 x12', '+49 30 901820', '555-0143', '1-800-FLOWERS', '217-555-0143 ext. 4'])(
  'takes %s for a phone number',
  (text) => {
    expect(isPhoneText(text)).toBe(true);
  },
);

it.each([
  '',
  'call me',
  '12345',
  'x'.repeat(60),
  '<script>2175550143</script>',
  '217-555-0143-217-555-0143-217-555-0143',
])('does not accept %s', (text) => {
  expect(isPhoneText(text)).toBe(false);
});
