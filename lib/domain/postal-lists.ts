import { normalizePostalCode } from './addresses.ts';

/** Letters and digits, 3 to 10 of them: every country's codes, a US ZIP being five digits. */
const CODE = /^[A-Z0-9]{3,10}$/;

/** The postal codes of a list, normalised and each once, in the order given; `wrong` holds those that cannot be one. */
export function postalCodesOf(given: readonly string[]): { codes: string[]; wrong: string[] } {
  const written = given.map((text) => text.trim()).filter((text) => text !== '');
  const wrong = written.filter((text) => !CODE.test(normalizePostalCode(text)));
  return { codes: [...new Set(written.map(normalizePostalCode))], wrong };
}

/** A list as one text: comma, semicolon or line end separate (a space does not, as `K1A 0B1` has one). */
export const splitPostalCodes = (text: string): string[] => text.split(/[,;\r\n]+/);

/** What is wrong with a list of postal codes, as the end of a sentence about its field; `undefined` when nothing is. */
export const postalFault = (wrong: readonly string[]): string | undefined =>
  wrong.length
    ? `must be postal codes, which ${wrong
        .slice(0, 3)
        .map((text) => JSON.stringify(text.slice(0, 20)))
        .join(', ')} ${wrong.length > 1 ? 'are' : 'is'} not`
    : undefined;
