import { LRUCache } from 'lru-cache';
import { currencyOf } from '../shared/currency.ts';
import { HOUR, offsetAt, toLocalDay } from '../shared/time/time.ts';
import { type Texts, en } from './texts/en.ts';
import { es } from './texts/es.ts';

export const languages = { en, es } as const;
export type Language = keyof typeof languages;

export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** The language that the client chose, else the first browser language that we have: `es-MX,es;q=0.9,en;q=0.8`. */
export function chooseLanguage(chosen = '', accepted = ''): Language {
  if (isLanguage(chosen)) return chosen;
  const wanted = accepted
    .split(',', 20)
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.find((each) => each.trim().startsWith('q='))?.trim();
      return { language: tag.split('-')[0] ?? '', quality: quality ? Number(quality.slice(2)) : 1 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return wanted.map(({ language }) => language).find(isLanguage) ?? 'en';
}

/** The texts, amounts and dates of a page in one language. */
export interface Wording {
  readonly language: Language;
  text(name: keyof Texts, values?: Readonly<Record<string, string | number>>): string;
  /** `$1,340.00` */
  money(amount: number): string;
  /** `$1.3K`, for the axis of a plot. */
  shortMoney(amount: number): string;
  /** `62%` for 0.62. */
  percent(share: number): string;
  /** `12,500.5`, with as many decimals as the number has. */
  quantity(amount: number): string;
  /** `June 3, 2026` for a moment in a zone. */
  date(at: number, zone: string): string;
  /** `Wednesday, June 3, 2026` for a moment in a zone. */
  fullDate(at: number, zone: string): string;
  /** `Wednesday, June 3` for a moment in a zone. */
  day(at: number, zone: string): string;
  /** `June 3, 2026` for `2026-06-03`. */
  calendarDate(date: string): string;
  /** `Wed, June 3` for a moment in a zone. */
  shortDay(at: number, zone: string): string;
  /** `9:00 AM` */
  time(at: number, zone: string): string;
  /** `8–10 AM`, `8:30–10:00 AM`, `11 AM–1 PM`; `8 AM` where both are the same. */
  shortTimes(from: number, through: number, zone: string): string;
  /** `December 2026` for `2026-12`. */
  month(month: string): string;
  /** `Dec` for `2026-12`. */
  shortMonth(month: string): string;
  /** `Wednesday` or `Wed` for a moment in UTC. */
  weekday(at: number, style: 'long' | 'short'): string;
  /** `1 hour, 30 minutes` */
  duration(minutes: number): string;
  /** `Eastern Time` */
  zoneName(zone: string): string;
}

const locales: Readonly<Record<Language, string>> = { en: 'en-US', es: 'es-US' };

const numberFormats = new LRUCache<string, Intl.NumberFormat>({ max: 100 });
const dateFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

function numberFormat(locale: string, style: Intl.NumberFormatOptions): Intl.NumberFormat {
  const name = `${locale} ${JSON.stringify(style)}`;
  const format = numberFormats.get(name) ?? new Intl.NumberFormat(locale, style);
  numberFormats.set(name, format);
  return format;
}

function dateFormat(locale: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${locale} ${JSON.stringify(style)}`;
  const format = dateFormats.get(name) ?? new Intl.DateTimeFormat(locale, style);
  dateFormats.set(name, format);
  return format;
}

/** The name of a zone, independent of the season. */
const zoneNameOf = (locale: string, zone: string): string =>
  dateFormat(locale, { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone;

/** Hours and minutes in words. */
function formatLength(locale: string, minutes: number): string {
  const parts = [
    { unit: 'hour', count: Math.floor(minutes / 60) },
    { unit: 'minute', count: minutes % 60 },
  ].filter(({ count }) => count > 0);
  const written = parts.map(({ unit, count }) =>
    numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
  );
  return new Intl.ListFormat(locale, { type: 'unit' }).format(written);
}

const isWholeHour = (at: number, zone: string): boolean => (at + offsetAt(at, zone)) % HOUR === 0;

/** Times without minutes where both are whole hours, with plain spaces, and none around the dash. */
function formatTimes(locale: string, zone: string, from: number, through: number): string {
  const areWhole = isWholeHour(from, zone) && isWholeHour(through, zone);
  const format = dateFormat(locale, { timeZone: zone, hour: 'numeric', ...(areWhole ? {} : { minute: '2-digit' }) });
  // A range over midnight would have dates.
  const times =
    toLocalDay(from, zone) === toLocalDay(through, zone)
      ? format.formatRange(from, through)
      : `${format.format(from)}–${format.format(through)}`;
  return times.replaceAll(/\s*–\s*/g, '–').replaceAll(/\s/g, ' ');
}

/** A text with its values: `{name}`. */
export const fillIn = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, key: string) => String(values[key] ?? placeholder));

const SHORT = { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 } as const;

/** The wording for a language and the organization's country. Formats are created when first needed. */
export function wordingOf(language: Language, country: string): Wording {
  const locale = locales[language];
  const texts: Texts = languages[language];
  const dated = (at: number, zone: string, style: Intl.DateTimeFormatOptions) =>
    dateFormat(locale, { timeZone: zone, ...style }).format(at);
  const currency = currencyOf(country);
  return {
    language,
    text: (name, values = {}) => fillIn(texts[name], values),
    // `$` for Canadians too, who know which dollar it is.
    money: (amount) =>
      numberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(amount),
    shortMoney: (amount) =>
      numberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...SHORT }).format(amount),
    percent: (share) => numberFormat(locale, { style: 'percent' }).format(share),
    quantity: (amount) => numberFormat(locale, { maximumFractionDigits: 10 }).format(amount),
    date: (at, zone) => dated(at, zone, { dateStyle: 'long' }),
    fullDate: (at, zone) => dated(at, zone, { dateStyle: 'full' }),
    day: (at, zone) => dated(at, zone, { weekday: 'long', month: 'long', day: 'numeric' }),
    calendarDate: (date) => dated(Date.parse(`${date}T12:00:00Z`), 'UTC', { dateStyle: 'long' }),
    shortDay: (at, zone) => dated(at, zone, { weekday: 'short', month: 'long', day: 'numeric' }),
    time: (at, zone) => dated(at, zone, { timeStyle: 'short' }),
    shortTimes: (from, through, zone) => formatTimes(locale, zone, from, through),
    month: (month) => dated(Date.parse(`${month}-01T12:00:00Z`), 'UTC', { month: 'long', year: 'numeric' }),
    shortMonth: (month) => dated(Date.parse(`${month}-01T12:00:00Z`), 'UTC', { month: 'short' }),
    weekday: (at, style) => dated(at, 'UTC', { weekday: style }),
    duration: (minutes) => formatLength(locale, minutes),
    zoneName: (zone) => zoneNameOf(locale, zone),
  };
}
