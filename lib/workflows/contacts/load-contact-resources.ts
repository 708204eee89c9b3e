import type { ContactRecord } from '../../domain/contacts/record.ts';
import { contactToResource } from '../../domain/contacts/to-resource.ts';
import type { Contact } from '../../resources/contacts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { NamedTaxRate } from '../../resources/settings.ts';
import { listOlderNotes } from '../../store/contact-notes.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { listRecentSettings } from '../../store/settings.ts';

/**
 * Contacts in their complete form, with all their notes. The account's lists are asked for only where a contact draws
 * on them.
 */
export async function loadContactResources(
  table: TableReader,
  records: readonly ContactRecord[],
  {
    accountId,
    baseUrl,
    now,
    paymentOnFile = false,
  }: { accountId: string; baseUrl: string; now: Date; paymentOnFile?: boolean },
): Promise<Contact[]> {
  const drawsOn = (test: (record: ContactRecord) => boolean) => records.some(test);
  const [older, customFields, taxRates] = await Promise.all([
    listOlderNotes(table, accountId, records),
    drawsOn(({ CustomFields }) => CustomFields.length > 0)
      ? listRecentSettings<CustomField>(table, accountId, 'CustomField', now)
      : [],
    drawsOn(({ NamedTaxRateId }) => NamedTaxRateId !== null)
      ? listRecentSettings<NamedTaxRate>(table, accountId, 'NamedTaxRate', now)
      : [],
  ]);
  const whole = records.map((record) => ({ ...record, Notes: [...(older.get(record.Id) ?? []), ...record.Notes] }));
  return whole.map((record) =>
    contactToResource(record, { lists: { customFields, taxRates }, baseUrl, paymentOnFile }),
  );
}
