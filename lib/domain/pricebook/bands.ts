import type { Fault } from '../faults.ts';
import { checkFormula } from './formulas.ts';
import type { Ids } from './ids.ts';
import { overlay } from './overlay.ts';
import type { BookIdKind } from './plan-types.ts';

/** What bands of services and quantity prices of parts have in common: they hold where AtLeast ≤ quantity < LessThan. */
export interface Band {
  readonly Id: number;
  readonly AtLeast: number;
  readonly LessThan: number | null;
  readonly Price: number;
  readonly Formula: string;
}

/** A thing has at most this many, so that it stays one item of the table and one screen of a person. */
const MOST_BANDS = 100;

/** Bands as an entry gives them, in its order: the given ones are all that there are then. */
export interface GivenBands<Of extends Band> {
  readonly given: readonly object[];
  readonly before: readonly Of[];
  readonly blank: Of;
  readonly kind: BookIdKind;
  readonly ids: Ids;
  /** Where they stand: `Services[2].PricingBands`. */
  readonly field: string;
  readonly names: ReadonlySet<string>;
}

const order = (one: Band, other: Band): number => one.AtLeast - other.AtLeast;
const decimals4 = (value: number): boolean => Number(value.toFixed(4)) === value;

/** Overlaps, each told of at the band that begins later: gaps are allowed, there the plain price holds. */
function overlaps(bands: readonly Band[], field: string): Fault[] {
  const faults: Fault[] = [];
  const sorted = bands.map((band, index) => ({ band, index })).sort((a, b) => order(a.band, b.band));
  let furthest: { readonly index: number; readonly end: number } | undefined;
  for (const { band, index } of sorted) {
    if (furthest && band.AtLeast < furthest.end) {
      const reach = furthest.end === Infinity ? 'has no end' : `goes to ${furthest.end}`;
      const message = `overlaps ${field}[${furthest.index}], which ${reach}`;
      faults.push({ field: `${field}[${index}].AtLeast`, message });
    }
    const end = band.LessThan ?? Infinity;
    if (!furthest || end > furthest.end) furthest = { index, end };
  }
  return faults;
}

/** What is wrong with bands, in the order given. */
function checkBands(bands: readonly Band[], field: string, names: ReadonlySet<string>): Fault[] {
  const faults = bands.flatMap(({ AtLeast, LessThan, Price, Formula }, index): Fault[] => {
    const at = `${field}[${index}]`;
    return [
      ...(AtLeast < 0 ? [{ field: `${at}.AtLeast`, message: 'must be at least 0' }] : []),
      ...(LessThan !== null && LessThan <= AtLeast
        ? [{ field: `${at}.LessThan`, message: `must be more than AtLeast, which is ${AtLeast}` }]
        : []),
      // The base variant says double, the detailed one decimal: what both can say is kept, so that both say the same.
      ...(decimals4(Price) ? [] : [{ field: `${at}.Price`, message: 'must have at most 4 decimals' }]),
      ...checkFormula(Formula, names, `${at}.Formula`),
    ];
  });
  const many = bands.length > MOST_BANDS ? [{ field, message: `must have at most ${MOST_BANDS} elements` }] : [];
  return [...many, ...faults, ...overlaps(bands, field)];
}

/**
 * The bands after an entry: a given one is one there is by Id, else by AtLeast, and keeps what is not said of it; or a
 * new one. In the order of AtLeast.
 */
export function bandsSaid<Of extends Band>(options: GivenBands<Of>): { bands: Of[]; faults: Fault[] } {
  const { given, before, blank, kind, ids, field, names } = options;
  const faults: Fault[] = [];
  const seen = new Map<number, number>();
  const said = Object.keys(blank).filter((name) => name !== 'Id') as (keyof Of & string)[];
  const bands = given.map((entry, index) => {
    const { Id, AtLeast } = entry as { Id?: number | null; AtLeast?: number | null };
    const known = Id
      ? before.find((band) => band.Id === Id)
      : before.find((band) => band.AtLeast === (AtLeast ?? 0) && !given.some((other) => (other as Band).Id === band.Id));
    if (Id && !known) faults.push({ field: `${field}[${index}].Id`, message: `is of no band here: there is no ${Id}` });
    const twin = known && seen.get(known.Id);
    if (Id && twin !== undefined) faults.push({ field: `${field}[${index}].Id`, message: `is also that of ${field}[${twin}]` });
    if (known) seen.set(known.Id, index);
    const of = known && twin === undefined ? known : { ...blank, Id: Id && !known ? Id : ids.take(kind) };
    return overlay<Of>(of, entry, { names: said, blank });
  });
  return { bands: [...bands].sort(order), faults: [...faults, ...checkBands(bands, field, names)] };
}
