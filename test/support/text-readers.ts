import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { staticMessage } from '../../lib/api/aws-messages.ts';
import { readTimes } from '../../lib/domain/imports/cells.ts';
import { isFormulaName } from '../../lib/domain/formula-names.ts';
import { parseFormula } from '../../lib/domain/formula.ts';
import {
  fold,
  isEmail,
  normalizeEmail,
  normalizePostalCode,
  splitWords,
  streetWords,
  toKeyText,
} from '../../lib/shared/text/text.ts';
import { parseDuration } from '../../lib/shared/time/time.ts';
import { isPhoneText, normalizePhone } from '../../lib/shared/text/phones.ts';
import { parseCalendarDate, parseMoment, parseRangeEnd } from '../../lib/shared/time/read-moments.ts';
import {
  addressMatcher,
  isIpAddress,
  isWebsite,
  networkOf,
  normalizeWebAddress,
  parseCallbackAddress,
  parseWebAddress,
  webAddressError,
} from '../../lib/shared/web/web-addresses.ts';

const root = join(import.meta.dirname, '../..');

/** Everything that reads text from outside by patterns. */
export const readers: Readonly<Record<string, (text: string) => unknown>> = {
  isEmail,
  normalizeEmail,
  staticMessage,
  isPhoneText,
  normalizePhone: (text) => normalizePhone(text, 'US'),
  fold,
  splitWords,
  toKeyText,
  parseMoment: (text) => parseMoment(text, 'UTC'),
  parseRangeEnd: (text) => parseRangeEnd(text, 'UTC'),
  parseCalendarDate,
  parseDuration,
  readTimes,
  normalizePostalCode,
  streetWords,
  isFormulaName,
  parseFormula: (text) => parseFormula(text, new Set(['quantity'])),
  parseWebAddress,
  normalizeWebAddress,
  webAddressError,
  isWebsite,
  parseCallbackAddress: (text) => parseCallbackAddress(text, { allowLoopback: true }),
  isIpAddress,
  networkOf,
  addressMatcher: (text) => addressMatcher([text])(text),
};

/** The sources of lib and functions. */
export const sources = globSync(['lib/**/*.ts', 'functions/**/*.ts'], { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));
