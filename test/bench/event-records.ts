import { ProposalStatus } from '../../lib/entities/proposal-status.ts';
import { InvoiceStatus } from '../../lib/entities/invoices.ts';
import { taskEntity } from '../../lib/entities/tasks.ts';
import { Status, blankAppointment } from '../../lib/domain/appointments/record.ts';
import { blankPayment } from '../../lib/domain/payments.ts';
import type { StreamRecord } from '../../lib/events/change.ts';
import { appointmentChanges } from '../../lib/store/appointments.ts';
import type { Change, Item } from '../../lib/store/dynamodb/changes.ts';
import { invoiceChanges } from '../../lib/store/sales/invoices.ts';
import { attributes } from '../../lib/store/keys.ts';
import { paymentChanges } from '../../lib/store/sales/payments.ts';
import { proposalChanges } from '../../lib/store/sales/proposals.ts';
import { taskChanges } from '../../lib/store/tasks.ts';
import { HOUR, MINUTE } from '../../lib/shared/time/time.ts';
import { contactItem, someContact } from '../support/contacts.ts';
import { written } from '../support/images.ts';
import { invoiceOver } from '../support/invoices.ts';
import { createdProposal, references } from '../support/proposals.ts';

export const ACCOUNT = 'bench';
const RECORDS_A_SECOND = 40;

const now = new Date(Date.UTC(2026, 10, 21, 15, 30));
const later = new Date(Date.UTC(2026, 10, 21, 16));
const Created = now.getTime();
const Zone = 'America/New_York';
const owner = { OrganizationId: 1, ContactId: 1 };

/** A new record and the same after a change of every day. */
type Pair = readonly [created: Item, changed: Item];

function itemOf(change: Change | undefined): Item {
  if (!change || !('put' in change)) throw new Error('the first change is not of the record');
  return change.put;
}

function contact(id: number, account = ACCOUNT): Pair {
  const before = someContact(id, { Name: `Contact ${id}`, Email: `contact${id}@example.com`, City: 'Springfield' });
  const after = { ...before, V: before.V + 1, Name: `Customer ${id}` };
  return [contactItem(account, before), contactItem(account, after)];
}

function appointment(Id: number): Pair {
  const HashKey = `handle-of-appointment-${Id}`;
  const input = { ServiceId: 1, ServiceName: 'Window cleaning', ServiceAgentId: 2, ServiceAgentName: 'Ann Ruiz' };
  const times = { Start: Created + (Id % 720) * HOUR, Duration: 90, Notes: 'Gate code 4711.', Total: 120 };
  const blank = blankAppointment({
    Id,
    ...owner,
    HashKey,
    Zone,
    Created,
    ...input,
    ...times,
    Status: Status.Scheduled,
  });
  const { record, changes } = appointmentChanges({ account: ACCOUNT }, { before: undefined, after: blank, now });
  const after = { ...record, Status: Status.Started, ActualStart: times.Start + 5 * MINUTE };
  const { changes: changed } = appointmentChanges({ account: ACCOUNT }, { before: record, after, now: later });
  return [itemOf(changes[0]), itemOf(changed[0])];
}

function invoice(Id: number): Pair {
  const { record, changes } = invoiceChanges(
    { account: ACCOUNT },
    { before: undefined, after: invoiceOver(120, { Id }), now },
  );
  const after = { ...record, Status: InvoiceStatus.Paid, Paid: 120, Balance: 0 };
  return [
    itemOf(changes[0]),
    itemOf(invoiceChanges({ account: ACCOUNT }, { before: record, after, now: later }).changes[0]),
  ];
}

const lines = Array.from({ length: 5 }, (_, index) => ({ LineDescription: `Line ${index + 1}`, UnitPrice: 25 }));
const quoted = createdProposal({ ProposalLines: lines }, references());

function proposal(Id: number): Pair {
  const created = { ...quoted, V: 0, Id, Status: ProposalStatus.Open, OpenedAt: Created };
  const { record, change } = proposalChanges({ account: ACCOUNT }, { before: undefined, after: created, now });
  const after = { ...record, Status: ProposalStatus.Accepted, AcceptedAt: later.getTime() };
  return [itemOf(change), itemOf(proposalChanges({ account: ACCOUNT }, { before: record, after, now: later }).change)];
}

function payment(Id: number): Pair {
  const created = { ...blankPayment(invoiceOver(120, { Id }), now), Id, Amount: 120, Method: 'Check' };
  const { record, changes } = paymentChanges({ account: ACCOUNT }, { before: undefined, after: created, now });
  const after = { ...record, Reference: 'Check 4711' };
  return [
    itemOf(changes[0]),
    itemOf(paymentChanges({ account: ACCOUNT }, { before: record, after, now: later }).changes[0]),
  ];
}

function task(Id: number): Pair {
  const created = {
    ...taskEntity.blank({ Id, ...owner, Created }),
    Description: 'Call back',
    Due: Created,
    TaskType: 1,
  };
  const { record, change } = taskChanges({ account: ACCOUNT }, { before: undefined, after: created, now });
  const after = { ...record, CompletedAt: later.getTime(), CompletedBy: 'Ann Ruiz' };
  return [itemOf(change), itemOf(taskChanges({ account: ACCOUNT }, { before: record, after, now: later }).change)];
}

export const nouns = {
  contacts: contact,
  appointments: appointment,
  invoices: invoice,
  'proposals of 5 lines': proposal,
  payments: payment,
  tasks: task,
} satisfies Record<string, (id: number) => Pair>;

/** How fast the changes of the lanes were made. */
const LANE_CHANGES_A_SECOND = 500;

/** The changes of an account in the order of their commits: each contact is created and at once changed. */
export const laneChanges = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `Contact.${1 + Math.floor(index / 2)}.${1 + (index % 2)}`);

/** A shard of a run of several lanes. */
export interface ShardOfRun {
  readonly account: string;
  readonly shard: number;
  readonly shards: number;
  /** Of the account, over all shards. */
  readonly changes: number;
  /** When the first of them was committed, in seconds since 1970. */
  readonly second: number;
}

/** The records of one shard: a contact is always in the same. */
export function laneRecords({ account, shard, shards, changes, second }: ShardOfRun): StreamRecord[] {
  const records: StreamRecord[] = [];
  for (let index = 0; index < changes; index++) {
    const id = 1 + Math.floor(index / 2);
    if (id % shards !== shard) continue;
    const [before, after] = contact(id, account);
    const { PK, SK } = before;
    const images = index % 2 ? { OldImage: written(before), NewImage: written(after) } : { NewImage: written(before) };
    const ApproximateCreationDateTime = second + Math.floor(index / LANE_CHANGES_A_SECOND);
    const SequenceNumber = String(index + 1);
    records.push({ dynamodb: { ApproximateCreationDateTime, Keys: written({ PK, SK }), SequenceNumber, ...images } });
  }
  return records;
}

/** Half are new records, half are changes; parsed JSON, as Lambda gives them to a function. */
export function streamRecords(pairOf: (id: number) => Pair, count: number, firstId = 1): StreamRecord[] {
  const second = Math.floor(Date.now() / 1000);
  const stamp = (item: Item) =>
    written({ ...item, [attributes.actor]: ['0123456789ab', 'Office', `request-${firstId}`] });
  return Array.from({ length: count }, (_, index) => {
    const [before, after] = pairOf(firstId + index);
    const { PK, SK } = before;
    const record: StreamRecord = {
      dynamodb: {
        ApproximateCreationDateTime: second + Math.floor(index / RECORDS_A_SECOND),
        Keys: written({ PK, SK }),
        SequenceNumber: String(firstId + index),
        ...(index % 2 ? { OldImage: stamp(before), NewImage: stamp(after) } : { NewImage: stamp(before) }),
      },
    };
    return JSON.parse(JSON.stringify(record)) as StreamRecord;
  });
}
