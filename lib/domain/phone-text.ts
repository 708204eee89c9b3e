const WRITTEN = /^[\d\s().+/\-#,;:*a-z]+$/i;

/**
 * Whether a text can be a phone number, for numbers that are only shown and never searched for: 7 to 17 digits however
 * parted, with up to 7 of an extension, or letters of a keypad (`1-800-FLOWERS`, four digits and seven letters). Those
 * that are searched for are read by phones.ts, which knows the countries.
 */
export function isPhoneText(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  const keys = text.replace(/[^\da-z]/gi, '').length;
  return (
    text.length <= 50 &&
    WRITTEN.test(text) &&
    ((digits >= 7 && digits <= 24) || (digits >= 4 && keys >= 10 && keys <= 12))
  );
}
