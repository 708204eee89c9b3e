import type { Proposal } from '../../../lib/entities/proposals.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SubscriptionDate } from '../../../lib/resources/subscriptions.ts';
import { layout } from '../../../lib/store/keys.ts';
import { newOrganizationChanges } from '../../../lib/store/organizations/organizations.ts';
import { expectFailure } from '../../support/failed.ts';
import { writeBook } from '../../support/price-book.ts';
import { weekdays } from '../../support/scheduling.ts';
import { putSettings } from '../../support/settings.ts';
import { type CallOptions, type TestAccount, testAccount, testTable } from '../../support/stack/stack.ts';

let account: TestAccount;
let contacts: { ana: number; carl: number; bina: number };

/** Ids are places: Windows 1, Mowing 2, Delhi's own 3; templates House 1, Mown 2, Delhi's own 3. */
beforeAll(async () => {
  account = await testAccount();
  const { accountId } = account;
  await testTable().commit(
    newOrganizationChanges(
      { account: accountId },
      { Id: 2, PublicName: 'Delhi', Timezone: 'Asia/Kolkata', Country: 'IN' },
    ),
  );
  await testTable().update({ update: layout.account.key({ account: accountId }), set: { Organizations: 2 } });
  await putSettings(accountId, 'NamedTaxRate', [{ Name: 'State', TaxRate: 7 }]);
  await writeBook(accountId, {
    parts: [
      { Name: 'Screen', UnitPrice: 20, Taxable: true, UnitDuration: 5 },
      { Name: 'Rail', UnitPrice: 35.55, Taxable: true },
      {
        Name: 'Kit',
        Taxable: true,
        IsAssembly: true,
        IsAssemblySynchronizePricing: true,
        AssemblyItems: [
          { PartName: 'Screen', Quantity: 2 },
          { PartName: 'Rail', Quantity: 1 },
        ],
      },
      { Name: 'Ladder', UnitPrice: 50, IsInternal: true },
      { Name: 'Brochure', UnitPrice: 12 },
    ],
    services: [
      { Name: 'Windows', BasePrice: 80, UnitPrice: 6, BaseDuration: 60, Description: 'Inside and out.' },
      {
        Name: 'Mowing',
        BasePrice: 100,
        BaseDuration: 30,
        IsSubscription: true,
        VisitCount: 3,
        IntervalDays: 7,
        AlternateDateWindowAfter: 2,
        SeasonStart: '2027-04-01',
        SeasonExpiration: '2027-10-31',
      },
    ],
    proposalTemplates: [
      {
        Name: 'House',
        Service: 'Windows',
        Quantity: 12,
        ServiceDescription: 'The whole house',
        CustomerNote: 'Holds for 30 days.',
        ProposalTemplateLines: [
          { Part: 'Screen', Option: 'Good', Quantity: 25, QtyIsPercent: true },
          { Part: 'Kit', Option: 'Better', Quantity: 2 },
          { Part: 'Ladder', IsInternal: true, Name: 'Long ladder' },
          { Part: 'Brochure', IsZeroPrice: true },
        ],
      },
      { Name: 'Mown', Service: 'Mowing', ProposalTemplateLines: [{ Part: 'Screen' }] },
    ],
  });
  await writeBook(
    accountId,
    { services: [{ Name: 'Delhi’s own' }], proposalTemplates: [{ Name: 'Delhi’s own', Service: 'Windows' }] },
    2,
  );
  await writeBook(accountId, {
    services: [
      {
        Name: 'Feeding',
        BasePrice: 214,
        IsSubscription: true,
        SubscriptionProRate: true,
        VisitCount: 3,
        SeasonStart: '2027-04-01',
        SeasonExpiration: '2027-10-31',
      },
    ],
  });
  await account.call('organizations/update', {
    OrganizationId: 1,
    StartAddress: { Zip: '62701' },
    ServiceAgents: [{ Name: 'Ben Ortiz', Email: 'ben@example.com', TimeSlots: weekdays() }],
  });
  const idOf = async (Name: string, OrganizationId: number) =>
    (
      (await account.call('contacts/addupdate', { Name, Email: `${Name}@example.com`, Zip: '62701', OrganizationId }))
        .body['Matches'] as { Id: number }[]
    )[0]?.Id ?? 0;
  contacts = { ana: await idOf('Ana', 1), carl: await idOf('Carl', 1), bina: await idOf('Bina', 2) };
});

async function answered(operation: string, body: object, options: CallOptions = {}) {
  const answer = await account.call(operation, body, options);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function quote(request: object, options: CallOptions = {}) {
  const body = await answered('proposal/quote', { ContactId: contacts.ana, ...request }, options);
  return {
    proposal: body['Proposal'] as Proposal,
    dates: body['ScheduleDates'] as SubscriptionDate[],
    message: body['Message'],
  };
}

const ThreeOptions = {
  Quantity: 12,
  NamedTaxRate: { Name: 'State' },
  DepositRate: 10,
  ProposalLines: [
    { Part: { Id: 1 }, Quantity: 3, ProposalOption: { Name: 'Good' } },
    { Part: { Name: 'kit' }, Quantity: 2, ProposalOption: { Name: 'Better', Selected: true } },
    { LineDescription: 'Everything', UnitPrice: 1_000, Taxable: true, ProposalOption: { Name: 'Best' } },
  ],
};

describe('proposal/quote', () => {
  test('prices a service with lines, options, tax and deposit, and reports the total of each option', async () => {
    const { proposal, message, dates } = await quote({ ServiceId: 1, Proposal: ThreeOptions });
    // Service 80 + 12 × 6 = 152.00. Good 3 × 20 = 60.00, tax 4.20. Better 2 × (2 × 20 + 35.55) = 151.10, tax 10.577 →
    // 10.58. Best 1,000.00, tax 70.00.
    expect(message).toBe('With one option alone, and tax: Good 216.20, Better 313.68 (selected), Best 1,222.00.');
    expect(proposal).toMatchObject({
      Id: 0,
      ClientUrl: '',
      ContactId: contacts.ana,
      Status: 'Internal',
      ServiceId: 1,
      ServiceName: 'Windows',
      Description: 'Inside and out.',
      BasePrice: 80,
      UnitPrice: 6,
      Quantity: 12,
      Subtotal: 303.1,
      Tax: 10.58,
      DepositRate: 10,
      SelectedSolution: { Id: 2, Name: 'Better' },
      Contact: { Id: contacts.ana },
      NamedTaxRate: { TaxRate: 7 },
    });
    // The items of the kit are internal; lines that are not selected have the amounts that they would cost.
    expect(
      proposal.ProposalLines.map((line) => [
        line.Id,
        line.Part?.Name ?? '',
        line.Quantity,
        line.ExtendedTotal,
        line.LineTax,
        line.ProposalOption?.Id,
        line.AssemblyLineId,
      ]),
    ).toEqual([
      [1, 'Screen', 3, 60, 4.2, 1, null],
      [2, 'Kit', 2, 151.1, 10.58, 2, null],
      [4, 'Screen', 4, 0, 0, 2, 2],
      [5, 'Rail', 2, 0, 0, 2, 2],
      [3, '', 1, 1000, 70, 3, null],
    ]);
    expect(dates).toEqual([]);
  });

  test('stores nothing', async () => {
    await quote({ ServiceId: 1, Proposal: ThreeOptions });
    expect((await answered('proposal/query', { ContactId: contacts.ana }))['Count']).toBe(0);
  });

  test.each([
    [
      'a service with lines',
      {
        ServiceId: 1,
        Proposal: { ...ThreeOptions, ProposalNotes: [{ Note: 'Call first.' }], CustomerNotes: 'Thanks.' },
      },
    ],
    [
      'a template with a free line',
      { ProposalTemplateId: 1, Proposal: { SelectedSolution: { Name: 'Good' }, NamedTaxRate: { Name: 'State' } } },
    ],
    ['a subscription', { ServiceId: 2, Proposal: { Date: '2027-01-15', ProposalLines: [{ Part: { Id: 1 } }] } }],
  ])('a proposal created from a quote of %s is the same to the cent', async (_, request) => {
    const { proposal: quoted } = await quote({ ...request, ContactId: contacts.carl });
    const made = (await answered('proposal/create', quoted)) as unknown as Proposal;
    const overrides = ({ ProposalLines, ProposalNotes, ...rest }: Proposal) => ({
      ...rest,
      Id: 0,
      ClientUrl: '',
      ResultCode: 0,
      Message: '',
      ProposalNotes: ProposalNotes.map(({ Note }) => Note),
      SelectedSolution: rest.SelectedSolution?.Name,
      ProposalLines: ProposalLines.map(({ Id: _, AssemblyLineId, ProposalOption, ...line }) => ({
        ...line,
        option: ProposalOption?.Name,
        item: AssemblyLineId !== null,
      })),
    });
    expect(overrides(made)).toEqual(overrides(quoted));
  });

  test('a service without lines costs the same as in slotsearch', async () => {
    const { proposal } = await quote({ ServiceName: ' WINDOWS ', Proposal: { Quantity: 7 } });
    const slots = (
      await answered('appointments/slotsearch', {
        ContactId: contacts.ana,
        ServiceId: 1,
        Quantity: 7,
        TargetDate: '2027-03-08',
        SlotWindowDays: 3,
      })
    )['Slots'] as { Total: number; Duration: number }[];
    expect(slots[0]).toMatchObject({ Total: 122, Duration: 60 });
    expect(proposal).toMatchObject({ Subtotal: 122, Tax: 0, Duration: 60, ProposalLines: [] });
  });

  test('starts with the template: options, percentages of the quantity, internal and free lines, notes', async () => {
    const { proposal, message } = await quote({ ProposalTemplateId: 1 });
    expect(proposal).toMatchObject({
      ServiceId: 1,
      Quantity: 12,
      Description: 'The whole house',
      CustomerNotes: 'Holds for 30 days.',
      Subtotal: 152,
      Tax: 0,
      SelectedSolution: null,
    });
    // 25 % of 12 are 3 screens.
    expect(
      proposal.ProposalLines.map((line) => [
        line.Id,
        line.Part?.Name,
        line.Quantity,
        line.ExtendedTotal,
        line.IsInternal,
        line.ProposalOption?.Name ?? '',
      ]),
    ).toEqual([
      [1, 'Screen', 3, 60, false, 'Good'],
      [2, 'Kit', 2, 151.1, false, 'Better'],
      [5, 'Screen', 4, 0, false, 'Better'],
      [6, 'Rail', 2, 0, false, 'Better'],
      [3, 'Ladder', 1, 50, true, ''],
      [4, 'Brochure', 1, 0, false, ''],
    ]);
    expect(proposal.ProposalLines.find(({ Id }) => Id === 3)?.LineDescription).toBe('Long ladder');
    // A free line becomes a line with a full discount, which create accepts.
    expect(proposal.ProposalLines.find(({ Id }) => Id === 4)).toMatchObject({
      UnitPrice: 12,
      Discount: 12,
      ExtendedTotal: 0,
    });
    expect(message).toBe('With one option alone, and tax: Good 212.00, Better 303.10.');
  });

  test('applies the request to the template: its lines by Id, others are new, and percentages follow the quantity', async () => {
    const { proposal } = await quote({
      ProposalTemplateId: 1,
      ServiceId: 1,
      Proposal: {
        Quantity: 20,
        CustomerNotes: 'Until Friday.',
        SelectedSolution: { Name: 'good' },
        ProposalLines: [
          { Id: 2, Quantity: 0 },
          { Id: 3, Notes: 'Two people.' },
          { Part: { Id: 5 }, Quantity: 2 },
        ],
      },
    });
    // 80 + 20 × 6, five screens, two brochures: the kit is removed with its items.
    expect(proposal).toMatchObject({
      Quantity: 20,
      CustomerNotes: 'Until Friday.',
      Description: 'The whole house',
      Subtotal: 200 + 100 + 24,
      SelectedSolution: { Name: 'Good' },
    });
    expect(proposal.ProposalLines.map(({ Part, Quantity, Notes }) => [Part?.Name, Quantity, Notes])).toEqual([
      ['Screen', 5, ''],
      ['Ladder', 1, 'Two people.'],
      ['Brochure', 1, ''],
      ['Brochure', 2, ''],
    ]);
  });

  test('the quote of a template, sent back, stays the same', async () => {
    const first = await quote({
      ProposalTemplateId: 1,
      Proposal: { SelectedSolution: { Name: 'Better' }, NamedTaxRate: { Name: 'State' } },
    });
    const again = await quote({ ProposalTemplateId: 1, Proposal: first.proposal });
    expect(again).toEqual(first);
  });

  test('dates a subscription: the visits add up to the proposal', async () => {
    const request = {
      ServiceId: 2,
      ReturnDates: true,
      ReturnProposal: true,
      Proposal: { Date: '2027-01-15', NamedTaxRate: { Name: 'State' }, ProposalLines: [{ Part: { Id: 1 } }] },
    };
    const { proposal, dates } = await quote(request);
    expect(proposal).toMatchObject({ Subtotal: 120, Tax: 1.4 });
    // 100.00 over three visits; the screen is all in the first.
    expect(
      dates.map((date) => [date.Id, date.DateIso, date.Subtotal, date.SelectedDate, date.IsRecurringMaster]),
    ).toEqual([
      [1, '2027-04-01', 53.34, '2027-04-01T00:00:00-04:00', true],
      [2, '2027-04-08', 33.33, '2027-04-08T00:00:00-04:00', false],
      [3, '2027-04-15', 33.33, '2027-04-15T00:00:00-04:00', false],
    ]);
    expect(dates[1]?.AlternateDates).toEqual(['2027-04-09T04:00:00Z', '2027-04-10T04:00:00Z']);
    expect((await quote({ ...request, ReturnProposal: false })).proposal).toBeNull();
    expect((await quote({ ...request, ReturnDates: false })).dates).toEqual([]);
  });

  test('reports the proration of a subscription: 107 of 214 days of 214.00 are 107.00; none for a whole season', async () => {
    const soldProposal = (Date: string) => quote({ ServiceName: 'Feeding', Proposal: { Date } });
    const { proposal, message } = await soldProposal('2027-07-17');
    expect(proposal.Subtotal).toBe(107);
    expect(message).toBe('Prorated: 107 of 214 days of the season are left.');
    expect((await soldProposal('2027-01-15')).message).toBe('');
  });

  test('create and update report proration like quote', async () => {
    const { body } = await account.call('proposal/create', {
      ContactId: contacts.ana,
      ServiceName: 'Feeding',
      Date: '2027-07-17',
    });
    expect(body['Message']).toBe('Prorated: 107 of 214 days of the season are left.');
    const changed = async (fields: object) =>
      (await answered('proposal/update', { Id: body['Id'], ...fields }))['Message'];
    expect(await changed({ Title: 'Lawn' })).toBe(body['Message']);
    expect(await changed({ Date: '2027-07-18' })).toBe('Prorated: 106 of 214 days of the season are left.');
    expect(await changed({ Date: '2027-01-15' })).toBe('');
  });

  test('returns the selected date of a visit: its own or an alternate one', async () => {
    const request = { ProposalTemplateId: 2, ReturnDates: true, Proposal: { Date: '2027-01-15' } };
    const { dates } = await quote(request);
    const ScheduleDates = [
      { ...dates[1], SelectedDate: dates[1]?.AlternateDates[1] },
      { Id: 1, SelectedDate: '4/1/2027' },
    ];
    const selected = await quote({ ...request, ScheduleDates });
    expect(selected.dates.map(({ SelectedDate }) => SelectedDate.slice(0, 10))).toEqual([
      '2027-04-01',
      '2027-04-10',
      '2027-04-15',
    ]);
    expect(selected.dates.map(({ Subtotal, DateIso }) => [Subtotal, DateIso])).toEqual(
      dates.map(({ Subtotal, DateIso }) => [Subtotal, DateIso]),
    );
    const refused = await account.call('proposal/quote', {
      ContactId: contacts.ana,
      ...request,
      ScheduleDates: [
        { Id: 2, SelectedDate: '2027-04-11' },
        { Id: 4, SelectedDate: '2027-04-01' },
        { Id: 2, SelectedDate: '2027-04-08' },
        { Id: 3, SelectedDate: 'soon' },
      ],
    });
    expectFailure(refused, 400);
    expect((refused.body['Errors'] as { Field: string }[]).map(({ Field }) => Field)).toEqual([
      'ScheduleDates[0].SelectedDate',
      'ScheduleDates[1].Id',
      'ScheduleDates[2].Id',
      'ScheduleDates[3].SelectedDate',
    ]);
  });

  test('a service that is not a subscription has no dates, and Message says so', async () => {
    const { dates, message, proposal } = await quote({ ServiceId: 1, ReturnDates: true });
    expect([dates, message, proposal]).toEqual([[], 'Windows is not a subscription and has no dates.', null]);
  });

  test.each([
    [{}, 400, ['ServiceId']],
    [{ ServiceId: 1, ServiceName: 'Mowing' }, 400, ['ServiceName']],
    [{ ServiceId: 1, Proposal: { ServiceId: 2, ServiceName: 'Windows' } }, 400, ['Proposal.ServiceId']],
    [{ ServiceId: 2, ProposalTemplateId: 1 }, 400, ['ProposalTemplateId']],
    [{ ServiceId: 1, Proposal: { Id: 7, ContactId: 9 } }, 400, ['Proposal.Id', 'Proposal.ContactId']],
    [
      {
        ServiceId: 1,
        Proposal: { Status: 'Accepted', DepositRate: 101, Quantity: -1, ProposalLines: [{ Part: { Id: 99 } }] },
      },
      400,
      ['Proposal.Status', 'Proposal.DepositRate', 'Proposal.ProposalLines[0].Part.Id', 'Proposal.Quantity'],
    ],
    [
      { ServiceId: 1, Proposal: { ProposalLines: [{ Part: { Id: 1 }, UnitPrice: 1 }], ChangeOrderForProposalId: 99 } },
      400,
      ['Proposal.ChangeOrderForProposalId', 'Proposal.ProposalLines[0].UnitPrice'],
    ],
    [{ ServiceId: 99 }, 404, ['ServiceId']],
    [{ Proposal: { ServiceName: 'Roofs' } }, 404, ['Proposal.ServiceName']],
    [{ ServiceId: 3 }, 404, ['ServiceId']],
    [{ ProposalTemplateId: 99 }, 404, ['ProposalTemplateId']],
    [{ ProposalTemplateId: 3 }, 404, ['ProposalTemplateId']],
    [{ ContactId: 99, ServiceId: 1 }, 404, ['ContactId']],
    [{ ContactId: null, ServiceId: 1 }, 400, ['ContactId']],
  ])('rejects %j', async (request, status, invalidFields) => {
    const answer = await account.call('proposal/quote', { ContactId: contacts.ana, ...request });
    expectFailure(answer, status);
    expect((answer.body['Errors'] as { Field: string }[]).map(({ Field }) => Field)).toEqual(invalidFields);
  });

  test('a key of another organization cannot quote for these contacts', async () => {
    const key = await account.newKey({ organizationId: 2 });
    expectFailure(await account.call('proposal/quote', { ContactId: contacts.ana, ServiceId: 1 }, { key }), 404);
    expect((await quote({ ContactId: contacts.bina, ProposalTemplateId: 3 }, { key })).proposal).toMatchObject({
      Subtotal: 86,
    });
  });
});

test.each(['create', 'update', 'quote'] as const)('%s of more than 500 lines or 50 options is 400', async (name) => {
  const errorsOf = async (ProposalLines: readonly object[]) => {
    const fields = { ServiceId: 1, ContactId: contacts.ana, ProposalLines };
    const bodies = {
      create: fields,
      update: { Id: 1, ProposalLines },
      quote: { ServiceId: 1, ContactId: contacts.ana, Proposal: { ProposalLines } },
    };
    const { status, body } = await account.call(`proposal/${name}`, bodies[name]);
    return [status, (body['Errors'] as { Field: string; Message: string }[]).map(({ Message }) => Message)];
  };
  const lines = Array.from({ length: 501 }, () => ({ Part: { Id: 1 } }));
  expect(await errorsOf(lines)).toEqual([
    400,
    ['must have at most 500 lines besides the items of assemblies, not 501'],
  ]);
  const options = Array.from({ length: 51 }, (_, index) => ({ ProposalOption: { Name: `Option ${index}` } }));
  expect(await errorsOf(options)).toEqual([400, ['must have at most 50 options, not 51']]);
});

test('a quote of 500 lines in 50 options has the total of each', async () => {
  const messageLength = async (options: number): Promise<number> => {
    const ProposalLines = Array.from({ length: 500 }, (_, index) => ({
      Part: { Id: 1 + (index % 3) },
      Quantity: 1 + (index % 9),
      ...(options && index % 5 === 0 ? { ProposalOption: { Name: `Option ${(index / 5) % options}` } } : {}),
    }));
    const { status, body } = await account.call('proposal/quote', {
      ServiceId: 1,
      ContactId: contacts.ana,
      Proposal: { ProposalLines, SelectedSolution: options ? { Name: 'Option 1' } : null },
    });
    expect(status).toBe(200);
    return String(body['Message']).length;
  };
  expect(await messageLength(0)).toBe(0);
  expect(await messageLength(50)).toBeGreaterThan(500);
});
