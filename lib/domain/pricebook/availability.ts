import type { ServiceRecord } from '../../entities/services.ts';
import type { PartRecord } from '../../entities/parts.ts';

/**
 * Whether a part can be sold with a service: each may limit the other; an empty list is no limit. Example: part 7 is
 * limited to service 1, service 1 to parts 8 and 9 → not available.
 */
export const isAvailable = (service: ServiceRecord, part: PartRecord): boolean =>
  (service.LimitedPartIds.length === 0 || service.LimitedPartIds.includes(part.Id)) &&
  (part.LimitedServiceIds.length === 0 || part.LimitedServiceIds.includes(service.Id));

/** The parts that can be sold with a service, in the order of `parts`. */
export function availableParts(service: ServiceRecord, parts: readonly PartRecord[]): PartRecord[] {
  const allowed = service.LimitedPartIds.length ? new Set(service.LimitedPartIds) : undefined;
  const candidates = allowed ? parts.filter(({ Id }) => allowed.has(Id)) : parts;
  return candidates.filter((part) => isAvailable(service, part));
}

/** Inactive services and parts stay where they are sold, booked or quoted, but cannot be used anew. */
export const notOfferedMessage = (name: string): string => `${name} is no longer offered`;
