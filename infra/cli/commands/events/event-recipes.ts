import { Status } from '../../../../lib/domain/appointments/record.ts';
import { allEventKinds } from '../../../../lib/domain/event-kinds.ts';
import { DAY, HOUR } from '../../../../lib/shared/time/time.ts';

/** Calls an API operation and returns its answer; throws on a failure. */
export type CallApi = <Answer>(operation: string, body: object) => Promise<Answer>;

interface Named {
  readonly Id: number;
  readonly Name: string;
}

interface ChangedOrganization {
  readonly Services: readonly Named[];
  readonly ServiceAgents: readonly Named[];
}

/** The name of the location, the service and the agent of all records created here. */
const RESOURCE = 'Event trigger';

/** Creates what the steps of a recipe require, at first use. */
class Office {
  readonly call: CallApi;
  /** Distinguishes the records of this run from all others. */
  readonly tag: string;
  readonly #now: number;
  #organization: Promise<number> | undefined;

  constructor(call: CallApi, now: Date) {
    this.call = call;
    this.#now = now.getTime();
    this.tag = this.#now.toString(36);
  }

  get name(): string {
    return `Event trigger ${this.tag}`;
  }

  get email(): string {
    return `trigger-${this.tag}@example.com`;
  }

  /** An ISO 8601 time `offset` milliseconds from now, at a full hour. */
  at(offset: number): string {
    return new Date(Math.floor((this.#now + offset) / HOUR) * HOUR).toISOString();
  }

  organization(): Promise<number> {
    return (this.#organization ??= this.#ownLocation());
  }

  /** A separate location in a company with several, whose people, services and customers are left alone. */
  async #ownLocation(): Promise<number> {
    type Locations = { readonly Organizations: readonly { readonly Id: number; readonly PublicName: string }[] };
    const { Organizations } = await this.call<Locations>('organizations/query', {});
    const [first, second] = Organizations;
    const own = second ? Organizations.find(({ PublicName }) => PublicName === RESOURCE) : first;
    if (own) return own.Id;
    return (await this.call<{ OrganizationId: number }>('organizations/create', { Name: RESOURCE })).OrganizationId;
  }

  async change(fields: object): Promise<ChangedOrganization> {
    const OrganizationId = await this.organization();
    return await this.call<ChangedOrganization>('organizations/update', { OrganizationId, ...fields });
  }

  async contact(Email = this.email): Promise<number> {
    const contact = { Name: this.name, Email, OrganizationId: await this.organization() };
    const { Matches } = await this.call<{ Matches: { Id: number }[] }>('contacts/addupdate', { Matches: [contact] });
    return Matches[0]?.Id ?? 0;
  }

  /** A service and an agent of the organization, shared by all runs. */
  async resources(): Promise<{ ServiceId: number; ServiceAgentId: number }> {
    const fields = { Services: [{ Name: RESOURCE, UnitDuration: 60 }], ServiceAgents: [{ Name: RESOURCE }] };
    const { Services, ServiceAgents } = await this.change(fields);
    const idOf = (records: readonly Named[]) => records.find(({ Name }) => Name === RESOURCE)?.Id ?? 0;
    return { ServiceId: idOf(Services), ServiceAgentId: idOf(ServiceAgents) };
  }
}

type Recipe = (office: Office) => Promise<unknown>;

/** A contact that was merged into another one. */
async function mergeContact(office: Office): Promise<number> {
  const MergeId = await office.contact(`again-${office.email}`);
  await office.call('contacts/merge', { ContactId: await office.contact(), MergeId });
  return MergeId;
}

async function work(office: Office): Promise<{ ContactId: number; ServiceId: number }> {
  const { ServiceId } = await office.resources();
  return { ContactId: await office.contact(), ServiceId };
}

/** A booked appointment. */
async function book(office: Office, slot: object = {}): Promise<number> {
  const { ServiceAgentId } = await office.resources();
  const { AppointmentId } = await office.call<{ AppointmentId: number }>('appointments/book', {
    ...(await work(office)),
    SkipConflictChecks: true,
    Slots: [{ DateTime: office.at(DAY), ServiceAgentId, ...slot }],
  });
  return AppointmentId;
}

const changeAppointment = (office: Office, AppointmentId: number, fields: object) =>
  office.call('appointments/update', { AppointmentId, SkipConflictChecks: true, ...fields });

async function complete(office: Office): Promise<number> {
  const id = await book(office);
  const actuals = { UpdateActuals: true, ActualStart: office.at(-2 * HOUR), ActualFinish: office.at(-HOUR) };
  await changeAppointment(office, id, actuals);
  return id;
}

async function propose(office: Office, Status: 'Internal' | 'Open'): Promise<number> {
  const { Id } = await office.call<{ Id: number }>('proposal/create', { ...(await work(office)), Status });
  return Id;
}

const SIGNATURE =
  'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60">' +
  '<path d="M5 40 C 40 5, 60 70, 95 30 S 150 10, 190 40" fill="none" stroke="black"/></svg>';

async function accept(office: Office): Promise<number> {
  const ProposalId = await propose(office, 'Open');
  await office.call('proposal/accept', { ProposalId, Name: office.name, SignatureData: SIGNATURE });
  return ProposalId;
}

async function scheduleProposal(office: Office): Promise<number> {
  const ProposalId = await accept(office);
  await book(office, { ProposalId, RootProposalId: ProposalId });
  return ProposalId;
}

async function bill(office: Office, fields: object = {}): Promise<number> {
  const Lines = [{ Description: office.name, Rate: 100, Qty: 1 }];
  const Invoice = { ContactId: await office.contact(), Lines, ...fields };
  const { InvoiceId } = await office.call<{ InvoiceId: number }>('invoice/import', { Invoice });
  return InvoiceId;
}

const changeInvoice = (office: Office, InvoiceId: number, Invoice: object) =>
  office.call('invoice/import', { InvoiceId, Invoice });

async function pay(office: Office, { refund = 0 } = {}): Promise<number> {
  const { Invoice } = await office.call<{ Invoice: { Id: number; BalanceDue: number } }>('invoice/get', {
    InvoiceId: await bill(office),
  });
  const record = (Amount: number) =>
    office.call<{ PaymentId: number }>('payment/import', {
      Payment: { InvoiceId: Invoice.Id, Amount, Method: 'Check' },
    });
  const { PaymentId } = await record(Invoice.BalanceDue);
  if (refund) await record(-refund);
  return PaymentId;
}

async function createTask(office: Office): Promise<number> {
  const ContactId = await office.contact();
  const { TaskId } = await office.call<{ TaskId: number }>('task/create', { ContactId, Description: office.name });
  return TaskId;
}

async function addNote(office: Office): Promise<{ ContactId: number; NoteId: number }> {
  const ContactId = await office.contact();
  const { Note } = await office.call<{ Note: { Id: number } }>('contacts/addnote', {
    ContactId,
    Note: { Title: office.name, Body: 'Made by events trigger.' },
  });
  return { ContactId, NoteId: Note.Id };
}

/** Opens and cancels a location, so that none stays open. */
async function openLocation(office: Office): Promise<number> {
  const { OrganizationId } = await office.call<{ OrganizationId: number }>('organizations/create', {
    Name: office.name,
  });
  await office.call('organizations/cancel', { OrganizationId });
  return OrganizationId;
}

async function reopenLocation(office: Office): Promise<void> {
  const OrganizationId = await openLocation(office);
  await office.call('organizations/update', { OrganizationId, OpenSince: office.at(0) });
  await office.call('organizations/cancel', { OrganizationId });
}

/** What causes an event of each kind that API operations can cause. */
const recipes: Readonly<Record<string, Recipe>> = {
  'contact.created': (office) => office.contact(),
  'contact.updated': async (office) =>
    office.call('contacts/addupdate', { Matches: [{ Id: await office.contact(), City: 'Springfield' }] }),
  'contact.merged': mergeContact,
  'contact.unmerged': async (office) => office.call('contacts/unmerge', { MergeId: await mergeContact(office) }),
  'note.created': addNote,
  async 'note.updated'(office) {
    const { ContactId, NoteId } = await addNote(office);
    const Notes = [{ Id: NoteId, Title: office.name, Body: 'Changed by events trigger.' }];
    await office.call('contacts/addupdate', { Matches: [{ Id: ContactId, Notes }] });
  },
  'upload.created': async (office) =>
    office.call('contacts/upload', {
      upload: { ContactId: await office.contact() },
      files: [{ Filename: 'trigger.txt', ContentType: 'text/plain', Content: 'MTggNDIx' }],
    }),
  async 'call.logged'(office) {
    const Phone = '(217) 555-0143';
    const Chars = JSON.stringify({ Phone, Direction: 'Inbound', DurationSeconds: 60, Note: office.name });
    await office.call('contacts/logcall', { Length: 0, Chars });
  },
  'task.created': createTask,
  'task.updated': async (office) =>
    office.call('task/update', { TaskId: await createTask(office), Due: office.at(DAY) }),
  'task.completed': async (office) => office.call('task/complete', { TaskId: await createTask(office) }),
  'appointment.queued': async (office) =>
    office.call('appointments/queue', { ...(await work(office)), QueueDate: office.at(DAY) }),
  'appointment.booked': (office) => book(office),
  async 'appointment.confirmed'(office) {
    const id = await book(office);
    await changeAppointment(office, id, { Slots: [{ Status: Status.Tentative }] });
    await changeAppointment(office, id, { Slots: [{ Status: Status.Scheduled }] });
  },
  async 'appointment.rescheduled'(office) {
    const id = await book(office);
    await changeAppointment(office, id, { Slots: [{ DateTime: office.at(2 * DAY) }] });
  },
  async 'appointment.started'(office) {
    const id = await book(office);
    await changeAppointment(office, id, { UpdateActuals: true, ActualStart: office.at(-HOUR) });
  },
  'appointment.completed': complete,
  async 'appointment.canceled'(office) {
    const { Matches } = await office.call<{ Matches: { Id: number }[] }>('cancelreasons/all', {});
    const CancelReasonId = Matches[0]?.Id;
    await office.call('appointments/cancel', { AppointmentId: await book(office), CancelReasonId });
  },
  'appointment.tipped': async (office) =>
    office.call('appointments/addtip', { AppointmentId: await complete(office), Amount: 5 }),
  'appointment.feedback': async (office) =>
    office.call('appointments/feedback', { Id: await complete(office), Score: 9, Note: office.name }),
  async 'appointment.updated'(office) {
    const id = await book(office);
    await changeAppointment(office, id, { Notes: office.name });
  },
  'proposal.created': (office) => propose(office, 'Internal'),
  'proposal.opened': async (office) =>
    office.call('proposal/update', { Id: await propose(office, 'Internal'), Status: 'Open' }),
  'proposal.accepted': accept,
  'proposal.declined': async (office) =>
    office.call('proposal/update', { Id: await propose(office, 'Open'), Status: 'Declined' }),
  'proposal.scheduled': scheduleProposal,
  async 'proposal.invoiced'(office) {
    const ProposalId = await accept(office);
    await bill(office, { ProposalId });
  },
  'proposal.completed': async (office) =>
    office.call('proposal/update', { Id: await scheduleProposal(office), Status: 'Complete' }),
  'proposal.updated': async (office) =>
    office.call('proposal/update', { Id: await propose(office, 'Open'), Title: office.name }),
  'invoice.created': (office) => bill(office),
  async 'invoice.approved'(office) {
    await changeInvoice(office, await bill(office, { Status: 'Unapproved' }), { Status: 'Open' });
  },
  'invoice.paid': (office) => pay(office),
  'invoice.reopened': (office) => pay(office, { refund: 10 }),
  async 'invoice.voided'(office) {
    await changeInvoice(office, await bill(office), { Status: 'Voided' });
  },
  async 'invoice.updated'(office) {
    await changeInvoice(office, await bill(office), { CustomerNotes: office.name });
  },
  'payment.recorded': (office) => pay(office),
  'payment.refunded': (office) => pay(office, { refund: 10 }),
  'payment.updated': async (office) =>
    office.call('payment/import', { PaymentId: await pay(office), Payment: { Reference: office.tag } }),
  'organization.created': openLocation,
  'organization.updated': (office) => office.change({ InternalName: office.name }),
  'organization.canceled': openLocation,
  'organization.reopened': reopenLocation,
  'serviceagent.created': (office) => office.change({ ServiceAgents: [{ Name: office.name }] }),
  async 'serviceagent.updated'(office) {
    await office.change({ ServiceAgents: [{ Name: office.name }] });
    await office.change({ ServiceAgents: [{ Name: office.name, Email: office.email }] });
  },
  'user.created': (office) => office.change({ Users: [{ Name: office.name, Email: office.email, Role: 'Office' }] }),
  async 'user.updated'(office) {
    await office.change({ Users: [{ Name: office.name, Email: office.email, Role: 'Office' }] });
    await office.change({ Users: [{ Name: `${office.name}, changed`, Email: office.email }] });
  },
  'service.created': (office) => office.change({ Services: [{ Name: office.name }] }),
  async 'service.updated'(office) {
    await office.change({ Services: [{ Name: office.name }] });
    await office.change({ Services: [{ Name: office.name, BasePrice: 80 }] });
  },
};

/** The kinds that `causeEvent` knows, in the order of the interface. */
export const triggerableKinds: readonly string[] = allEventKinds.filter((kind) => Object.hasOwn(recipes, kind));

/** Makes a real change through the API that causes an event of a kind, after creating what that requires. */
export async function causeEvent(kind: string, call: CallApi, now: Date): Promise<void> {
  const recipe = recipes[kind];
  if (!recipe) throw new TypeError(`No operation causes ${kind}.`);
  await recipe(new Office(call, now));
}
