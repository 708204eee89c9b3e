import type { PartRecord, ServiceRecord } from './record.ts';

/**
 * Whether a part may be sold with a service: both may limit the other, and an empty list limits nothing. Worked: part 7
 * limited to service 1, service 1 limited to parts 8 and 9 → not available.
 */
export const isAvailable = (service: ServiceRecord, part: PartRecord): boolean =>
  (service.LimitedPartIds.length === 0 || service.LimitedPartIds.includes(part.Id)) &&
  (part.LimitedServiceIds.length === 0 || part.LimitedServiceIds.includes(service.Id));

/** The parts that may be sold with a service, in the order of `parts`. */
export function availableParts(service: ServiceRecord, parts: readonly PartRecord[]): PartRecord[] {
  const allowed = service.LimitedPartIds.length ? new Set(service.LimitedPartIds) : undefined;
  const near = allowed ? parts.filter(({ Id }) => allowed.has(Id)) : parts;
  return near.filter((part) => isAvailable(service, part));
}

/**
 * Why a service or a part that is not active cannot be had. It can be shown, and stays where it was sold, booked or
 * quoted; but nobody is sold it anew.
 */
export const notOfferedMessage = (name: string): string => `${name} is no longer offered`;
