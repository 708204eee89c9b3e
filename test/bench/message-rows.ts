import { blankMessageSettings } from '../../lib/domain/messages/apply-settings.ts';
import type { TableWriter } from '../../lib/store/dynamodb/table.ts';
import { messageSettingsChange } from '../../lib/store/message-settings.ts';
import { newMessageChange } from '../../lib/store/messages.ts';
import type { CostRow } from './cost-rows.ts';

/** A contact with more messages than a page has. */
const CONTACT = 21;
const MESSAGES = 60;
/** The first of its invoices that is open. */
const INVOICE = (CONTACT - 1) * 5 + 1;
const START = Date.UTC(2026, 0, 1, 12);

/** Turns messages on, and puts those of a contact. */
export async function seedMessages(table: TableWriter, account: string): Promise<void> {
  process.env['MESSAGES_FROM'] = 'messages@mail.example.com';
  process.env['MESSAGES_TEXT_ORIGIN'] = 'phone-1';
  await table.commit([messageSettingsChange({ account }, { ...blankMessageSettings(0), On: true, Since: START })]);
  const changes = Array.from({ length: MESSAGES }, (_, index) => {
    const message = {
      Id: index + 1,
      OrganizationId: 1,
      ContactId: CONTACT,
      Kind: 'InvoiceDue',
      Channel: index % 2 ? 'Text' : 'Email',
      Address: index % 2 ? '+12175550143' : 'marta@example.com',
      State: 'Delivered',
      Reason: '',
      Noun: 'Invoice',
      RecordId: INVOICE,
      Visits: [],
      Stamp: 'to be paid',
      Due: START + index * 3_600_000,
      SentAt: START + index * 3_600_000,
      Uncertain: false,
      ClaimedUntil: 0,
      ServiceId: `service-${index}`,
    } as const;
    return newMessageChange({ account }, message, { keptDays: 730, now: new Date(START) });
  });
  await table.putMany(changes.flatMap((change) => ('put' in change ? [change.put] : [])));
}

const of = { ContactId: CONTACT, Kind: 'Invoice', RecordId: INVOICE } as const;

export const messageRows: readonly CostRow[] = [
  {
    name: 'contacts/messages, 25 of 60',
    operation: 'contacts/messages',
    body: () => ({ ContactId: CONTACT }),
    budget: { rounds: 3, readUnits: 6, writeUnits: 0 },
    check: ({ Messages }) => {
      const { length } = Messages as unknown[];
      if (length !== 25) throw new Error(`expected 25 messages, found ${length}`);
    },
  },
  {
    name: 'messages/preview, an e-mail about an invoice',
    operation: 'messages/preview',
    body: () => ({ ...of, Channel: 'Email' }),
    budget: { rounds: 4, readUnits: 8, writeUnits: 0 },
  },
  {
    name: 'messages/send, an e-mail about an invoice',
    operation: 'messages/send',
    body: () => ({ ...of, Channel: 'Email' }),
    budget: { rounds: 4, readUnits: 8, writeUnits: 3 },
  },
];
