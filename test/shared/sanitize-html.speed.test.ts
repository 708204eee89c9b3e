import { expect, test } from 'vitest';
import { sanitizeHtml } from '../../lib/shared/web/sanitize-html.ts';
import { costOf } from '../support/cpu.ts';

test.each([
  '<a "',
  '<a \'"',
  '<',
  '<p ',
  '<!--',
  '<p>',
  '&',
  '<a href="',
  '"<a ',
  '<script>',
  '</p>',
  '<a x=" ',
  "<a href='",
])('100,000 characters of %s are sanitized in a time in proportion', async (part) => {
  const html = part.repeat(Math.ceil(100_000 / part.length));
  expect(await costOf(() => sanitizeHtml(html), 1)).toBeLessThan(2_000);
});
