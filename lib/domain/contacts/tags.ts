import { fold } from '../../shared/text.ts';

/** Most tags a contact has. */
export const MAX_TAGS = 100;

/** Characters compared: a name has 100, but one character may unfold to 18 (U+FDFA), and a key holds 1,024 bytes. */
const LONGEST_KEY = 200;

/**
 * A tag's or category's name for comparing, the same whatever its case and accents; `""` when there is nothing in it.
 */
export const tagNameKey = (name: string): string => [...fold(name.trim())].slice(0, LONGEST_KEY).join('');
