import { expect, test } from 'vitest';
import { apiDocument } from '../../infra/openapi.ts';
import { guidesText, readGuides } from '../../infra/docs-page/guides.ts';
import { FOUND, type SearchedDocument, searchEntries } from '../../infra/docs-page/search.ts';
import { searcher } from '../../lib/shared/text/search.ts';

const entries = searchEntries(guidesText(readGuides()), apiDocument() as unknown as SearchedDocument);
const find = searcher(entries, FOUND);

test.each([
  ['webhook signature', '#description/verify-a-call'],
  ['reschedule', '#description/move-a-visit'],
  ['RESCHEDULING', '#description/move-a-visit'],
  ['hold slot', '#description/hold-a-slot'],
  ['quickbook', '#tag/appointments/POST/api/appointments/quickbook'],
])('the search of the documentation page finds %s first in %s', (words, href) => {
  expect(find(words)[0]?.href).toBe(href);
});

/* What a newcomer types, who knows the trade and other programs: each leads to the place within the first three. */
test.each([
  ['card on file', '2-get-the-link'],
  ['pagination', 'paging'],
  ['who owes', 'invoice/query'],
  ['overdue invoices', 'invoice/query'],
  ['unpaid bills', 'invoice/query'],
  ['telephone', 'contacts/locate'],
  ['find contact by phone', 'contacts/locate'],
  ['search customers', 'contacts/locate'],
  ['create customer', 'contacts/addupdate'],
  ['add a client', 'contacts/addupdate'],
  ['duplicate customers', 'contacts/duplicates'],
  ['technician', 'serviceagents/all'],
  ['employee', 'user/all'],
  ['2fa', 'users/bulkenablemfa'],
  ['estimate', 'proposal/create'],
  ['create estimate', 'proposal/create'],
  ['cancel a job', 'appointments/cancel'],
  ['list jobs', 'appointments/query'],
  ['availability', 'appointments/slotsearch'],
  ['recurring visits', 'change-a-series'],
  ['holidays', 'notice-and-horizon'],
  ['zip codes', 'datasubscriber/postalcodes'],
  ['service area', 'datasubscriber/postalcodes'],
  ['sales tax', 'amounts-and-taxes'],
  ['refund', 'credit'],
  ['record payment', 'payment/import'],
  ['take a payment', 'payment/import'],
  ['credit card', 'payment/import'],
  ['photo', 'files'],
  ['follow up', 'task/create'],
  ['reminder', 'task/create'],
  ['marketing campaign', 'channels/campaigns'],
  ['review', 'appointments/feedback'],
  ['gratuity', 'appointments/addtip'],
  ['api key', 'test/whoami'],
  ['rate limit', 'codes-of-a-failure'],
  ['callback', 'webhooks'],
  ['export all contacts', 'downloads'],
  ['sync', 'mirroring'],
  ['sandbox', 'testing-locally'],
  ['sdk', 'python'],
  ['timezone', 'time-zones'],
  ['import from jobber', 'jobber'],
  ['how do I get started?', 'first-call'],
  // One letter too many, too few, another one, or two swapped.
  ['invoise', 'invoice/query'],
  ['invocie', 'invoice/query'],
  ['technican', 'serviceagents/all'],
  ['appointmnet', 'appointments/find'],
  ['paymnet', 'payment/import'],
  ['propsal', 'proposal/create'],
  ['estimmate', 'proposal/create'],
  ['webhok', 'webhooks'],
])('the search of the documentation page leads a newcomer who types "%s" to %s', (words, place) => {
  const first = find(words).slice(0, 3);
  expect(first.map(({ href }) => href.replace(/^#description\/|^#tag\/.*\/api\//, ''))).toContain(place);
});

test('the search of the documentation page finds nothing without words, or where no word is anywhere', () => {
  expect([find(' '), find('xyzzyplugh')]).toEqual([[], []]);
  expect(find('webhook xyzzyplugh')).toEqual(find('webhook'));
  expect(find('a').length).toBeLessThanOrEqual(FOUND);
});
