import type { ServiceEntry } from '../../resources/price-book.ts';
import { isAvailable } from './available.ts';
import type { Identified } from './identify.ts';
import type { PartRecord, PriceBook, ServiceRecord } from './records.ts';
import type { Settled } from './settle.ts';
import { partsField, type Told } from './told.ts';

type Services = Map<number, Settled<ServiceRecord>>;
type Parts = Map<number, Settled<PartRecord>>;

const same = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean => one.size === other.size && [...one].every((id) => other.has(id));
const ascending = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** Whether a service that is limited to nothing by itself has just these parts, with or without those no longer active. */
function alreadyHas(book: PriceBook, service: ServiceRecord | undefined, brought: ReadonlySet<number>): boolean {
  if (!service) return false;
  const available = [...book.parts.values()].filter((part) => isAvailable(service, part));
  const active = available.filter(({ IsActive }) => IsActive);
  return [available, active].some((parts) => same(new Set(parts.map(({ Id }) => Id)), brought));
}

/**
 * The parts a service brings are then the parts it has: it is limited to them, unless it has just these already or says
 * itself what it is limited to. A new part that only services brought is limited to these services; one there was
 * that is limited to others, to this one too. A list without parts says nothing: typed clients send one always.
 */
export function bringParts(book: PriceBook, told: Told, services: Services, parts: Parts): void {
  const ownParts = new Set(told.parts.filter(({ field }) => field.startsWith('Parts[')).map(({ id }) => id));
  const said = new Set(told.parts.filter(({ entry }) => entry.LimitedServiceIds !== undefined || entry.LimitedServices !== undefined).map(({ id }) => id));
  const fresh = new Set([...parts].flatMap(([id, { before }]) => (before || ownParts.has(id) || said.has(id) ? [] : id)));
  for (const { id, field, entry } of told.services as readonly Identified<ServiceEntry, ServiceRecord>[]) {
    const list = `${field}.${partsField(entry)}[`;
    const brought = new Set(told.parts.filter((part) => part.field.startsWith(list)).map((part) => part.id));
    const service = services.get(id);
    if (!brought.size || !service) continue;
    const limited = entry.LimitedPartIds !== undefined || entry.LimitedParts !== undefined;
    if (!limited && !alreadyHas(book, service.before, brought)) {
      services.set(id, { ...service, after: { ...service.after, LimitedPartIds: ascending(brought) } });
    }
    for (const partId of brought) {
      const part = parts.get(partId);
      const limits = part?.after.LimitedServiceIds ?? [];
      if (!part || (limits.length === 0 && !fresh.has(partId)) || limits.includes(id)) continue;
      parts.set(partId, { ...part, after: { ...part.after, LimitedServiceIds: ascending([...limits, id]) } });
    }
  }
}
