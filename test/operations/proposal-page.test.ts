import { beforeAll, describe, expect, test } from 'vitest';
import type { ProposalRecord, Proposal } from '../../lib/entities/proposals.ts';
import { MINUTE } from '../../lib/shared/time/time.ts';
import { findAccountLinks } from '../../lib/store/links.ts';
import { accountCaller } from '../../lib/store/requests/caller.ts';
import { findProposal, proposalChanges } from '../../lib/store/sales/proposals.ts';
import { revokeLinks } from '../../lib/workflows/pages/revoke-links.ts';
import { openPage, sendForm } from '../support/pages.ts';
import { putOrganizationSettings } from '../support/settings.ts';
import { type Bookable, bookable } from '../support/scheduling.ts';
import { pngUri } from '../support/signatures.ts';
import { onStack, testStack, testTable } from '../support/stack/stack.ts';
import { pngPicture } from '../support/uploads.ts';
import { accountStore, storeOf } from '../../lib/store/store.ts';
import { callerContext } from '../../lib/workflows/context.ts';

let company: Bookable;

beforeAll(async () => {
  company = await bookable({
    services: [
      { Name: 'Lawn care', BasePrice: 50, BaseDuration: 60 },
      { Name: 'Garden', BasePrice: 50, BaseDuration: 60, MinimumOptions: 1 },
      { Name: 'Park', BasePrice: 50, BaseDuration: 60, MinimumSubtotal: 80 },
    ],
  });
  await putOrganizationSettings(company, { VerifyAbove: 5000 });
});

const create = async (more: object = {}): Promise<Proposal> => {
  const input = { ContactId: company.contact, ServiceName: 'Lawn care', Title: 'Front beds', Status: 'Open', ...more };
  return (await company.call('proposal/create', input)).body as unknown as Proposal;
};

const linkOf = ({ ClientUrl }: Proposal): string => onStack(ClientUrl);

const statusOf = async (Id: number): Promise<string> =>
  (await company.call('proposal/details', { Id })).body['Status'] as string;

/** Changes what is stored of a proposal and no operation sets. */
async function change({ Id }: Proposal, changed: Partial<ProposalRecord>): Promise<void> {
  const before = await findProposal(storeOf(testTable(), { account: company.accountId, organizationId: null }), Id);
  if (!before) throw new Error('no proposal');
  const transition = { before, after: { ...before, ...changed }, now: new Date() };
  await testTable().commit([proposalChanges({ account: company.accountId }, transition).change]);
}

const revoke = async (kind: 'proposal' | 'invoice', id: number): Promise<void> => {
  const context = callerContext(testTable(), accountCaller(company.accountId), new Date());
  await testTable().commit(await revokeLinks(context, kind, id));
};

const upload = (ProposalId: number, files: readonly object[], Note = '') =>
  company.call('proposal/upload', { upload: { ProposalId, Note }, files });

const pictureFile = (name: string, width: number) => ({
  Filename: name,
  ContentType: 'image/png',
  Content: Buffer.from(pngPicture(width, 30)).toString('base64'),
});

/** The paths of the pictures on a page, in order. */
const picturesOn = (text: string): string[] =>
  [...text.matchAll(/<img src="([^"]*\/picture-\d+)"/g)].map((each) => each[1] ?? '');

describe('pictures of a proposal', () => {
  test('stand on its page, at the option that their note names, and come from our own host', async () => {
    const proposal = await create({
      ProposalLines: [
        { LineDescription: 'Plants', Quantity: 1, UnitPrice: 10, ProposalOption: { Name: 'Good', Selected: true } },
        { LineDescription: 'Shrubs', Quantity: 1, UnitPrice: 20, ProposalOption: { Name: 'Best' } },
      ],
    });
    await upload(proposal.Id, [pictureFile('now.png', 40)], 'The bed <now>');
    await upload(proposal.Id, [pictureFile('best.png', 50)], 'best');
    await upload(proposal.Id, [{ Filename: 'plan.txt', Content: Buffer.from('secret plan').toString('base64') }]);
    const page = await openPage(linkOf(proposal));
    const [first = '', second = ''] = picturesOn(page.text);
    expect(picturesOn(page.text)).toHaveLength(2);
    expect(page.text.indexOf(first)).toBeLessThan(page.text.indexOf('>Pictures<'));
    expect(page.text.indexOf(second)).toBeGreaterThan(page.text.indexOf('>Pictures<'));
    expect(page.text).toContain('width="50" height="30"');
    expect(page.text).toContain('The bed &lt;now&gt;');
    expect(page.text).not.toContain('plan.txt');
    const picture = await fetch(`${testStack().BaseUrl}${second}`);
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(picture.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(Buffer.from(pngPicture(40, 30)));
  });

  test('open by a link of that proposal alone, and no document, picture of a contact or later one does', async () => {
    const [one, other] = [await create(), await create()];
    const idOf = async (answer: ReturnType<typeof upload>): Promise<number> =>
      ((await answer).body['upload'] as { UploadIds: number[] }).UploadIds[0] ?? 0;
    const picture = await idOf(upload(one.Id, [pictureFile('one.png', 40)]));
    const text = await idOf(upload(one.Id, [{ Filename: 'plan.txt', Content: Buffer.from('x').toString('base64') }]));
    const files = [pictureFile('contact.png', 40)];
    const ofContact = await idOf(company.call('contacts/upload', { upload: { ContactId: company.contact }, files }));
    const statusOfPicture = async (proposal: Proposal, id: number): Promise<number> =>
      (await fetch(`${linkOf(proposal)}/picture-${id}`)).status;
    expect(await statusOfPicture(one, picture)).toBe(200);
    for (const id of [text, ofContact, 99_999]) expect(await statusOfPicture(one, id)).toBe(404);
    expect(await statusOfPicture(other, picture)).toBe(404);
    await sendForm(linkOf(one), await openPage(linkOf(one)), 'accept', { name: 'Ana' });
    const later = await idOf(upload(one.Id, [pictureFile('later.png', 60)]));
    expect(picturesOn((await openPage(linkOf(one))).text)).toHaveLength(1);
    expect([await statusOfPicture(one, picture), await statusOfPicture(one, later)]).toEqual([200, 404]);
    await revoke('proposal', one.Id);
    expect(await statusOfPicture(one, picture)).toBe(404);
  });
});

test('an expired or declined proposal names the newer one of its service, which takes its place', async () => {
  const { body } = await company.call('contacts/addupdate', { Name: 'Ana', Email: 'replaced@example.com' });
  const ContactId = (body['Matches'] as { Id: number }[])[0]?.Id;
  const [declined, expired] = [await create({ ContactId }), await create({ ContactId })];
  await sendForm(linkOf(declined), await openPage(linkOf(declined)), 'decline', {});
  await company.call('proposal/update', { Id: expired.Id, Status: 'Expired' });
  expect((await openPage(linkOf(expired))).text).toContain('<h2>Expired</h2>');
  const newer = await create({ ContactId, Title: 'Front beds, smaller' });
  await create({ ContactId, ServiceName: 'Another service' });
  for (const [old, title] of [
    [declined, 'Declined'],
    [expired, 'Replaced'],
  ] as const) {
    const page = await openPage(linkOf(old));
    expect(page.text).toContain(`<h2>${title}</h2>`);
    expect(page.text).toContain(`href="${newer.ClientUrl}">Open the newer proposal`);
    expect(page.text).not.toContain('value="accept"');
  }
  expect((await openPage(linkOf(newer))).text).not.toContain('Replaced');
});

test('of alternatives one has to be chosen, a single option may be added, and a minimum is said in plain words', async () => {
  const line = (Name: string, UnitPrice: number) => ({
    LineDescription: Name,
    Quantity: 1,
    UnitPrice,
    ProposalOption: { Name },
  });
  const alternatives = linkOf(await create({ ProposalLines: [line('Good', 10), line('Best', 20)] }));
  const page = await openPage(alternatives);
  expect(page.text).toContain('Choose one of the options above');
  expect(page.text).toContain('<dd>from $60.00</dd>');
  expect(page.text).not.toContain('$0.00');
  expect(page.text).not.toContain('value="accept"');
  const [, option = ''] = /name="option" value="(\d+)"/.exec(page.text) ?? [];
  expect((await openPage(`${alternatives}?choose=1&option=${option}`)).text).toContain('value="accept"');
  const single = await openPage(linkOf(await create({ ProposalLines: [line('Mulch', 10)] })));
  expect(single.text).toContain('type="checkbox" name="option"');
  expect(single.text).toContain('value="accept"');
});

describe('a form that comes too late', () => {
  const options = ['Good', 'Best'].map((Name, index) => ({
    LineDescription: Name,
    Quantity: 1,
    UnitPrice: 10 * (index + 1),
    ProposalOption: { Name },
  }));
  const twoTabs = async () => {
    const link = linkOf(await create({ ProposalLines: options }));
    const ids = [...(await openPage(link)).text.matchAll(/name="option" value="(\d+)"/g)].map(([, id = '']) => id);
    const tabs = await Promise.all(ids.map((id) => openPage(`${link}?choose=1&option=${id}`)));
    const [one, other] = tabs.map((tab, index) => ({ tab, fields: { name: 'Ana', option: ids[index] ?? '' } }));
    if (!one || !other) throw new Error('two options are expected');
    return { link, one, other };
  };

  test('signs nothing: where another option was accepted, the page says that nothing was changed', async () => {
    const { link, one, other } = await twoTabs();
    expect((await sendForm(link, one.tab, 'accept', one.fields)).status).toBe(303);
    const late = await sendForm(link, other.tab, 'accept', other.fields);
    expect(late.status).toBe(409);
    expect(late.text).toContain('<h2>Nothing was changed</h2>');
    const declined = await sendForm(link, other.tab, 'decline', { reason: '' });
    expect([declined.status, declined.text.includes('<h2>Nothing was changed</h2>')]).toEqual([409, true]);
  });

  test('of the same choice again leads to what it accepted', async () => {
    const { link, one } = await twoTabs();
    await sendForm(link, one.tab, 'accept', one.fields);
    const again = await sendForm(link, one.tab, 'accept', one.fields);
    expect([again.status, again.headers.get('location')]).toEqual([303, expect.stringContaining('done=accepted')]);
  });
});

describe('a proposal that nobody could accept', () => {
  const withMinimum = (minimum: object): Partial<ProposalRecord> => ({
    Book: { Service: { Name: 'Lawn care', BasePrice: 50, ...minimum }, Parts: [], Fields: [] } as never,
  });

  test('is not opened, and stays open only where it was before', async () => {
    const line = { LineDescription: 'Beds', Quantity: 1, UnitPrice: 20 };
    const option = (Name: string, UnitPrice: number) => ({ ...line, UnitPrice, ProposalOption: { Name } });
    const attempt = async (ServiceName: string, ProposalLines: object[]) =>
      (
        await company.call('proposal/create', {
          ContactId: company.contact,
          ServiceName,
          ProposalLines,
          Status: 'Open',
        })
      ).body['Message'] as string;
    const open = 'Status cannot be Open, as nobody could accept the proposal: the';
    expect(await attempt('Garden', [line])).toBe(
      `${open} MinimumOptions of its service is 1, and the options are 0. Add lines first.`,
    );
    expect(await attempt('Garden', [option('Good', 10), option('Best', 20)])).not.toContain('cannot be Open');
    const short = `${open} MinimumSubtotal of its service is 80.00, and no choice of options comes to it. Add lines first.`;
    expect(await attempt('Park', [line])).toBe(short);
    expect(await attempt('Park', [option('Good', 10), option('Better', 20)])).toBe(short);
    expect(await attempt('Park', [option('Good', 10), option('Best', 30)])).not.toContain('cannot be Open');
  });

  test('and was open before says on its page whom to ask', async () => {
    const proposal = await create();
    await change(proposal, withMinimum({ MinimumOptions: 1 }));
    const page = await openPage(linkOf(proposal));
    expect(page.text).toContain('This proposal is not ready to be signed.');
    expect(page.text).not.toContain('value="accept"');
    const renamed = await company.call('proposal/update', { Id: proposal.Id, Title: 'Beds' });
    expect(renamed.status).toBe(200);
  });
});

test('a signed proposal leads to its deposit, says when it is paid, and never leads around a revocation', async () => {
  const ProposalLines = [{ LineDescription: 'Beds', Quantity: 1, UnitPrice: 200 }];
  let proposal = await create({ DepositRequired: true, DepositRate: 25, ProposalLines });
  await sendForm(linkOf(proposal), await openPage(linkOf(proposal)), 'accept', { name: 'Ana' });
  const depositLink = async (): Promise<string> =>
    /href="([^"]*\/c\/invoice\/[^"]*)"/.exec((await openPage(linkOf(proposal))).text)?.[1] ?? '';
  expect((await openPage(linkOf(proposal))).text).toContain('A deposit of $62.50 is due.');
  const scope = { account: company.accountId, organizationId: null };
  const InvoiceId = (await findProposal(storeOf(testTable(), scope), proposal.Id))?.DepositInvoiceId ?? 0;
  const first = await depositLink();
  expect((await openPage(first)).status).toBe(200);
  await revoke('proposal', proposal.Id);
  // Whoever had the page of the proposal had the link of its deposit too.
  expect((await openPage(first)).status).toBe(404);
  expect((await openPage(linkOf(proposal))).status).toBe(404);
  proposal = (await company.call('proposal/details', { Id: proposal.Id })).body as unknown as Proposal;
  expect((await openPage(await depositLink())).status).toBe(200);
  await revoke('invoice', InvoiceId);
  expect(await depositLink()).toBe('');
  expect((await openPage(linkOf(proposal))).text).toContain('Call or write to us for a new link to it.');
  await company.call('payment/import', { Payment: { InvoiceId, Amount: 62.5, Method: 'Check' } });
  expect((await openPage(linkOf(proposal))).text).toContain('Your deposit is paid.');
});

test('a proposal that a key accepted says so on its page; one that its client signed there does not', async () => {
  const [byOffice, byClient] = [await create(), await create()];
  await company.call('proposal/accept', { ProposalId: byOffice.Id, Name: 'Ana', SignatureData: pngUri });
  await sendForm(linkOf(byClient), await openPage(linkOf(byClient)), 'accept', { name: 'Ana' });
  const said = 'The office recorded this acceptance, with its key “test”.';
  expect((await openPage(linkOf(byOffice))).text).toContain(said);
  expect((await openPage(linkOf(byClient))).text).not.toContain('The office recorded');
});

test('a newer proposal with a lower id, as another container gives it, takes the place of an older one too', async () => {
  const { body } = await company.call('contacts/addupdate', { Name: 'Ana', Email: 'lower-id@example.com' });
  const ContactId = (body['Matches'] as { Id: number }[])[0]?.Id;
  const made = [await create({ ContactId }), await create({ ContactId })];
  const [newer, declined] = made.toSorted((one, other) => one.Id - other.Id) as [Proposal, Proposal];
  await change(newer, { Created: Date.now() - MINUTE });
  await sendForm(linkOf(declined), await openPage(linkOf(declined)), 'decline', {});
  expect((await openPage(linkOf(declined))).text).toContain('<h2>Declined</h2>');
  await change(newer, { Created: Date.now() + MINUTE });
  expect((await openPage(linkOf(declined))).text).toContain(`href="${newer.ClientUrl}"`);
});

test('a proposal that expired says so, and is not signed by a form that was open before', async () => {
  const proposal = await create();
  const open = await openPage(linkOf(proposal));
  expect(open.text).toContain('value="accept"');
  await change(proposal, { ExpiresAt: Date.now() - 1000 });
  const sent = await sendForm(linkOf(proposal), open, 'accept', { name: 'Ana' });
  expect(sent.status).toBe(409);
  expect(sent.text).toContain('can no longer be signed');
  const page = await openPage(linkOf(proposal));
  expect(page.text).toContain('Expired');
  expect(page.text).not.toContain('value="accept"');
  expect(await statusOf(proposal.Id)).not.toBe('Accepted');
});

test('a declined proposal is not signed by a form that was open before', async () => {
  const proposal = await create();
  const open = await openPage(linkOf(proposal));
  expect((await sendForm(linkOf(proposal), open, 'decline', { reason: 'No' })).status).toBe(303);
  const sent = await sendForm(linkOf(proposal), open, 'accept', { name: 'Ana' });
  expect(sent.status).toBe(409);
  expect(sent.text).toContain('This proposal was declined');
  expect(await statusOf(proposal.Id)).toBe('Declined');
});

test('a change order is signed on a page of its own, and the page of its proposal lists it', async () => {
  const proposal = await create();
  await sendForm(linkOf(proposal), await openPage(linkOf(proposal)), 'accept', { name: 'Ana' });
  const order = await create({
    Title: 'Mulch',
    ChangeOrderForProposalId: proposal.Id,
    ProposalLines: [{ LineDescription: 'More mulch', Quantity: 1, UnitPrice: 30 }],
  });
  const page = await openPage(linkOf(order));
  expect(page.text).toContain('Change order: Mulch');
  expect(page.text).toContain('More mulch');
  expect((await sendForm(linkOf(order), page, 'accept', { name: 'Ana' })).status).toBe(303);
  expect(await statusOf(order.Id)).toBe('Accepted');
  const { text } = await openPage(linkOf(proposal));
  const [, link = ''] = /<a href="([^"]*)">Change order: Mulch<\/a> \(Accepted\)/.exec(text) ?? [];
  expect(link).toBe(order.ClientUrl);
  expect(page.text).toContain(`<a href="${proposal.ClientUrl}">Front beds</a> (Accepted)`);
});

test('a bundled proposal is listed on the page of the one it belongs to', async () => {
  const proposal = await create();
  const bundled = await create({ Title: 'Back beds', BundleWithProposalId: proposal.Id });
  await create({ Title: 'Not for clients yet', BundleWithProposalId: proposal.Id, Status: 'Internal' });
  const { text } = await openPage(linkOf(proposal));
  expect(text).toContain(`<a href="${bundled.ClientUrl}">Back beds</a> (Open)`);
  expect(text).not.toContain('Not for clients yet');
  const spanish = await openPage(`${linkOf(bundled)}?lang=es`);
  expect(spanish.text).toContain(`<a href="${proposal.ClientUrl}">Front beds</a> (Pendiente)`);
});

test('once the links of a proposal are revoked, the page of one that belongs to it leads there no more', async () => {
  const proposal = await create();
  const bundled = await create({ Title: 'Back beds', BundleWithProposalId: proposal.Id });
  expect((await openPage(linkOf(bundled))).text).toContain(`href="${proposal.ClientUrl}"`);
  await revoke('proposal', proposal.Id);
  const { text } = await openPage(linkOf(bundled));
  expect(text).toContain('Front beds');
  expect(text).not.toMatch(/href="[^"]*\/c\/proposal\/[^"]*">Front beds/);
});

test('links on a page end on the last day of the link that led there', async () => {
  const proposal = await create();
  await create({ Title: 'Back beds', BundleWithProposalId: proposal.Id });
  const earlier = await findAccountLinks(
    accountStore(testTable(), company.accountId),
    new Date(Date.now() - 60 * 24 * 60 * MINUTE),
  );
  const { text } = await openPage(onStack(earlier('proposal', proposal.Id, 0)));
  const lastDays = [...text.matchAll(/\/c\/\w+\/\w+-\w+-\w+-(\w+)-[\w-]{22}"/g)].map((match) => match[1]);
  expect(lastDays.length).toBeGreaterThanOrEqual(2);
  expect(new Set(lastDays)).toEqual(new Set([/-(\w+)-[\w-]{22}$/.exec(earlier('proposal', proposal.Id, 0))?.[1]]));
});

describe('an amount above verifyAbove', () => {
  const ofContact = async (Email: string, phones: object, UnitPrice: number): Promise<Proposal> => {
    const { body } = await company.call('contacts/addupdate', { Name: 'Ana', Email, ...phones });
    const ContactId = (body['Matches'] as { Id: number }[])[0]?.Id;
    return create({ ContactId, ProposalLines: [{ LineDescription: 'Terrace', Quantity: 1, UnitPrice }] });
  };
  const phones = { Phone: '(217) 555-0142 x77', AltPhone: '217-555-0199' };
  const sign = async (link: string, fields: Record<string, string>) =>
    sendForm(link, await openPage(link), 'accept', { name: 'Ana', ...fields });

  test('is signed with the last digits of any phone of the client, which no answer shows', async () => {
    const proposals = [1, 2].map((number) => ofContact(`large-${number}@example.com`, phones, 5000));
    for (const [index, proposal] of (await Promise.all(proposals)).entries()) {
      const link = linkOf(proposal);
      const page = await openPage(link);
      const refused = [await sign(link, {}), await sign(link, { phone: '0077' }), await sign(link, { phone: '50142' })];
      expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
      const spanish = await sendForm(`${link}?lang=es`, page, 'accept', { name: 'Ana', phone: '9999' });
      expect(page.text).toContain('Last 4 digits of your phone number');
      expect(refused[0]?.text).toContain('<p class="error" id="phone-error">This is required.</p>');
      expect(refused[1]?.text).toContain('These digits don&#39;t match the phone number we have for you.');
      expect(refused[1]?.text).toContain('value="Ana"');
      expect(spanish.text).toContain('Estos dígitos no coinciden con el teléfono');
      for (const { text } of [page, ...refused, spanish]) expect(text).not.toMatch(/555-01|0142"|0199/);
      expect(await statusOf(proposal.Id)).toBe('Open');
      expect((await sign(link, { phone: ['0142', '0199'][index] ?? '' })).status).toBe(303);
      expect(await statusOf(proposal.Id)).toBe('Accepted');
    }
  });

  test('takes five tries an hour, also at the same time, and the right digits no more after them', async () => {
    const link = linkOf(await ofContact('guesses@example.com', phones, 5000));
    const page = await openPage(link);
    const guess = (phone: string) => sendForm(link, page, 'accept', { name: 'Ana', phone });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => guess(String(1000 + index))));
    expect(answers.map(({ status }) => status).sort()).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
    const right = await guess('0142');
    expect([right.status, Number(right.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(right.text).toContain('Too many attempts');
  });

  test('is not signed by a client without a phone; the page says to call', async () => {
    const proposal = await ofContact('no-phone@example.com', phones, 5000);
    const before = await openPage(linkOf(proposal));
    await company.call('contacts/addupdate', { Id: proposal.ContactId, Phone: '', AltPhone: '' });
    const sent = await sendForm(linkOf(proposal), before, 'accept', { name: 'Ana', phone: '' });
    expect(sent.status).toBe(409);
    for (const { text } of [sent, await openPage(linkOf(proposal))]) {
      expect(text).toContain('we have none for you. Please call us.');
      expect(text).not.toContain('value="accept"');
    }
    expect(await statusOf(proposal.Id)).toBe('Open');
  });

  test('begins above the amount: what comes to it exactly is signed without digits', async () => {
    const proposal = await ofContact('exactly@example.com', phones, 4950);
    expect((await openPage(linkOf(proposal))).text).not.toContain('name="phone"');
    expect((await sign(linkOf(proposal), {})).status).toBe(303);
  });
});
