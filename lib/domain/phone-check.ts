import type { ContactRecord } from '../entities/contacts.ts';

/** Whether a client gives the last digits of its phone; `missing`: it would, but the contact has no phone. */
export type PhoneCheck = 'none' | 'asked' | 'missing';

/** The last four digits of each phone of a contact. */
export const phoneEndings = ({ PhoneKey, AltPhoneKey }: Pick<ContactRecord, 'PhoneKey' | 'AltPhoneKey'>): string[] =>
  [PhoneKey, AltPhoneKey].flatMap((phone) => /\d{4}$/.exec(phone)?.[0] ?? []);

/** What a client is asked who signs or pays an amount. */
export function phoneCheckOf(amount: number, verifyAbove: number | null, endings: readonly string[]): PhoneCheck {
  if (verifyAbove === null || amount <= verifyAbove) return 'none';
  return endings.length > 0 ? 'asked' : 'missing';
}
