import type { ContactRecord } from '../entities/contacts.ts';

/**
 * Whether a client must enter the last digits of the phone number; `missing`: required, but the contact has no phone.
 */
export type PhoneCheck = 'none' | 'asked' | 'missing';

/** The last four digits of each phone of a contact. */
export const phoneEndings = ({ PhoneKey, AltPhoneKey }: Pick<ContactRecord, 'PhoneKey' | 'AltPhoneKey'>): string[] =>
  [PhoneKey, AltPhoneKey].flatMap((phone) => /\d{4}$/.exec(phone)?.[0] ?? []);

/** Which check applies to signing or paying an amount. */
export function phoneCheckOf(amount: number, verifyAbove: number | null, endings: readonly string[]): PhoneCheck {
  if (verifyAbove === null || amount <= verifyAbove) return 'none';
  return endings.length > 0 ? 'asked' : 'missing';
}
