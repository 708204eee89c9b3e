import type { MessageRecordOf } from '../../domain/messages/decide.ts';
import type { MessageNoun } from '../../entities/message-kinds.ts';
import { findAppointment } from '../../store/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findPayment } from '../../store/sales/payments.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import type { StoreReader } from '../../store/store.ts';
import { findTask } from '../../store/tasks.ts';

const finders = {
  Appointment: findAppointment,
  Proposal: findProposal,
  Invoice: findInvoice,
  Payment: findPayment,
  Task: findTask,
  Contact: findContact,
} satisfies Record<MessageNoun, (store: StoreReader, id: number) => Promise<object | undefined>>;

/** The record that a message is about, as it is now; `undefined` if it is gone. */
export async function findAbout(
  store: StoreReader,
  noun: MessageNoun,
  id: number,
): Promise<MessageRecordOf | undefined> {
  const record = await finders[noun](store, id);
  return record && ({ noun, record } as MessageRecordOf);
}
