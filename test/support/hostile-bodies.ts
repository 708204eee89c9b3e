import { MAX_BODY_BYTES } from '../../lib/shared/limits.ts';

/** A list of so many bytes. */
const repeated = (unit: string, bytes = MAX_BODY_BYTES - 10): string =>
  `{"a":[${Array.from({ length: Math.floor((bytes - 8) / (unit.length + 1)) }, () => unit).join()}]}`;
const fields = (name: (index: number) => string): string =>
  `{${Array.from({ length: MAX_BODY_BYTES / 16 - 1 }, (_, index) => `"${name(index)}":1`).join()}}`;

/** Bodies of up to 256 KB that are expensive to parse, to validate or to search. */
export const hostileBodies = {
  'empty arrays': repeated('[]'),
  'empty objects': repeated('{}'),
  'arrays 60 deep': repeated('['.repeat(60) + ']'.repeat(60)),
  'arrays never closed': '['.repeat(MAX_BODY_BYTES),
  'names of their own': fields((index) => index.toString(36).padStart(11, 'k')),
  'one name again and again': fields(() => 'Name'),
  'names of prototypes': fields((index) => (index % 2 ? '__proto__' : 'constructor')),
  'a number of 260,000 digits': `{"a":${'9'.repeat(MAX_BODY_BYTES - 10)}}`,
  'an exponent of 260,000 digits': `{"a":1e${'4'.repeat(MAX_BODY_BYTES - 10)}}`,
  'escaped quotes': `{"a":"${'\\"'.repeat(MAX_BODY_BYTES / 2 - 10)}"}`,
  'backslashes and no end': `{"a":"${'\\'.repeat(MAX_BODY_BYTES - 10)}`,
  'keys without a value': `{${`"ApiKey"${' '.repeat(1_000)}`.repeat(MAX_BODY_BYTES / 1_010)}`,
};
