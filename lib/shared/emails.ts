const LONGEST_EMAIL = 254;
const LONGEST_LOCAL = 64;
const LETTER = String.raw`[\p{L}\p{N}\p{M}]`;
const LABEL = String.raw`${LETTER}(?:[\p{L}\p{N}\p{M}-]{0,61}${LETTER})?`;
// One @; before it anything but spaces, controls and what needs quoting; after it labels, two at least, the last of two
// letters at least. Made at first use: classes of Unicode letters take most of a millisecond to read.
let shape: RegExp | undefined;
const shapeOf = (): RegExp =>
  (shape ??= new RegExp(String.raw`^([^\s\p{C}@<>()[\]\\,;:"]+)@(?:${LABEL}\.)+(?=..)${LABEL}$`, 'u'));

/**
 * An e-mail address for matching: trimmed, composed (NFC) and lower case, the part before the @ too. ` Ann@Example.COM
 * ` → `ann@example.com`.
 */
export function normalizeEmail(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/**
 * Whether a text can be an e-mail address: one @, a local part of 1 to 64 characters without spaces or loose dots, a
 * domain of two or more labels, 254 characters in all (RFC 5321). Quoted local parts and addresses of bare IP numbers
 * are refused; letters beyond ASCII are accepted.
 */
export function isEmail(text: string): boolean {
  const email = normalizeEmail(text);
  if (email.length > LONGEST_EMAIL) return false;
  const local = shapeOf().exec(email)?.[1];
  return local !== undefined && local.length <= LONGEST_LOCAL && !/^\.|\.\.|\.$/.test(local);
}
