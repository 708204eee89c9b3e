import type { ProposalTemplate } from '../../../lib/entities/price-book.ts';
import { PROPOSAL_STATUSES } from '../../../lib/entities/proposal-status.ts';
import type { ProposalRecord, Proposal } from '../../../lib/entities/proposals.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { findProposal, proposalChanges, queryProposals } from '../../../lib/store/sales/proposals.ts';
import { ascending } from '../../support/random/ascending.ts';
import { expectFailure } from '../../support/failed.ts';
import { writeBook } from '../../support/price-book.ts';
import { type CallOptions, type TestAccount, testAccount, testTable } from '../../support/stack/stack.ts';
import { listReader } from '../../support/list-readers.ts';
import { storeOf } from '../../../lib/store/store.ts';

let account: TestAccount;
/** A key of the second organization; the first is in New York. */
let kolkata: string;
let contacts: { ana: number; carl: number; bina: number };

beforeAll(async () => {
  account = await testAccount();
  const { accountId } = account;
  await testTable().commit(
    newOrganizationChanges(
      { account: accountId },
      { Id: 2, PublicName: 'Kolkata', Timezone: 'Asia/Kolkata', Country: 'IN' },
    ),
  );
  await testTable().update({ update: layout.account.key({ account: accountId }), set: { Organizations: 2 } });
  kolkata = await account.newKey({ role: 'Owner', organizationId: 2, name: 'Kolkata desk' });
  await writeBook(accountId, { services: [{ Name: 'Windows', BasePrice: 80 }] });
  await writeBook(accountId, {
    proposalTemplates: [
      { Name: 'Spring', ServiceId: 1 },
      { Name: 'Old', ServiceId: 1, IsActive: false },
    ],
  });
  await writeBook(accountId, { proposalTemplates: [{ Name: 'Delhi', ServiceId: 1 }] }, 2);
  const idOf = async (Name: string, OrganizationId: number) =>
    (
      (await account.call('contacts/addupdate', { Name, Email: `${Name}@example.com`, OrganizationId })).body[
        'Matches'
      ] as { Id: number }[]
    )[0]?.Id ?? 0;
  contacts = { ana: await idOf('Ana', 1), carl: await idOf('Carl', 1), bina: await idOf('Bina', 2) };
});

async function create(fields: object = {}): Promise<number> {
  const answer = await account.call('proposal/create', { ContactId: contacts.ana, ServiceId: 1, ...fields });
  expect(answer.status, answer.text).toBe(200);
  return answer.body['Id'] as number;
}

/** Changes a stored proposal like other operations and time do, at a given moment. */
async function become(id: number, overrides: Partial<ProposalRecord>, now = new Date()): Promise<void> {
  const before = await findProposal(storeOf(testTable(), { account: account.accountId, organizationId: null }), id);
  if (!before) throw new Error(`no proposal ${id}`);
  await testTable().commit([
    proposalChanges({ account: account.accountId }, { before, after: { ...before, ...overrides }, now }).change,
  ]);
}

async function query(criteria: object, options: CallOptions = {}) {
  const answer = await account.call('proposal/query', criteria, options);
  expect(answer.status, answer.text).toBe(200);
  const proposals = answer.body['Proposals'] as Proposal[];
  return { count: answer.body['Count'], ids: proposals.map(({ Id }) => Id), proposals };
}

describe('proposal/query', () => {
  test('Scope selects exactly the proposals of a status, in any case; all without one', async () => {
    const ContactId = contacts.carl;
    const ids: number[] = [];
    for (const status of PROPOSAL_STATUSES.keys()) {
      ids.push(await create({ ContactId }));
      await become(ids[status] ?? 0, { Status: status });
    }
    for (const [status, name] of PROPOSAL_STATUSES.entries()) {
      for (const Scope of [name, name.toUpperCase(), ` ${name.toLowerCase()} `]) {
        const { count, proposals } = await query({ Scope, ContactId });
        expect([count, proposals.map(({ Id, Status }) => [Id, Status])]).toEqual([1, [[ids[status], name]]]);
      }
    }
    expect((await query({ Scope: '', ContactId })).ids).toEqual(ascending(ids));
    expect((await query({ ContactId })).ids).toEqual(ascending(ids));
  });

  test('an open proposal beyond its time is expired without a write', async () => {
    const ContactId = (
      (await account.call('contacts/addupdate', { Name: 'Dee', OrganizationId: 1, Phone: '(217) 555-0188' })).body[
        'Matches'
      ] as { Id: number }[]
    )[0]?.Id;
    const [late, open, never] = [await create({ ContactId }), await create({ ContactId }), await create({ ContactId })];
    await become(late, { Status: 1, ExpiresAt: Date.now() - 120_000 });
    await become(open, { Status: 1, ExpiresAt: Date.now() + 3_600_000 });
    await become(never, { Status: 1, ExpiresAt: null });
    expect((await query({ Scope: 'open', ContactId })).ids).toEqual(ascending([open, never]));
    const expired = await query({ Scope: 'expired', ContactId });
    expect(expired.proposals.map(({ Id, Status }) => [Id, Status])).toEqual([[late, 'Expired']]);
  });

  test('selects by Date, both whole days included, in the order of Date, then id', async () => {
    const [one, first, third, other] = [
      await create({ Date: '2025-03-02' }),
      await create({ Date: '2025-03-01' }),
      await create({ Date: '3/3/2025' }),
      await create({ Date: '2025-03-02' }),
    ];
    const second = ascending([one, other]);
    expect((await query({ FromDate: '2025-03-01', ThroughDate: '2025-03-03' })).ids).toEqual([first, ...second, third]);
    expect((await query({ FromDate: '2025-03-02', ThroughDate: '2025-03-02' })).ids).toEqual(second);
    expect((await query({ FromDate: '3/3/2025', ThroughDate: '2025-12-31' })).ids).toEqual([third]);
  });

  test('selects by the moment of acceptance, which excludes proposals that were never accepted', async () => {
    const [early = 0, late = 0] = ascending([await create(), await create()]);
    await create();
    // 23:30 on 1 May in New York is 2 May in UTC.
    await become(early, { Status: 2, AcceptedAt: Date.parse('2025-05-02T03:30:00Z') });
    await become(late, { Status: 5, AcceptedAt: Date.parse('2025-05-03T15:00:00Z') });
    const key = await account.newKey({ organizationId: 1 });
    expect((await query({ FromAccepted: '2025-05-01', ThroughAccepted: '2025-05-01' }, { key })).ids).toEqual([early]);
    expect(
      (await query({ FromAccepted: '2025-05-01', ThroughAccepted: '2025-05-03', Scope: 'scheduled' }, { key })).ids,
    ).toEqual([late]);
    const { proposals } = await query({ FromAccepted: '2025-05-01', ThroughAccepted: '2025-05-31' }, { key });
    expect(proposals.map(({ Id, AcceptedDate }) => [Id, AcceptedDate])).toEqual([
      [early, '2025-05-01'],
      [late, '2025-05-03'],
    ]);
  });

  test('selects by the moment of the last change, and by owner', async () => {
    const [old, owned] = [await create(), await create()];
    await become(old, { Title: 'Older' }, new Date('2025-01-05T12:00:00Z'));
    await become(owned, { OwnerUserId: 4711 });
    expect((await query({ UpdatedFrom: '2025-01-05T11:59:59Z', UpdatedThrough: '2025-01-05T12:00:00Z' })).ids).toEqual([
      old,
    ]);
    expect((await query({ OwnerUserId: 4711 })).ids).toEqual([owned]);
    expect((await query({ OwnerUserId: 4711, UpdatedThrough: '2025-01-05' })).ids).toEqual([]);
  });

  test('pages contain each proposal once, with the exact count', async () => {
    const ids: number[] = [];
    for (let day = 1; day <= 7; day++) ids.push(await create({ Date: `2024-07-0${day}` }));
    const criteria = { FromDate: '2024-07-01', ThroughDate: '2024-07-31', Take: 3 };
    const pages = [
      await query({ ...criteria, Skip: 0 }),
      await query({ ...criteria, Skip: 3 }),
      await query({ ...criteria, Skip: 6 }),
      await query({ ...criteria, Skip: 9 }),
    ];
    expect(pages.map(({ count }) => count)).toEqual([7, 7, 7, 7]);
    expect(pages.map((page) => page.ids.length)).toEqual([3, 3, 1, 0]);
    expect(pages.flatMap((page) => page.ids)).toEqual(ids);
  });

  test('contains the contacts only with IncludeContact', async () => {
    const id = await create({ Date: '2024-02-01' });
    const day = { FromDate: '2024-02-01', ThroughDate: '2024-02-01' };
    expect((await query(day)).proposals).toMatchObject([{ Id: id, ContactId: contacts.ana, Contact: null }]);
    expect((await query({ ...day, IncludeContact: true })).proposals).toMatchObject([
      { Id: id, Contact: { Id: contacts.ana, Name: 'Ana' } },
    ]);
  });

  test('a key of one organization gets its own proposals only', async () => {
    const [here, there] = [
      await create({ Date: '2024-01-01' }),
      await create({ Date: '2024-01-01', ContactId: contacts.bina }),
    ];
    const day = { FromDate: '2024-01-01', ThroughDate: '2024-01-01' };
    const springfield = await account.newKey({ organizationId: 1 });
    expect((await query(day, { key: springfield })).ids).toEqual([here]);
    expect((await query(day, { key: kolkata })).ids).toEqual([there]);
    expect((await query({ ContactId: contacts.ana }, { key: kolkata })).count).toBe(0);
  });

  test.each([
    [{ Scope: 'opened' }, ['Scope']],
    [{ FromDate: 'soon', ThroughAccepted: '2026-02-30' }, ['FromDate', 'ThroughAccepted']],
    [{ FromDate: '2026-03-02', ThroughDate: '2026-03-01' }, ['ThroughDate']],
    [
      { FromAccepted: '2026-03-02', ThroughAccepted: '2026-03-01', UpdatedFrom: 'x' },
      ['ThroughAccepted', 'UpdatedFrom'],
    ],
    [{ Take: 501, Skip: -1 }, ['Skip', 'Take']],
    [{ Status: 'Open' }, ['Status']],
  ])('rejects %j with the invalid fields', async (criteria, invalidFields) => {
    const answer = await account.call('proposal/query', criteria);
    expectFailure(answer, 400);
    expect((answer.body['Errors'] as { Field: string }[]).map(({ Field }) => Field)).toEqual(invalidFields);
  });

  test('the error lists the values of Scope', async () => {
    const { body } = await account.call('proposal/query', { Scope: 'opened' });
    expect(body['Message']).toBe(
      'Scope must be empty for all, or one of internal, open, accepted, declined, invoiced, scheduled, complete, expired.',
    );
  });
});

test('the pages of open proposals are one list, also when the minute changes between them', async () => {
  const scope = { account: account.accountId, organizationId: 1, reader: listReader('minutes') };
  const made: number[] = [];
  for (let number = 0; number < 4; number++) made.push(await create({ Status: 'Open', Date: '2026-05-05' }));
  const ids = ascending(made);
  const page = async (skip: number, time: string) => {
    const query = { status: 1, accepted: {}, contact: contacts.ana, skip, take: 2 };
    const date = { from: Date.UTC(2026, 4, 5), through: Date.UTC(2026, 4, 6) };
    const found = await queryProposals(
      storeOf(testTable(), scope),
      { ...query, date },
      new Date(`2026-05-05T${time}Z`),
    );
    return found.proposals.map(({ Id }) => Id);
  };
  const first = await page(0, '12:00:59');
  await become(ids[0] ?? 0, { Status: 3 });
  expect([...first, ...(await page(2, '12:01:01'))]).toEqual(ids);
});

describe('proposal/alltemplates', () => {
  const namesFor = async (options: CallOptions = {}) =>
    ((await account.call('proposal/alltemplates', {}, options)).body['Templates'] as ProposalTemplate[]).map(
      ({ Name, IsActive, OrganizationId }) => [Name, IsActive, OrganizationId],
    );

  test('lists the templates of the account and of the key’s organization by id, also inactive ones', async () => {
    const shared = [
      ['Spring', true, 0],
      ['Old', false, 0],
    ];
    expect(await namesFor()).toEqual([...shared, ['Delhi', true, 2]]);
    expect(await namesFor({ key: kolkata })).toEqual([...shared, ['Delhi', true, 2]]);
    expect(await namesFor({ key: await account.newKey({ organizationId: 1 }) })).toEqual(shared);
  });
});
