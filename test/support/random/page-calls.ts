import fc from 'fast-check';
import { CLIENT_PAGES, type ClientPage } from '../../../lib/domain/client-pages.ts';
import { anyCharacter } from './characters.ts';

const ODD_NUMBERS =
  '|0|-1|1|2|1.5|1e3|1e400|NaN|Infinity|0x10| 7 |007|1,000|٣|null|2147483647|2147483648|4102444800000|' +
  '8640000000000000|8640000000000001|-8640000000000001|9007199254740993|99999999999999999999|2035-03-05|275760-09-14';

const numbers = fc.oneof(
  fc.constantFrom(...ODD_NUMBERS.split('|'), '1'.repeat(400)),
  fc.integer().map(String),
  fc.bigInt().map(String),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((date) => String(date.getTime())),
);

const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom('💧'.repeat(700), 'x'.repeat(3000), '\0', '%', '%ED%A0%80', '../..', '__proto__', 'constructor', '#'),
);

const names = (
  'service zip slot from lang choose option checkout done utm_source utm_campaign name email phone address city state ' +
  'note form shown drawing reason message cancelReason cancelNote score contact tip amount byEmail List-Unsubscribe'
).split(' ');

const actions =
  'accept decline pay save-card tip feedback another-time confirm cancel save-preferences unsubscribe book ask toString '.split(
    ' ',
  );

const parameters = fc.array(fc.tuple(fc.constantFrom(...names), fc.oneof(numbers, texts)), { maxLength: 12 });

const files = fc.oneof(
  fc.constantFrom(undefined, undefined, 'pdf', 'visit.ics', 'visits.ics', 'return', 'picture-1'),
  numbers.map((number) => `picture-${number}`),
  texts,
);

/** A part of a handle is replaced: its account, id, generation, last day or signature. */
const altered = fc.record({ part: fc.nat({ max: 4 }), by: fc.oneof(numbers, texts) });

export interface PageCallCase {
  readonly page: ClientPage | 'logo' | 'assets';
  readonly file: string | undefined;
  /** Chosen before the others, so that pages come far. */
  readonly isKnown: boolean;
  readonly query: readonly (readonly [string, string])[];
  readonly form: { readonly action: string; readonly fields: readonly (readonly [string, string])[] } | undefined;
  readonly altered: { readonly part: number; readonly by: string } | undefined;
  /** Days from today. */
  readonly day: number;
}

/** A call of a page with hostile numbers, dates, ids and texts wherever its address or form has one. */
export const pageCall: fc.Arbitrary<PageCallCase> = fc.record({
  page: fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...CLIENT_PAGES) }, fc.constantFrom('logo', 'assets')),
  file: files,
  isKnown: fc.boolean(),
  query: parameters,
  form: fc.option(fc.record({ action: fc.constantFrom(...actions), fields: parameters }), { nil: undefined }),
  altered: fc.option(altered, { nil: undefined, freq: 5 }),
  day: fc.nat({ max: 59 }),
});
