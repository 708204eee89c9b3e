import { beforeAll, expect, test } from 'vitest';
import { FIGURE_MONTHS, monthsThrough } from '../../lib/domain/figures.ts';
import { type MonthFigures, monthFiguresEntity } from '../../lib/entities/figures.ts';
import { putFigures } from '../support/figures.ts';
import { makeUser, signedIn } from '../support/office.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { pngPicture } from '../support/uploads.ts';
import { testStack } from '../support/stack/stack.ts';

let company: Bookable;
/** Newest first. */
const months = monthsThrough(new Date(), 'America/Chicago', FIGURE_MONTHS);
const [current = '', last = ''] = months;

beforeAll(async () => {
  company = await bookable();
  const of = { OrganizationId: 1, CountedAt: Date.UTC(2026, 10, 29, 9) };
  const figures = [
    { ...of, Month: current, Revenue: 1234.5, Visits: 12, Proposals: 4, AcceptedProposals: 3 },
    { ...of, Month: last, Leads: 3, LeadsByChannel: [{ Channel: 'Radio', Leads: 2 }] },
  ];
  await putFigures(
    company.accountId,
    figures.map((each) => monthFiguresEntity.blank(each)),
  );
});

test('the numbers are those of organizations/figures, in pictures and in tables', async () => {
  const { body } = await company.call('organizations/figures', { OrganizationId: 1 });
  const [newest, before] = body['Figures'] as MonthFigures[];
  expect(newest).toMatchObject({ Month: current, Revenue: 1234.5, CountedAt: '2026-11-29T09:00:00Z' });
  expect(before).toMatchObject({ Month: last, Leads: 3 });
  const browser = await signedIn(company, await makeUser(company, { role: 'ReadOnly' }));
  const { status, text } = await browser.open('/office/numbers');
  expect(status).toBe(200);
  for (const value of ['$1,234.50', '75%', 'Radio', '<td class="number">12</td>']) expect(text).toContain(value);
  expect(text.match(/<svg class="plot" [^>]*role="img" aria-label="[^"]+"/g)).toHaveLength(4);
  expect(text.match(/<caption>/g)).toHaveLength(4);
  expect(text.match(/<th scope="row">/g)).toHaveLength(4 * FIGURE_MONTHS + 4);
});

test('the page keeps to its policy: no style in an element, and no script but ours', async () => {
  const browser = await signedIn(company, await makeUser(company, { role: 'Owner' }));
  const { text, headers } = await browser.open('/office/numbers');
  expect(headers.get('content-security-policy')).not.toContain('unsafe');
  expect(text.match(/<style|\bstyle=|\bon\w+=/g)).toBeNull();
});

test('months from 1 to 36 are listed, newest first, and no others', async () => {
  const list = async (Months: number) => {
    const { status, body } = await company.call('organizations/figures', { Months });
    return [status, ...((body['Figures'] ?? []) as { Month: string }[]).map(({ Month }) => Month)];
  };
  expect(await list(1)).toEqual([200, current]);
  expect(await list(2)).toEqual([200, current, last]);
  expect((await list(36)).slice(0, 3)).toEqual([200, current, last]);
  expect(await list(37)).toEqual([400]);
});

test('a service agent has no link to the numbers, and nothing at their address', async () => {
  const agentId = company.agents['Ann'] ?? 0;
  const browser = await signedIn(company, await makeUser(company, { role: 'ServiceAgent', agentId }));
  expect((await browser.open('/office')).text).not.toContain('/office/numbers');
  expect((await browser.open('/office/numbers')).status).toBe(404);
  const key = await company.newKey({ role: 'ServiceAgent', agentId });
  expect((await company.call('organizations/figures', {}, { key })).status).toBe(403);
});

test('the files of a client are on its page, and open as downloads', async () => {
  const upload = {
    upload: { ContactId: company.contact },
    files: [{ Filename: 'Gate code.png', Content: pngPicture(2, 2).toString('base64') }],
  };
  const { body } = await company.call('contacts/upload', upload);
  const [id] = (body['upload'] as { UploadIds: number[] }).UploadIds;
  const browser = await signedIn(company, await makeUser(company, { role: 'Office' }));
  expect((await browser.open(`/office/client/${company.contact}`)).text).toContain(
    `<a href="/office/file/${id}">Gate code.png</a>`,
  );
  const { status, headers } = await browser.open(`/office/file/${id}`);
  expect(status).toBe(303);
  const file = await fetch(new URL(headers.get('location') ?? '', testStack().BaseUrl));
  expect([file.status, file.headers.get('content-disposition')]).toEqual([200, expect.stringContaining('attachment')]);
  expect((await browser.open('/office/file/999')).status).toBe(404);
});
