import { endOfString } from '../../shared/objects.ts';

/** Finds common mistakes in JSON, so that a refusal can say what to do. */

interface JsonMistake {
  readonly offset: number;
  /** A sentence that says what to do. */
  readonly advice: string;
}

/** The first common mistake outside strings: comments, other quotes, a comma too many or too few. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  /** The last significant character; `"` for a text, `0` for another value. */
  let last = '';
  let depth = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const character = text[offset] as string;
    if (/\s/.test(character)) continue;
    const follows = last === '"' || last === '0' || last === '}' || last === ']';
    const error = (advice: string): JsonMistake => ({ offset, advice });
    if (character === '"') {
      if (follows) return error('A comma or colon is missing before it.');
      const end = endOfString(text, offset);
      if (end === text.length) return error('The text that begins there has no closing quote.');
      if (/[\n\r\t]/.test(text.slice(offset, end)))
        return error('Write line breaks and tabs in a text as \\n and \\t.');
      [offset, last] = [end, '"'];
    } else if (character === '/' || character === '#') return error('JSON has no comments; remove them.');
    else if (character === "'") return error('Use double quotes and not single ones.');
    else if (character === '{' || character === '[') {
      if (follows) return error(depth ? 'A comma is missing before it.' : 'A body is one JSON object.');
      [depth, last] = [depth + 1, character];
    } else if (character === '}' || character === ']') {
      if (last === ',') return error(`Remove the comma before the ${character}.`);
      [depth, last] = [depth - 1, character];
    } else if (character === ',' || character === ':') last = character;
    else {
      const advice = wordAdvice(text, offset, last);
      if (advice.message) return error(advice.message);
      [offset, last] = [advice.end - 1, '0'];
    }
  }
  return depth > 0
    ? { offset: text.length, advice: 'The body ends before its object does: a brace or bracket is not closed.' }
    : undefined;
}

const NUMBER = /[-+.\d][-+.\deE]*/y;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*|[\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019]/uy;

/** What is wrong with a word or number outside strings, and where it ends. */
function wordAdvice(text: string, offset: number, last: string): { readonly message: string; readonly end: number } {
  NUMBER.lastIndex = offset;
  const [number] = NUMBER.exec(text) ?? [];
  if (number !== undefined) {
    const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(number.slice(0, 100));
    const message = isNumber ? '' : 'Write numbers as 0.5 or 12, without leading zeros and signs of currency.';
    return { message, end: offset + number.length };
  }
  WORD.lastIndex = offset;
  const [word = ''] = WORD.exec(text) ?? [];
  const end = offset + word.length;
  if (['true', 'false', 'null'].includes(word)) return { message: '', end };
  if (/^[\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019]/.test(word))
    return { message: 'Use straight double quotes and not typographic ones.', end };
  if (!word) return { message: 'This character is no part of JSON outside of a text in double quotes.', end };
  return last === '{' || last === ','
    ? { message: 'Write the names of fields in double quotes.', end }
    : { message: 'Write null, true, false, a number, or a text in double quotes.', end };
}
