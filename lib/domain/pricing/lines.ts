import Big from 'big.js';
import type { Node, Standing } from './assemblies.ts';
import { cents, MOST_CENTS } from './cents.ts';
import { partMinutes } from './duration.ts';
import { overridden, readFields, type Fields, type Say } from './fields.ts';
import { isSelected } from './options.ts';
import { partPrice, unitOf, type OwnPrice } from './part-price.ts';
import { isPercent } from './percent-lines.ts';
import { checked, isFollowing, lineQuantity } from './quantity.ts';
import type { PriceRequest } from './types.ts';

/** The custom fields of each line: its own before those of the request. */
export const lineFields = (nodes: readonly Node[], { customFields }: PriceRequest, fields: Fields): Fields[] =>
  nodes.map(({ line }) => (line.customFields?.length ? readFields(customFields, line.customFields) : fields));

/** How much there is in lines of the service's QuantityOverridePartCategoryId; `undefined` when there is no such line. */
export function quantityOfCategory(
  { service: { QuantityOverridePartCategoryId: category } }: PriceRequest,
  nodes: readonly Node[],
  { standing, fields, selected }: { standing: readonly Standing[]; fields: readonly Fields[]; selected: ReadonlySet<number> },
): number | undefined {
  if (category === null) return undefined;
  const quantities = nodes.flatMap(({ part, line, parent }, place) => {
    const stands = standing[place];
    const of = fields[place];
    // What follows the service's quantity cannot make it; items are in what they are items of.
    if (part?.PartCategory?.Id !== category || parent !== null || isFollowing(part) || isPercent(line)) return [];
    return stands && of && isSelected(stands, selected) ? (overridden(of, part.QuantityOverrideCustomFieldId) ?? line.quantity ?? 1) : [];
  });
  return quantities.length ? quantities.reduce<Big>((sum, quantity) => sum.plus(quantity), new Big(0)).toNumber() : undefined;
}

interface Surroundings {
  /** The service's quantity and BasePrice. */
  readonly ofService: Big;
  readonly base: Big;
  readonly fields: readonly Fields[];
  readonly say: Say;
}

/** The quantity of each line. An item has that of one assembly times its assembly's; one of a line that is given may be said. */
export function quantitiesOf(nodes: readonly Node[], { ofService, base, fields, say }: Surroundings): Big[] {
  const found: (Big | undefined)[] = [];
  const quantity = (place: number): Big => (found[place] ??= work(place));
  function work(place: number): Big {
    const node = nodes[place];
    const of = fields[place];
    if (!node || !of || isPercent(node.line)) return new Big(1);
    const { line, part, parent, path, index } = node;
    if (parent === null) return lineQuantity(part, { given: line.quantity, ofService, base }, of, { say, field: path.line, part: path.part });
    if (index !== null && line.quantity != null) return checked(line.quantity, `${path.line}.Quantity`, say);
    const ofOne = index === null ? line.quantity : nodes[parent]?.part?.AssemblyItems.find(({ PartId }) => PartId === part?.Id)?.Quantity;
    return checked(quantity(parent).times(ofOne ?? 1), `${path.line}.Quantity`, say);
  }
  return nodes.map((_, place) => quantity(place));
}

/** What each line costs by itself, and its minutes; a percentage is nothing by itself. */
export function ownFigures(nodes: readonly Node[], quantities: readonly Big[], { base, fields, say }: Surroundings) {
  return nodes.map(({ line, part, path, items }, place): OwnPrice & { cents: number; minutes: number } => {
    const quantity = quantities[place] ?? new Big(1);
    const of = fields[place];
    const nothing = { amount: new Big(0), unitPrice: 0, cents: 0, minutes: 0 };
    if (isPercent(line) || !of) return nothing;
    // Adding 0 turns −0, which JSON can say, into 0.
    const unit = line.isZeroPrice ? 0 : (line.unitPrice ?? 0) + 0;
    // The items of a synchronised assembly say its price, whatever a client sends back of it.
    const asked = part?.IsAssemblySynchronizePricing && items.length ? { ...line, unitPrice: null } : line;
    const own = part
      ? partPrice(part, asked, { quantity, base, fields: of }, { say, line: path.line, part: path.part })
      : { amount: quantity.times(unit), unitPrice: unit };
    const within = own.amount.abs().times(100).lt(MOST_CENTS);
    if (!within) say(path.line, 'must cost less than 10,000,000,000');
    return { ...own, cents: within ? cents(own.amount) : 0, minutes: part ? partMinutes(part, quantity) : 0 };
  });
}

/** The price of a unit as a line stands: that of the line by itself, or of what it carries. */
export const unitAsStands = (own: OwnPrice & { cents: number }, extended: number, quantity: Big): number =>
  extended === own.cents ? own.unitPrice : unitOf(new Big(extended).times('0.01'), quantity, own.unitPrice);
