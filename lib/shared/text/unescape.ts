import { decodeHTMLStrict } from 'entities';
import { unescapeForm } from './form-texts.ts';

/** The text before a form escaped it, with the library for HTML entities, which functions load only when needed. */
export const unescapeText = (text: string): string => unescapeForm(text, decodeHTMLStrict);
