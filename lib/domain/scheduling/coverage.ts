import type { TimeSlot } from '../../resources/service-agents.ts';
import { normalizePostalCode } from '../addresses.ts';
import { fold } from '../words.ts';
import type { Calendar, Work } from './calendar.ts';

const holds = (codes: string, code: string): boolean => `,${codes},`.includes(`,${code},`);

/** Which weekly hours count for some work: those for its category, and those for the place. Folds each category of an organization once. */
export interface Coverage {
  /** Hours for services of the category, whatever its case and accents. */
  ofCategory(slots: readonly TimeSlot[]): readonly TimeSlot[];
  /** Hours for the postal code: their own PostalCodes have it, or they have none and the organization serves it. */
  ofPlace(slots: readonly TimeSlot[]): readonly TimeSlot[];
}

export function coverageOf({ postalCodes }: Pick<Calendar, 'postalCodes'>, work: Pick<Work, 'category' | 'postalCode'>): Coverage {
  const category = fold(work.category);
  const code = normalizePostalCode(work.postalCode);
  const inOrganization = postalCodes === '' || holds(postalCodes, code);
  const folded = new Map<string, boolean>([['', true]]);
  const isOf = (name: string): boolean => {
    const known = folded.get(name);
    if (known !== undefined) return known;
    const same = fold(name) === category;
    folded.set(name, same);
    return same;
  };
  return {
    ofCategory: (slots) => slots.filter(({ ServiceCategoryName }) => isOf(ServiceCategoryName)),
    ofPlace: (slots) => slots.filter(({ PostalCodes }) => (PostalCodes === '' ? inOrganization : holds(PostalCodes, code))),
  };
}

/**
 * Whether a place is known well enough to work there: where it is, or (abroad, where no positions of postal codes are at
 * hand) that the organization lists its postal code as one it serves, and then at no distance.
 */
export const isReachable = (
  { postalCodes }: Pick<Calendar, 'postalCodes'>,
  { fixedLocation, position, postalCode }: Pick<Work, 'fixedLocation' | 'position' | 'postalCode'>,
): boolean => fixedLocation || position !== null || holds(postalCodes, normalizePostalCode(postalCode) || '-');
