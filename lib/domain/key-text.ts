import { fold } from './words.ts';

/**
 * Characters of a text that count in a key: keys have at most 1,024 bytes, and folding can make 18 characters of one
 * (ﷺ).
 */
const MOST_CHARACTERS = 150;

/**
 * A text by which a thing is unique whatever its case and accents, as part of a key: never empty where the text is not.
 */
export const keyText = (text: string): string => [...(fold(text) || text)].slice(0, MOST_CHARACTERS).join('');
