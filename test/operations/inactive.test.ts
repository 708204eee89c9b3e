import type { AppointmentSlot } from '../../lib/entities/appointments.ts';
import type { Proposal } from '../../lib/entities/proposals.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { Status } from '../../lib/domain/appointments/record.ts';
import { expectFailure } from '../support/failed.ts';
import { findId, writeBook } from '../support/price-book.ts';
import { type Bookable, bookable, slotIn } from '../support/scheduling.ts';
import { svgUri } from '../support/signatures.ts';

let company: Bookable;
let ids: {
  mowing: number;
  wash: number;
  seeding: number;
  bag: number;
  kit: number;
  rope: number;
  lawn: number;
  roped: number;
};
const made: { booked?: AppointmentSlot; queued?: number; open?: Proposal; signed?: number } = {};

async function ok(operation: string, body: object) {
  const answer = await company.call(operation, body);
  expect(answer.status, answer.text).toBe(200);
  return answer;
}
const slot = (DateTime: string) => ({ DateTime, ServiceAgentId: company.agents['Ann'] });
const accept = (ProposalId: number | undefined) =>
  ok('proposal/accept', { ProposalId, Name: 'José García', SignatureData: svgUri });

/**
 * Records made while everything was offered. Services are addressed by name here and by id later: each has its own
 * cache entry.
 */
beforeAll(async () => {
  const services = [
    { Name: 'Mowing', BasePrice: 50, BaseDuration: 60, Taxable: false },
    { Name: 'Wash', BasePrice: 80, BaseDuration: 60 },
  ];
  company = await bookable({ services });
  const { accountId, contact: ContactId } = company;
  const assembly = { IsAssembly: true, AssemblyItems: [{ PartName: 'Bag', Quantity: 2 }] };
  const { book } = await writeBook(accountId, {
    parts: [
      { Name: 'Bag', UnitPrice: 5 },
      { Name: 'Kit', UnitPrice: 30, ...assembly },
      { Name: 'Rope', UnitPrice: 9, IsActive: false },
    ],
    services: [{ Name: 'Seeding', BasePrice: 70, BaseDuration: 30, Active: false }],
    proposalTemplates: [
      { Name: 'Lawn', Service: 'Seeding', ProposalTemplateLines: [{ Part: 'Kit' }] },
      { Name: 'Roped', Service: 'Wash', ProposalTemplateLines: [{ Part: 'Rope' }] },
    ],
  });
  const part = (name: string) => findId(book, 'parts', name);
  ids = {
    mowing: findId(book, 'services', 'Mowing'),
    wash: findId(book, 'services', 'Wash'),
    seeding: findId(book, 'services', 'Seeding'),
    bag: part('Bag'),
    kit: part('Kit'),
    rope: part('Rope'),
    lawn: findId(book, 'proposalTemplates', 'Lawn'),
    roped: findId(book, 'proposalTemplates', 'Roped'),
  };
  const of = { ContactId, ServiceName: 'Mowing' };
  made.booked = slotIn(
    await ok('appointments/book', { ...of, AddOnParts: [{ PartId: ids.bag }], Slots: [slot('2027-03-08T09:00')] }),
  );
  made.queued = (await ok('appointments/queue', of)).body['AppointmentId'] as number;
  const quoted = { ...of, Status: 'Open', ProposalLines: [{ Part: { Id: ids.bag } }] };
  made.open = (await ok('proposal/create', quoted)).body as unknown as Proposal;
  made.signed = (await ok('proposal/create', quoted)).body['Id'] as number;
  await accept(made.signed);
  await writeBook(accountId, {
    services: [{ Name: 'Mowing', Active: false }],
    parts: [{ Name: 'Bag', IsActive: false }],
  });
});

async function failsAt(operation: string, body: object, Field: string, message: string): Promise<void> {
  const answer = await company.call(operation, { ContactId: company.contact, ...body });
  expectFailure(answer, 400);
  expect(answer.body['Errors']).toEqual([{ Field, Code: 'inactive', Message: `${message} is no longer offered` }]);
}

describe('an inactive service cannot be sold again: 400 on its field', () => {
  test.each(['appointments/slotsearch', 'appointments/book', 'appointments/queue'])('%s', async (operation) => {
    const more = operation === 'appointments/book' ? { Slots: [slot('2027-03-09T09:00')] } : {};
    await failsAt(operation, { ServiceId: ids.mowing, ...more }, 'ServiceId', 'Mowing');
    await failsAt(operation, { ServiceName: 'seeding', ...more }, 'ServiceName', 'Seeding');
  });
  test('appointments/quickbook', async () => {
    const request = { Name: 'Eve Noel', Email: 'eve@example.com', Zip: '62701', ScheduledStart: '2027-03-09T09:00' };
    await failsAt(
      'appointments/quickbook',
      { ...request, ContactId: undefined, Service: 'Seeding' },
      'Service',
      'Seeding',
    );
  });
  test('appointments/update and proposal/update to another service', async () => {
    const { body } = await ok('appointments/queue', { ContactId: company.contact, ServiceId: ids.wash });
    await failsAt(
      'appointments/update',
      { AppointmentId: body['AppointmentId'], ServiceId: ids.mowing },
      'ServiceId',
      'Mowing',
    );
    const { body: proposal } = await ok('proposal/create', { ContactId: company.contact, ServiceId: ids.wash });
    await failsAt('proposal/update', { Id: proposal['Id'], ServiceName: 'Seeding' }, 'ServiceName', 'Seeding');
    await failsAt('proposal/update', { ...proposal, ServiceId: ids.seeding }, 'ServiceId', 'Seeding');
  });
  test('proposal/create and proposal/quote, also by a template of it', async () => {
    await failsAt('proposal/create', { ServiceId: ids.mowing }, 'ServiceId', 'Mowing');
    await failsAt('proposal/create', { ServiceName: 'Seeding' }, 'ServiceName', 'Seeding');
    await failsAt('proposal/quote', { ServiceId: ids.mowing }, 'ServiceId', 'Mowing');
    await failsAt('proposal/quote', { Proposal: { ServiceName: 'Seeding' } }, 'Proposal.ServiceName', 'Seeding');
    await failsAt('proposal/quote', { ProposalTemplateId: ids.lawn }, 'ProposalTemplateId', 'Seeding');
  });
});

describe('an inactive part cannot be on a new line: 400 on its field', () => {
  test('of an appointment', async () => {
    const AddOnParts = [{ PartId: ids.kit }, { PartId: ids.rope }];
    const request = { ServiceId: ids.wash, AddOnParts };
    await failsAt('appointments/slotsearch', request, 'AddOnParts[1].PartId', 'Rope');
    await failsAt('appointments/queue', request, 'AddOnParts[1].PartId', 'Rope');
    await failsAt(
      'appointments/update',
      { AppointmentId: made.booked?.AppointmentId, UpdateLines: true, AddOnParts: [{ PartId: ids.rope }] },
      'AddOnParts[0].PartId',
      'Rope',
    );
  });
  test('of a booking with parts beyond the sold ones', async () => {
    const request = {
      RootProposalId: made.signed,
      AddOnParts: [{ PartId: ids.rope }],
      Slots: [slot('2027-03-10T09:00')],
    };
    await failsAt('appointments/book', request, 'AddOnParts[0].PartId', 'Rope');
  });
  test('of a proposal, except inside an assembly', async () => {
    const ProposalLines = [{ Part: { Id: ids.kit } }, { Part: { Name: 'Rope' } }];
    await failsAt('proposal/create', { ServiceId: ids.wash, ProposalLines }, 'ProposalLines[1].Part.Name', 'Rope');
    await failsAt(
      'proposal/update',
      { Id: made.open?.Id, ProposalLines: [{ Part: { Id: ids.rope } }] },
      'ProposalLines[0].Part.Id',
      'Rope',
    );
    const { body } = await ok('proposal/quote', {
      ContactId: company.contact,
      ServiceId: ids.wash,
      Proposal: { ProposalLines: [{ Part: { Id: ids.kit } }] },
    });
    const quoted = body['Proposal'] as Proposal;
    const { body: created } = await ok('proposal/create', { ...quoted, Id: 0 });
    expect((created as unknown as Proposal).ProposalLines.map((line) => line.Part?.Name)).toEqual(['Kit', 'Bag']);
  });
  test('of a template', () =>
    failsAt(
      'proposal/quote',
      { ProposalTemplateId: ids.roped },
      'ProposalTemplateId',
      'cannot be quoted: in template 2, ProposalLines[0].Part.Id Rope',
    ));
});

describe('inactive services and parts that were sold, booked or quoted before', () => {
  test('are booked from the queue, rescheduled, priced again and completed', async () => {
    const AppointmentId = made.queued;
    expect(slotIn(await ok('appointments/book', { AppointmentId, Slots: [slot('2027-03-11T09:00')] }))).toMatchObject({
      ServiceName: 'Mowing',
    });
    await ok('appointments/slotsearch', { AppointmentId });
    const booked = made.booked?.AppointmentId;
    const rescheduled = slotIn(
      await ok('appointments/update', { AppointmentId: booked, Quantity: 2, Slots: [slot('2027-03-08T13:00')] }),
    );
    expect(rescheduled).toMatchObject({ Quantity: 2, AddOnParts: [{ PartId: ids.bag }] });
    await ok('appointments/update', { AppointmentId: booked, Slots: [{ Status: Status.Completed }] });
  });
  test('are priced again, accepted and booked', async () => {
    const { open } = made;
    const { body } = await ok('proposal/update', { ...open, Contact: undefined, Quantity: 3 });
    expect(body['Quantity']).toBe(3);
    await accept(open?.Id);
    const RootProposalId = open?.Id;
    expect(
      slotIn(
        await ok('appointments/book', {
          ContactId: company.contact,
          RootProposalId,
          Slots: [slot('2027-03-12T09:00')],
        }),
      ),
    ).toMatchObject({ ServiceName: 'Mowing', AddOnParts: [{ PartId: ids.bag }] });
  });
});
