import generated from './phone-metadata/plans.json' with { type: 'json' };

/**
 * How one country writes its numbers, from libphonenumber's metadata: calling code, prefix of international calls,
 * pattern and lengths of national numbers, prefix of national calls, and what replaces that prefix where it has a
 * group. Patterns are regular expressions; `""` is none. Great Britain: `["44", "00", "[1-357-9]\\d{9}|…", [7, 9, 10],
 * "0|180020", ""]`. Barbados completes local numbers: `"([2-9]\\d{6})$|1", "246$1"`.
 */
export type Plan = [
  code: string,
  international: string,
  pattern: string,
  lengths: number[],
  prefix: string,
  transform: string,
];

const plans = generated as unknown as Record<string, Plan>;
let mains: Map<string, Plan> | undefined;

/** The plan of a country (ISO 3166, two letters), undefined when infra/phones/metadata.ts does not list it. */
export function planOf(country: string): Plan | undefined {
  return Object.hasOwn(plans, country) ? plans[country] : undefined;
}

/**
 * The plan of the calling code that begins these digits: the main country's, so `1868…` gives that of the United
 * States.
 */
function planOfInternational(digits: string): Plan | undefined {
  // Reversed, so that the first country of a code is the one that stays.
  mains ??= new Map(
    Object.values(plans)
      .reverse()
      .map((plan) => [plan[0], plan]),
  );
  // No calling code begins another, so at most one of the three is there.
  return mains.get(digits.slice(0, 1)) ?? mains.get(digits.slice(0, 2)) ?? mains.get(digits.slice(0, 3));
}

function matches(digits: string, pattern: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(digits);
}

/**
 * The national number without the prefix of national calls, if it has one and is still a number without: `02079460958`
 * → `2079460958`.
 */
function significant(digits: string, [, , pattern, lengths, prefix, transform]: Plan): string {
  const found = prefix ? new RegExp(`^(?:${prefix})`).exec(digits) : null;
  if (!found) return digits;
  const completed = transform && found.at(-1) && found.length > 1;
  const rest = completed ? digits.replace(new RegExp(`^(?:${prefix})`), transform) : digits.slice(found[0].length);
  if (matches(digits, pattern) && !matches(rest, pattern)) return digits;
  // Too long is kept: whoever adds digits to a number may have written the prefix too. The pattern is asked besides the
  // lengths, since that of a shared calling code covers all its countries: Canada has 310-0000, the United States do
  // not.
  const fits = lengths.includes(rest.length) || rest.length > Math.max(...lengths) || matches(rest, pattern);
  return fits ? rest : digits;
}

/**
 * Whether the calling code was written without a plus: `1 217 555 0143`, `44 20 7946 0958`. Where the digits fit as a
 * national number, they are one.
 */
function beginsWithOwnCode(digits: string, plan: Plan): boolean {
  const [code, , pattern, lengths] = plan;
  if (!digits.startsWith(code)) return false;
  const national = significant(digits, plan);
  if (national.length > Math.max(...lengths)) return true;
  return !matches(national, pattern) && matches(significant(digits.slice(code.length), plan), pattern);
}

/**
 * Calling code and national number of what was dialled internationally: `011 44 20…` in the United States → `4420…`;
 * undefined when it was not.
 */
function asInternational(digits: string, plan: Plan): string | undefined {
  const prefix = new RegExp(`^(?:${plan[1]})`).exec(digits);
  const rest = prefix ? digits.slice(prefix[0].length) : '';
  // A calling code never begins with 0.
  if (rest !== '' && !rest.startsWith('0')) return rest;
  return beginsWithOwnCode(digits, plan) ? digits : undefined;
}

/**
 * E.164 of a number as dialled in `country`: digits, after a plus when written internationally. The steps are
 * libphonenumber's: international prefix, calling code, national prefix; one prefix is taken off. A calling code not
 * known to us stands for itself: `011 55 11 9…` → `+55119…`. undefined for a national number of a country not known to
 * us, and for a calling code of 0, which nobody has.
 */
export function readDialled(dialled: string, country: string): string | undefined {
  const plan = planOf(country);
  const international = dialled.startsWith('+') ? dialled.slice(1) : plan && asInternational(dialled, plan);
  if (international === undefined) return plan && `+${plan[0]}${significant(dialled, plan)}`;
  const foreign = planOfInternational(international);
  if (!foreign) return international.startsWith('0') ? undefined : `+${international}`;
  return `+${foreign[0]}${significant(international.slice(foreign[0].length), foreign)}`;
}
