import type { AppointmentRecord } from '../entities/appointments.ts';
import { appointmentDate, appointmentToResource } from '../domain/appointments/record.ts';
import { add } from '../shared/money.ts';
import type { EntityKind } from './entity-kind.ts';

export const appointment: EntityKind<AppointmentRecord> = {
  noun: 'appointment',
  transactionKind: 1,
  transaction(record) {
    const { BilledLines, Subtotal, Total } = record;
    return {
      date: appointmentDate(record, record.Zone),
      subtotal: BilledLines.length ? add(...BilledLines.map(({ Extended }) => Extended)) : (Subtotal ?? Total),
    };
  },
  resource: (record, { agents, link }) => appointmentToResource(record, { dateStyle: 'iso', agents, link }),
  contactId: ({ ContactId }) => ContactId,
};
