import { Status, blankAppointment } from '../../lib/domain/appointments/record.ts';
import { blankInvoice } from '../../lib/domain/invoices/record.ts';
import { applyMessageSettings, blankMessageSettings } from '../../lib/domain/messages/apply-settings.ts';
import type { MessageSettingsInput } from '../../lib/domain/messages/apply-settings.ts';
import { type MessageSettings, resolveMessageSettings } from '../../lib/domain/messages/settings.ts';
import { blankPayment } from '../../lib/domain/payments.ts';
import { blankProposal } from '../../lib/domain/proposals/record.ts';
import { blankTask } from '../../lib/domain/tasks.ts';
import type { AppointmentRecord } from '../../lib/entities/appointments.ts';
import { type InvoiceRecord, InvoiceStatus } from '../../lib/entities/invoices.ts';
import type { PaymentRecord } from '../../lib/entities/payments.ts';
import { ProposalStatus } from '../../lib/entities/proposal-status.ts';
import type { ProposalRecord } from '../../lib/entities/proposals.ts';
import type { TaskRecord } from '../../lib/entities/tasks.ts';
import { DAY, HOUR } from '../../lib/shared/time/time.ts';

/** Records that messages are about, as of a day on which messages are on since a month. */

/** Monday, March 1, 2027, 7:00 in New York. */
export const NOW = Date.UTC(2027, 2, 1, 12);
const ZONE = 'America/New_York';
/** A week later at the same time. */
export const VISIT_START = NOW + 7 * DAY;

export const settingsOf = (input: MessageSettingsInput = {}): MessageSettings =>
  resolveMessageSettings({
    account: applyMessageSettings(blankMessageSettings(0), { On: true, ...input }, NOW - 30 * DAY),
  });

const of = { Id: 7, OrganizationId: 1, ContactId: 3, Zone: ZONE };

export const visit = (more: Partial<AppointmentRecord> = {}): AppointmentRecord =>
  blankAppointment({
    ...of,
    Created: NOW - DAY,
    HashKey: 'a7',
    Status: Status.Scheduled,
    Start: VISIT_START,
    Duration: 60,
    ...more,
  });

export const proposal = (more: Partial<ProposalRecord> = {}): ProposalRecord =>
  blankProposal({
    ...of,
    Created: NOW - DAY,
    Date: '2027-03-01',
    Status: ProposalStatus.Open,
    OpenedAt: NOW,
    ExpiresAt: NOW + 30 * DAY,
    ...more,
  });

/** One of 100.00, due on March 31 after 30 days. */
export const invoice = (more: Partial<InvoiceRecord> = {}): InvoiceRecord =>
  blankInvoice({
    ...of,
    Number: '10023',
    Created: NOW,
    Date: NOW,
    Status: InvoiceStatus.Open,
    Terms: 'Net 30',
    Total: 100,
    BalanceDue: 100,
    ...more,
  });

export const payment = (more: Partial<PaymentRecord> = {}): PaymentRecord => ({
  ...blankPayment({ ...invoice(), Id: 9 }, new Date(NOW)),
  Id: 7,
  Amount: 100,
  ...more,
});

export const task = (more: Partial<TaskRecord> = {}): TaskRecord => ({
  ...blankTask({ Id: 7, OrganizationId: 1, ContactId: 3, Created: NOW }),
  ...more,
});

/** Hours and days from now, as tables write them. */
export const hours = (count: number): number => NOW + count * HOUR;
export const days = (count: number): number => NOW + count * DAY;
