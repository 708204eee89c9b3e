import type { AddOnPart } from '../../resources/appointments.ts';
import type { Input } from '../../resources/resource.ts';

type Given = Input<typeof AddOnPart>;

/**
 * What lines ask for beyond what was sold, each with its place among them; or the sold part that they ask for otherwise.
 */
export type AddedLines =
  | { readonly kind: 'added'; readonly lines: readonly Given[]; readonly places: readonly number[] }
  | { readonly kind: 'changed'; readonly part: AddOnPart };

const isSame = (said: number | null | undefined, kept: number | null): boolean =>
  said === undefined || said === null || said === kept;

/** Typed clients send back what was answered; a price of 0 chooses none. */
const isSold = ({ PartId, Quantity, UnitPrice, Discount }: Given, sold: AddOnPart): boolean =>
  PartId === sold.PartId &&
  isSame(Quantity, sold.Quantity) &&
  (isSame(UnitPrice, sold.UnitPrice) || UnitPrice === 0) &&
  isSame(Discount, sold.Discount);

/**
 * The lines that are added to what was sold. What was sold stays whether or not a line repeats it; a line of a sold part
 * that repeats none would change it, unless all that was sold of the part is repeated too: of 2 screens, `[2]` and `[]`
 * add nothing, `[2, 1]` adds 1, and `[3]` is a change.
 */
export function findAddedParts(sold: readonly AddOnPart[], lines: readonly Given[]): AddedLines {
  const left = [...sold];
  const others = [...lines.entries()].filter(([, line]) => {
    const place = left.findIndex((part) => isSold(line, part));
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  const part = left.find(({ PartId }) => others.some(([, line]) => line.PartId === PartId));
  if (part) return { kind: 'changed', part };
  return { kind: 'added', lines: others.map(([, line]) => line), places: others.map(([place]) => place) };
}
