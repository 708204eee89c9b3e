import { Status } from '../../domain/appointments/record.ts';
import type { Appointment } from '../../entities/appointments.ts';
import type { Invoice } from '../../entities/invoices.ts';
import type { MessageKind } from '../../entities/message-kinds.ts';
import type { Proposal } from '../../entities/proposals.ts';
import type { OfficeWording } from './wording.ts';

/** A message that the office may send to a client, by its kind and the record that it is about. */
export interface MessageChoice {
  /** `Invoice 1017` */
  readonly value: string;
  readonly label: string;
}

/** What messages can be about. */
export interface MessageRecords {
  readonly visits: readonly Appointment[];
  readonly proposals: readonly Proposal[];
  readonly invoices: readonly Invoice[];
}

type SentKind = Extract<
  MessageKind,
  | 'NewLink'
  | 'VisitBooked'
  | 'VisitConfirm'
  | 'Reminder'
  | 'OnTheWay'
  | 'HowWasIt'
  | 'Proposal'
  | 'Invoice'
  | 'InvoiceOverdue'
>;

/** The messages about a visit, by its status. The last visit alone is asked about. */
const ofVisit: Readonly<Record<number, readonly SentKind[]>> = {
  [Status.Scheduled]: ['VisitBooked', 'Reminder'],
  [Status.Tentative]: ['VisitConfirm'],
  [Status.Started]: ['OnTheWay'],
  [Status.Completed]: ['HowWasIt'],
};

export function messageChoices(
  wording: OfficeWording,
  { visits, proposals, invoices }: MessageRecords,
  { zone, now }: { readonly zone: string; readonly now: number },
): MessageChoice[] {
  const choice = (kind: SentKind, id: number | null, record: string): MessageChoice => ({
    value: `${kind} ${id ?? ''}`.trim(),
    label: record ? `${wording.say(`send${kind}`)}: ${record}` : wording.say(`send${kind}`),
  });
  const isDone = ({ Status: status }: Appointment) => status === Status.Completed;
  const isAhead = (visit: Appointment) =>
    visit.Status === Status.Started || (!isDone(visit) && Date.parse(visit.DateTime) > now);
  const last = visits.findLast(isDone);
  return [
    choice('NewLink', null, ''),
    ...[...visits.filter(isAhead), ...(last ? [last] : [])].flatMap((visit) =>
      (ofVisit[visit.Status ?? Status.Queued] ?? []).map((kind) =>
        choice(
          kind,
          visit.AppointmentId,
          `${visit.ServiceName}, ${wording.shortDay(Date.parse(visit.DateTime), zone)}`,
        ),
      ),
    ),
    ...proposals.map(({ Id, Title, ServiceName }) => choice('Proposal', Id, Title || ServiceName || String(Id))),
    ...invoices.flatMap(({ Id, Number: number, BalanceDue }) =>
      (['Invoice', 'InvoiceOverdue'] as const).map((kind) =>
        choice(kind, Id, `${number}, ${wording.money(BalanceDue ?? 0)}`),
      ),
    ),
  ];
}

/** The kind and the record of a value that a form sent back. An operation checks them. */
export function toMessage(value: string): { readonly Kind: string; readonly RecordId?: number } {
  const [Kind = '', id = ''] = value.split(' ');
  return /^\d{1,10}$/.test(id) ? { Kind, RecordId: Number(id) } : { Kind };
}
