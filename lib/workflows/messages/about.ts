import type { MessageRecordOf } from '../../domain/messages/decide.ts';
import type { MessageNoun } from '../../entities/message-kinds.ts';
import { findAppointment } from '../../store/appointments.ts';
import { findContact } from '../../store/contacts/contacts.ts';
import { findInvoice } from '../../store/sales/invoices.ts';
import { findPayment } from '../../store/sales/payments.ts';
import { findProposal } from '../../store/sales/proposals.ts';
import type { StoreReader } from '../../store/store.ts';
import { findTask } from '../../store/tasks.ts';

/** The record that a message is about, as it is now; `undefined` if it is gone. */
export async function findAbout(
  store: StoreReader,
  noun: MessageNoun,
  id: number,
): Promise<MessageRecordOf | undefined> {
  switch (noun) {
    case 'Appointment': {
      const record = await findAppointment(store, id);
      return record && { noun, record };
    }
    case 'Proposal': {
      const record = await findProposal(store, id);
      return record && { noun, record };
    }
    case 'Invoice': {
      const record = await findInvoice(store, id);
      return record && { noun, record };
    }
    case 'Payment': {
      const record = await findPayment(store, id);
      return record && { noun, record };
    }
    case 'Task': {
      const record = await findTask(store, id);
      return record && { noun, record };
    }
    case 'Contact': {
      const record = await findContact(store, id);
      return record && { noun, record };
    }
  }
}
