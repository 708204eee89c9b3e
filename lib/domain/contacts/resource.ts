import type { Contact } from '../../resources/contacts.ts';
import type { CustomField } from '../../resources/custom-fields.ts';
import type { NamedTaxRate } from '../../resources/taxes.ts';
import { customFieldsOf } from '../custom-fields.ts';
import type { ContactRecord } from './record.ts';
import { hasIdentifyingInfo, isValid } from './rules.ts';

/** The account's lists that a contact's complete form draws on. */
export interface ContactLists {
  readonly customFields: readonly CustomField[];
  readonly taxRates: readonly NamedTaxRate[];
}

/** How a contact is to be shown. */
export interface ContactView {
  readonly lists: ContactLists;
  /** Where client links begin. */
  readonly baseUrl: string;
  /** The payment on file is shown only to those who ask for it. */
  readonly paymentOnFile: boolean;
}

/** The complete contact as every operation answers it. */
export function contactOf(record: ContactRecord, { lists, baseUrl, paymentOnFile }: ContactView): Contact {
  const { V: _, Created: __, Updated: ___, PhoneKey: ____, AltPhoneKey: _____, NotePages: ______, NamedTaxRateId, ...contact } = record;
  return {
    ...contact,
    ...(paymentOnFile ? {} : { PmtOnFileKind: '', PmtOnFileLast4: '', PmtOnFileExpDate: '' }),
    NamedTaxRate: lists.taxRates.find(({ Id }) => Id === NamedTaxRateId) ?? null,
    AccountingClass: contact.AccountingClass && { ...contact.AccountingClass, PostalCodes: contact.Zip ? [contact.Zip] : [] },
    Tags: contact.Tags.map(({ Name }) => Name),
    CustomFields: customFieldsOf(contact.CustomFields, lists.customFields),
    UpdatePaymentOnFileUrl: `${baseUrl}/client/payment-method/${contact.Hash}`,
    IsValid: isValid(record),
    HasIdentifyingInfo: hasIdentifyingInfo(record),
  };
}
