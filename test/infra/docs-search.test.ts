import { expect, test } from 'vitest';
import { apiDocument } from '../../infra/openapi.ts';
import { guidesText, readGuides } from '../../infra/docs-page/guides.ts';
import { type SearchedDocument, searchEntries, searcher } from '../../infra/docs-page/search.ts';

const find = searcher(searchEntries(guidesText(readGuides()), apiDocument() as unknown as SearchedDocument));

test.each([
  ['webhook signature', '#description/verify-a-call'],
  ['reschedule', '#description/move-a-visit'],
  ['RESCHEDULING', '#description/move-a-visit'],
  ['hold slot', '#description/hold-a-slot'],
  ['quickbook', '#tag/appointments/POST/api/appointments/quickbook'],
])('the search of the documentation page finds %s first in %s', (words, href) => {
  expect(find(words)[0]?.href).toBe(href);
});

test('the search of the documentation page finds nothing without words, or where one word is nowhere', () => {
  expect([find(' '), find('webhook xyzzy')]).toEqual([[], []]);
  expect(find('a').length).toBeLessThanOrEqual(8);
});
