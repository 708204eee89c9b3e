import metadata from 'libphonenumber-js/min/metadata';
import type { Plan } from '../../lib/shared/text/phones.ts';

/**
 * Calling codes whose numbers are understood however they are written: North America and the Caribbean, Mexico, Great
 * Britain, Ireland, Australia, New Zealand, South Africa, western and northern Europe, Poland, Czechia, Greece, Israel,
 * the Emirates, Singapore, Hong Kong, the Philippines. To add a country: add its calling code, then `npm run
 * phone-metadata`. Each costs about 70 bytes of every bundle that knows phones.
 */
const CALLING_CODES =
  '1 27 30 31 32 33 34 351 352 353 358 39 41 420 43 44 45 46 47 48 49 52 61 63 64 65 852 971 972'.split(' ');

/** A country's record in libphonenumber-js's own packed form; the places are those of its METADATA.md. */
type Packed = readonly [
  code: string,
  international: string,
  pattern: string,
  lengths: number[],
  formats: unknown,
  nationalPrefix?: string | 0,
  prefixFormat?: unknown,
  prefixPattern?: string | 0,
  transform?: string | 0,
];

/** What reading a number needs of libphonenumber's metadata, by country, each calling code's main country first. */
export function plansFromLibrary(): Record<string, Plan> {
  const supported = Object.entries(metadata.country_calling_codes).filter(([code]) => CALLING_CODES.includes(code));
  const names = supported.flatMap(([, countries]) => countries);
  return Object.fromEntries(
    names.map((name) => {
      const packed = metadata.countries[name] as unknown as Packed;
      const [code, international, pattern, lengths, , nationalPrefix, , prefixPattern, transform] = packed;
      const prefix = prefixPattern || nationalPrefix || '';
      return [name, [code, international, pattern, lengths, prefix, transform || ''] satisfies Plan];
    }),
  );
}

if (import.meta.main) {
  const lines = Object.entries(plansFromLibrary()).map(([country, plan]) => `  "${country}": ${JSON.stringify(plan)}`);
  console.log(`{\n${lines.join(',\n')}\n}`);
}
