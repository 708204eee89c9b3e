const MAX_EMAIL = 254;
const MAX_LOCAL_PART = 64;
const LETTER = String.raw`[\p{L}\p{N}\p{M}]`;
const LABEL = String.raw`${LETTER}(?:[\p{L}\p{N}\p{M}-]{0,61}${LETTER})?`;
/**
 * One @. Before it no spaces, control characters or characters that need quotes; after it at least two labels, the last
 * one with at least two letters. Compiled on first use: classes of Unicode letters take most of a millisecond.
 */
let pattern: RegExp | undefined;

/** An e-mail address for matching: trimmed, composed (NFC), lower case: ` Ann@Example.COM ` → `ann@example.com`. */
export const normalizeEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/**
 * Whether a text can be an e-mail address: one @, a local part of 1 to 64 characters without spaces or loose dots, a
 * domain of two or more labels, 254 characters in all (RFC 5321). Quoted local parts and IP addresses are not accepted;
 * letters beyond ASCII are.
 */
export function isEmail(text: string): boolean {
  const email = normalizeEmail(text);
  if (email.length > MAX_EMAIL) return false;
  pattern ??= new RegExp(String.raw`^([^\s\p{C}@<>()[\]\\,;:"]+)@(?:${LABEL}\.)+(?=..)${LABEL}$`, 'u');
  const localPart = pattern.exec(email)?.[1];
  return localPart !== undefined && localPart.length <= MAX_LOCAL_PART && !/^\.|\.\.|\.$/.test(localPart);
}
