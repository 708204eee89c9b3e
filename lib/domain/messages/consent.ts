import { isValidPhoneNumber } from 'libphonenumber-js/mobile';
import type { ContactRecord } from '../../entities/contacts.ts';
import { type Channel, type MessageKind, declarationOf } from '../../entities/message-kinds.ts';
import { isEmail, writtenEmail } from '../../shared/text/text.ts';

/** Whether a contact may be written to, and at which address. */

type Reachable = Pick<
  ContactRecord,
  | 'Email'
  | 'EmailProblem'
  | 'PhoneKey'
  | 'PhoneLabel'
  | 'AltPhoneKey'
  | 'AltPhoneLabel'
  | 'DoNotEmail'
  | 'DoNotText'
  | 'Unsubscribed'
>;

/** Labels of phones that take texts, and of phones that take none, in English and Spanish. */
const MOBILE = /mobile|cell|text|sms|m[oó]vil|celular/i;
const LANDLINE = /land ?line|fax|fijo|\bnot? (?:sms|text)/i;

/**
 * The phone of a contact that gets texts, in E.164 form; `''` without one. It is a valid number that may be a mobile
 * one (North American numbers do not tell) and is not labelled a landline or a fax. One labelled a mobile phone comes
 * before others, and Phone before AltPhone.
 */
export function phoneForTexts(contact: Reachable): string {
  const phones = [
    { number: contact.PhoneKey, label: contact.PhoneLabel },
    { number: contact.AltPhoneKey, label: contact.AltPhoneLabel },
  ].filter(({ number, label }) => isValidPhoneNumber(number) && !LANDLINE.test(label));
  return (phones.find(({ label }) => MOBILE.test(label)) ?? phones[0])?.number ?? '';
}

/** Where a message of this channel goes; `''` for nowhere. */
export const messageAddress = (contact: Reachable, channel: Channel): string =>
  channel === 'Text' ? phoneForTexts(contact) : isEmail(contact.Email) ? writtenEmail(contact.Email) : '';

/** The EmailProblem of the current address; one that begins with another address is over. */
function currentProblem({ Email, EmailProblem }: Reachable): string {
  const [problem, email] = [writtenEmail(EmailProblem), writtenEmail(Email)];
  // `ann@example.com` does not begin with `ann@example.co`.
  const isCurrent = problem.startsWith(email) && !/^\.?[\p{L}\p{N}@_-]/u.test(problem.slice(email.length));
  return isCurrent ? EmailProblem : '';
}

/** Why a contact does not get a message; `undefined` if it may. */
export function refusalOf(contact: Reachable, kind: MessageKind, channel: Channel): string | undefined {
  const { DoNotEmail, DoNotText, Unsubscribed } = contact;
  if (channel === 'Email' && DoNotEmail) return 'The contact has DoNotEmail.';
  if (channel === 'Text' && DoNotText) return 'The contact has DoNotText.';
  if (Unsubscribed && !declarationOf(kind).isTransactional) return 'The contact has Unsubscribed.';
  if (!messageAddress(contact, channel))
    return channel === 'Text' ? 'The contact has no phone that takes texts.' : 'The contact has no e-mail address.';
  return (channel === 'Email' && currentProblem(contact)) || undefined;
}
