import type { Proposal } from '../../../lib/entities/proposals.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { layout } from '../../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { expectFailure } from '../../support/failed.ts';
import { writeBook } from '../../support/price-book.ts';
import { putSettings } from '../../support/settings.ts';
import { svgUri } from '../../support/signatures.ts';
import { type TestAccount, type TestAnswer, drainEvents, testAccount, testTable } from '../../support/stack/stack.ts';

let account: TestAccount;
let contacts = { home: 0, other: 0, abroad: 0 };
let abroad: string;
const references = { taxes: [] as number[], fields: [] as number[] };

async function contact(fields: object): Promise<number> {
  const [made] = (await account.call('contacts/addupdate', fields)).body['Matches'] as { Id: number }[];
  return made?.Id ?? 0;
}

beforeAll(async () => {
  account = await testAccount();
  await testTable().commit(
    newOrganizationChanges({ account: account.accountId }, { Id: 2, PublicName: 'Kolkata', Timezone: 'Asia/Kolkata' }),
  );
  abroad = await account.newKey({ organizationId: 2 });
  references.taxes = await putSettings(account.accountId, 'NamedTaxRate', [
    { Name: 'County', TaxRate: 8 },
    { Name: 'City', TaxRate: 10 },
  ]);
  references.fields = await putSettings(account.accountId, 'CustomField', [
    { Name: 'Storeys', Shortcode: 'storeys', Type: 1, TableType: 2 },
    { Name: 'Colour', Type: 0, TableType: 3 },
  ]);
  await writeBook(account.accountId, {
    parts: [
      { Name: 'Screen', UnitPrice: 20, Taxable: true },
      { Name: 'Kit', UnitPrice: 30, IsAssembly: true, AssemblyItems: [{ PartName: 'Screen', Quantity: 2 }] },
      { Name: 'Frame', UnitPrice: 100, UnitPriceMax: 150, RangePricing: true },
    ],
    services: [
      {
        Name: 'Windows',
        BasePrice: 80,
        UnitPrice: 10,
        BaseDuration: 60,
        Taxable: true,
        Description: 'Inside and out.',
      },
      { Name: 'Doors', BasePrice: 300 },
    ],
  });
  contacts = {
    home: await contact({
      OrganizationId: 1,
      Name: 'José García',
      Email: 'jose@example.com',
      NamedTaxRate: { Name: 'County' },
    }),
    other: await contact({ OrganizationId: 1, Name: 'Ana Diaz', Email: 'ana@example.com' }),
    abroad: await contact({ OrganizationId: 2, Name: 'Asha Rao', Email: 'asha@example.com' }),
  };
});

const proposalIn = ({ body }: TestAnswer): Proposal => body as unknown as Proposal;
const listInvalidFields = ({ body }: TestAnswer): string[] =>
  ((body['Errors'] ?? []) as { Field: string }[]).map(({ Field }) => Field);
async function create(fields: object = {}, key?: string): Promise<Proposal> {
  const answer = await account.call(
    'proposal/create',
    { ContactId: contacts.home, ServiceId: 1, ...fields },
    key ? { key } : {},
  );
  expect([answer.status, answer.body['Message']]).toEqual([200, expect.any(String)]);
  return proposalIn(answer);
}
const update = (Id: number, fields: object) => account.call('proposal/update', { Id, ...fields });
const details = async (Id: number): Promise<TestAnswer> => account.call('proposal/details', { Id });
const versionOf = async (id: number) =>
  (await testTable().get(layout.proposal.key({ account: account.accountId, id })))?.['V'];
const accept = async (ProposalId: number) =>
  expect((await account.call('proposal/accept', { ProposalId, Name: 'José', SignatureData: svgUri })).status).toBe(200);
async function signed(fields: object = {}): Promise<Proposal> {
  const made = await create({ Status: 'Open', ...fields });
  await accept(made.Id);
  return made;
}

describe('proposal/create', () => {
  test('answers the complete proposal, as details does afterwards', async () => {
    // Service 80 + 3 × 10 = 110.00; 2 × 20 = 40.00; of Better 30 + 2 × 20 = 70.00; of Best 125.00: 110 + 40 + 70 =
    //
    // 220.00.
    // Tax of 8 %: 8.80 + 3.20 + (the item) 3.20 = 15.20.
    const answer = await account.call('proposal/create', {
      ContactId: contacts.home,
      ServiceName: 'windows',
      Quantity: 3,
      Date: '3/8/2027',
      Title: ' Front ',
      Status: 'Open',
      DepositRate: 10,
      DepositRequired: true,
      CustomerNotes: 'Gate is open.',
      Subtotal: 1,
      Tax: 1,
      CustomFields: [{ Name: 'Storeys', Value: 2 }],
      ProposalNotes: [{ Note: 'Call first.' }],
      ProposalLines: [
        { Part: { Id: 1 }, Quantity: 2, Notes: 'Back', CustomFields: [{ Name: 'Colour', Value: 'red' }] },
        { Part: { Name: 'Kit' }, ProposalOption: { Name: 'Better', Selected: true } },
        { Part: { Id: 3 }, UnitPrice: 125, ProposalOption: { Name: 'Best' } },
      ],
    });
    const made = proposalIn(answer);
    expect(made).toMatchObject({
      ContactId: contacts.home,
      Date: '2027-03-08',
      Status: 'Open',
      AcceptedDate: '',
      ServiceId: 1,
      ServiceName: 'Windows',
      Description: 'Inside and out.',
      Duration: 60,
      BasePrice: 80,
      UnitPrice: 10,
      Quantity: 3,
      Subtotal: 220,
      Tax: 15.2,
      NamedTaxRate: { Id: references.taxes[0], Name: 'County', TaxRate: 8 },
      Taxable: true,
      Title: 'Front',
      DepositRate: 10,
      DepositRequired: true,
      SelectedSolution: { Name: 'Better' },
      CustomerNotes: 'Gate is open.',
      ChangeOrders: [],
      BundledProposals: [],
      ProposalNotes: [{ Note: 'Call first.' }],
      CustomFields: [{ Id: references.fields[0], Name: 'Storeys', Value: 2 }],
      OwnerUserId: null,
      ServiceAgentId: null,
      Contact: { Id: contacts.home, OpenProposals: [{ Id: made.Id, Date: '2027-03-08', Service: 'Windows' }] },
    });
    expect(made.ClientUrl).toContain('/c/proposal/');
    const [screen, kit, item, frame] = made.ProposalLines;
    expect(
      [screen, kit, item, frame].map((line) => [
        line?.Part?.Name,
        line?.Quantity,
        line?.UnitPrice,
        line?.ExtendedTotal,
        line?.LineTax,
        line?.ProposalOption?.Name,
      ]),
    ).toEqual([
      ['Screen', 2, 20, 40, 3.2, undefined],
      ['Kit', 1, 30, 30, 0, 'Better'],
      ['Screen', 2, 20, 40, 3.2, 'Better'],
      ['Frame', 1, 125, 125, 0, 'Best'],
    ]);
    expect([item?.AssemblyLineId, screen?.CustomFields.map(({ Value }) => Value)]).toEqual([kit?.Id, ['red']]);
    expect((await details(made.Id)).body).toEqual(answer.body);
  });

  test('uses the organization’s date and Internal by default', async () => {
    const made = await create({ ContactId: contacts.abroad }, abroad);
    expect(made).toMatchObject({ Status: 'Internal', Quantity: 1, NamedTaxRate: null, Contact: { OpenProposals: [] } });
    expect(made.Date).toBe(new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10));
  });

  test.each<[number, object, string[]]>([
    [400, { Id: 5 }, ['Id']],
    [400, { ServiceId: 0 }, ['ServiceId']],
    [400, { ContactId: 0 }, ['ContactId']],
    [404, { ContactId: 999_999 }, ['ContactId']],
    [404, { ServiceId: 999_999 }, ['ServiceId']],
    [404, { ServiceId: null, ServiceName: 'Roofs' }, ['ServiceName']],
    [400, { ServiceName: 'Doors' }, ['ServiceName']],
    [400, { Status: 'Accepted' }, ['Status']],
    [
      400,
      { Status: 'Open', DepositRate: 200, OwnerUserId: 999, ServiceAgentId: 999, DeliveryUri: 'http://example.com' },
      ['OwnerUserId', 'ServiceAgentId', 'DepositRate', 'DeliveryUri'],
    ],
    [
      400,
      {
        ProposalLines: [
          { Part: { Id: 999_999 } },
          { Part: { Id: 3 }, UnitPrice: 99 },
          { Part: { Id: 1 }, Discount: 3, MaxDiscount: 2 },
        ],
      },
      ['ProposalLines[0].Part.Id', 'ProposalLines[1].UnitPrice', 'ProposalLines[2].Discount'],
    ],
    [
      400,
      { ChangeOrderForProposalId: 999_999, BundleWithProposalId: 999_998, Quantity: -1 },
      ['ChangeOrderForProposalId', 'BundleWithProposalId', 'Quantity'],
    ],
    [400, { Id: 5, ServiceId: 0 }, ['Id', 'ServiceId']],
    [400, { ProposalLines: [{ Part: { Id: 1, Name: 'Some other part' } }] }, ['ProposalLines[0].Part.Name']],
    [400, { ProposalNotes: Array.from({ length: 40 }, () => ({ Note: 'x'.repeat(9_999) })) }, ['ProposalLines']],
  ])('is %i for %j', async (status, fields, invalidFields) => {
    const answer = await account.call('proposal/create', { ContactId: contacts.home, ServiceId: 1, ...fields });
    expectFailure(answer, status);
    expect(listInvalidFields(answer)).toEqual(invalidFields);
  });
});

describe('proposal/update', () => {
  test('sending back the answer of details changes nothing and makes no event', async () => {
    const own = await testAccount();
    await writeBook(own.accountId, {
      parts: [
        { Name: 'Screen', UnitPrice: 20 },
        { Name: 'Kit', IsAssembly: true, AssemblyItems: [{ PartName: 'Screen', Quantity: 2 }] },
      ],
      services: [{ Name: 'Windows', BasePrice: 80 }],
    });
    await own.call('contacts/addupdate', { Name: 'José García', Email: 'jose@example.com' });
    await own.call('proposal/create', {
      ContactId: 1,
      ServiceId: 1,
      Status: 'Open',
      Quantity: 2,
      ProposalLines: [{ Part: { Id: 2 }, ProposalOption: { Name: 'Better', Selected: true } }],
    });
    const answered = await own.call('proposal/details', { Id: 1 });
    const again = await own.call('proposal/update', answered.body);
    expect([again.status, again.body]).toEqual([200, answered.body]);
    expect((await testTable().get(layout.proposal.key({ account: own.accountId, id: 1 })))?.['V']).toBe(1);
    const opened = await own.call('proposal/update', { Id: 1, Title: 'Front' });
    expect(opened.status).toBe(200);
    await drainEvents();
    const events = (await own.call('datasubscriber/fetch')).body['Events'] as {
      Payload: { Kind: string; Id: number; Changed: string[] };
    }[];
    const result = events.map(({ Payload }) => Payload).filter(({ Kind }) => Kind.startsWith('proposal'));
    expect(result.map(({ Kind, Id }) => [Kind, Id])).toEqual([
      [expect.stringMatching(/^proposal\.(created|opened)$/), 1],
      ['proposal.updated', 1],
    ]);
    expect(result[1]?.Changed).toContain('Title');
  });

  test('changes lines, options, tax and texts together: 80 + 10 + 3 × 20 + 100 = 250.00; 10 % of 90 and of 60 = 15.00', async () => {
    const made = await create({ ProposalLines: [{ Part: { Id: 1 } }, { Part: { Id: 2 } }] });
    const [screen, kit] = made.ProposalLines;
    const answer = proposalIn(
      await update(made.Id, {
        NamedTaxRate: { Name: 'City' },
        Description: null,
        SelectedSolution: { Name: 'Best' },
        ProposalLines: [
          { Id: screen?.Id, Quantity: 3 },
          { Id: kit?.Id, Quantity: 0 },
          { Part: { Id: 3 }, ProposalOption: { Name: 'Best' } },
        ],
      }),
    );
    expect(answer).toMatchObject({ Subtotal: 250, Tax: 15, Description: '', SelectedSolution: { Name: 'Best' } });
    expect(answer.ProposalLines.map(({ Part, Quantity }) => [Part?.Name, Quantity])).toEqual([
      ['Screen', 3],
      ['Frame', 1],
    ]);
    expect(proposalIn(await details(made.Id))).toEqual(answer);
  });

  test('changes the service by name; contradictory references are 400', async () => {
    const made = await create();
    expectFailure(await update(made.Id, { ServiceId: 2, ServiceName: 'Roofs' }), 400);
    expect(proposalIn(await update(made.Id, { ServiceId: 1, ServiceName: 'doors' }))).toMatchObject({
      ServiceId: 2,
      ServiceName: 'Doors',
      Subtotal: 300,
      Taxable: false,
    });
  });

  test('changes status along the table; the contact’s open proposals follow', async () => {
    const { Id } = await create({ ContactId: contacts.other });
    const openOf = async (Status: string) => {
      const answer = await update(Id, { Status });
      return [answer.status, proposalIn(answer).Status, proposalIn(answer).Contact?.OpenProposals.length];
    };
    expect(await openOf('Open')).toEqual([200, 'Open', 1]);
    expect(await openOf('Declined')).toEqual([200, 'Declined', 0]);
    expect(await openOf('Open')).toEqual([200, 'Open', 1]);
    for (const [Status, says] of [
      ['Accepted', 'proposal/accept'],
      ['Complete', 'Accepted or Declined or Expired'],
    ] as const) {
      const answer = await update(Id, { Status });
      expectFailure(answer, 409);
      expect(answer.body['Message']).toContain(says);
    }
  });

  test('a signed proposal changes in notes, owner, custom fields and status only', async () => {
    const { Id } = await signed({ ProposalLines: [{ Part: { Id: 1 } }] });
    const before = proposalIn(await details(Id));
    const answer = await update(Id, { Title: 'Other', Quantity: 9 });
    expectFailure(answer, 409);
    expect(answer.body['Message']).toContain(
      `Quantity, Title cannot change. Make a change order: create a proposal with ChangeOrderForProposalId ${Id}.`,
    );
    expectFailure(await update(Id, { ProposalLines: [{ Part: { Id: 1 } }] }), 409);
    expectFailure(await update(Id, { Status: 'Open' }), 409);
    const after = proposalIn(
      await update(Id, {
        ...before,
        Status: 'Scheduled',
        ProposalNotes: [{ Note: 'Signed.' }],
        CustomFields: [{ Name: 'Storeys', Value: 3 }],
      }),
    );
    expect(after).toMatchObject({
      Status: 'Scheduled',
      Subtotal: before.Subtotal,
      ProposalLines: before.ProposalLines,
      ProposalNotes: [{ Note: 'Signed.' }],
      CustomFields: [{ Value: 3 }],
    });
  });

  test('is 404 for a key of another organization, as are its details', async () => {
    const { Id } = await create();
    expectFailure(await account.call('proposal/update', { Id, Title: 'Mine' }, { key: abroad }), 404);
    expectFailure(await account.call('proposal/details', { Id }, { key: abroad }), 404);
    expectFailure(
      await account.call('proposal/create', { ContactId: contacts.home, ServiceId: 1 }, { key: abroad }),
      404,
    );
    expectFailure(await update(Id, { ContactId: contacts.other }), 400);
  });

  test('eight concurrent updates lose nothing: eight lines, eight notes, 90 + 8 × 20 = 250.00', async () => {
    const { Id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        update(Id, { ProposalLines: [{ Part: { Id: 1 }, Notes: `${index}` }], ProposalNotes: [{ Note: `${index}` }] }),
      ),
    );
    for (const answer of answers.filter(({ status }) => status !== 200)) expectFailure(answer, 503);
    const done = answers.filter(({ status }) => status === 200).length;
    const after = proposalIn(await details(Id));
    expect([after.ProposalLines.length, after.ProposalNotes.length, after.Subtotal]).toEqual([
      done,
      done,
      90 + 20 * done,
    ]);
    expect(new Set(after.ProposalLines.map(({ Id: line }) => line)).size).toBe(done);
    expect(await versionOf(Id)).toBe(1 + done);
  });
});

describe('change orders and bundles', () => {
  const family = async (Id: number) => {
    const { body } = await details(Id);
    const { ChangeOrders, BundledProposals } = body as unknown as Proposal;
    return { orders: ChangeOrders, bundled: BundledProposals, says: body['Message'] };
  };

  test('a change order is listed by its signed parent, follows it, and counts once it is signed: 90 + 300 = 390.00', async () => {
    const parent = await signed();
    const order = await create({
      ServiceId: 2,
      ChangeOrderForProposalId: parent.Id,
      Date: '2027-01-02',
      Status: 'Open',
    });
    expect(await family(parent.Id)).toEqual({
      orders: [{ Id: order.Id, Service: { Id: 2, Name: 'Doors' }, Date: '2027-01-02', Status: 'Open' }],
      bundled: [],
      says: 'With its change orders and bundled proposals: Subtotal 90.00, Tax 7.20, total 97.20.',
    });
    await update(order.Id, { Date: '2027-02-03', ProposalLines: [{ Part: { Id: 1 } }] });
    expect((await family(parent.Id)).orders).toMatchObject([{ Date: '2027-02-03', Status: 'Open' }]);
    await accept(order.Id);
    // 90 + 320; 7.20 + 1.60.
    expect(await family(parent.Id)).toMatchObject({
      orders: [{ Status: 'Accepted' }],
      says: 'With its change orders and bundled proposals: Subtotal 410.00, Tax 8.80, total 418.80.',
    });
  });

  test('a bundled proposal counts at once, and no longer when it is taken out', async () => {
    const parent = await create();
    const child = await create({ ServiceId: 2, BundleWithProposalId: parent.Id });
    expect(await family(parent.Id)).toMatchObject({
      bundled: [{ Id: child.Id, Status: 'Internal' }],
      says: expect.stringContaining('Subtotal 390.00') as string,
    });
    expect(proposalIn(await update(child.Id, { BundleWithProposalId: null })).BundleWithProposalId).toBeNull();
    expect(await family(parent.Id)).toEqual({ orders: [], bundled: [], says: '' });
  });

  test('descendants count in every ancestor, with current values: 90 + 300 + 300 = 690.00', async () => {
    const top = await signed();
    const order = await signed({ ServiceId: 2, ChangeOrderForProposalId: top.Id });
    const lowest = await create({ ServiceId: 2, ChangeOrderForProposalId: order.Id, Status: 'Open' });
    expect((await family(top.Id)).says).toContain('Subtotal 390.00');
    await accept(lowest.Id);
    expect((await family(top.Id)).says).toContain('Subtotal 690.00');

    const [shelf, box, item] = [await create(), await create({ ServiceId: 2 }), await create({ ServiceId: 2 })];
    await update(item.Id, { BundleWithProposalId: box.Id });
    const related = await update(box.Id, { BundleWithProposalId: shelf.Id });
    expect([related.body['Message'], (await family(shelf.Id)).says]).toEqual([
      expect.stringContaining('Subtotal 600.00'),
      expect.stringContaining('Subtotal 690.00'),
    ]);
    await update(item.Id, { ProposalLines: [{ Part: { Id: 1 } }] });
    expect((await family(shelf.Id)).says).toContain('Subtotal 710.00, Tax 8.80, total 718.80.');
    await update(item.Id, { BundleWithProposalId: null });
    expect((await family(shelf.Id)).says).toContain('Subtotal 390.00');
  });

  test('eight concurrent bundles with its children all count: 90 + 300 + 300 + 8 × 90 = 1,410.00', async () => {
    const shelf = await create();
    const boxes = [
      await create({ ServiceId: 2, BundleWithProposalId: shelf.Id }),
      await create({ ServiceId: 2, BundleWithProposalId: shelf.Id }),
    ];
    await Promise.all(Array.from({ length: 8 }, (_, place) => create({ BundleWithProposalId: boxes[place % 2]?.Id })));
    expect((await family(shelf.Id)).says).toContain('Subtotal 1,410.00');
  });

  test('a child that moves to another parent is listed there only', async () => {
    const [one, other] = [await create(), await create()];
    const child = await create({ BundleWithProposalId: one.Id });
    await update(child.Id, { BundleWithProposalId: other.Id });
    expect([(await family(one.Id)).bundled, (await family(other.Id)).bundled.map(({ Id }) => Id)]).toEqual([
      [],
      [child.Id],
    ]);
  });

  test('rejected: a change order of an unsigned proposal, a bundle with a signed one, itself, a cycle, another contact', async () => {
    const [plain, done] = [await create(), await signed()];
    const child = await create({ BundleWithProposalId: plain.Id });
    const grandchild = await create({ BundleWithProposalId: child.Id });
    expectFailure(
      await account.call('proposal/create', {
        ContactId: contacts.home,
        ServiceId: 1,
        ChangeOrderForProposalId: plain.Id,
      }),
      409,
    );
    expectFailure(
      await account.call('proposal/create', { ContactId: contacts.home, ServiceId: 1, BundleWithProposalId: done.Id }),
      409,
    );
    expectFailure(
      await account.call('proposal/create', {
        ContactId: contacts.other,
        ServiceId: 1,
        BundleWithProposalId: plain.Id,
      }),
      400,
    );
    const both = await update(plain.Id, { ChangeOrderForProposalId: done.Id, BundleWithProposalId: child.Id });
    expect(listInvalidFields(both)).toEqual(['BundleWithProposalId']);
    for (const BundleWithProposalId of [plain.Id, child.Id, grandchild.Id]) {
      const answer = await update(plain.Id, { BundleWithProposalId });
      expectFailure(answer, 400);
      expect(listInvalidFields(answer)).toEqual(['BundleWithProposalId']);
    }
  });

  test('of two concurrent updates that would make a cycle at most one succeeds', async () => {
    for (let round = 0; round < 2; round++) {
      const [one, other] = [await create(), await create()];
      const answers = await Promise.all([
        update(one.Id, { BundleWithProposalId: other.Id }),
        update(other.Id, { BundleWithProposalId: one.Id }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const links = [
        proposalIn(await details(one.Id)).BundleWithProposalId,
        proposalIn(await details(other.Id)).BundleWithProposalId,
      ];
      expect(links.filter((link) => link !== null).length).toBe(1);
    }
  });

  test('eight concurrent change orders are all listed', async () => {
    const parent = await signed();
    const made = await Promise.all(
      Array.from({ length: 8 }, () =>
        account.call('proposal/create', {
          ContactId: contacts.home,
          ServiceId: 1,
          ChangeOrderForProposalId: parent.Id,
        }),
      ),
    );
    const done = made.filter(({ status }) => status === 200).map((answer) => proposalIn(answer).Id);
    expect((await family(parent.Id)).orders.map(({ Id }) => Id).sort()).toEqual(done.sort());
  });
});
