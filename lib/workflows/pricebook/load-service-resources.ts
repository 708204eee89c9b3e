import type { ServiceRecord } from '../../entities/services.ts';
import type { Part, PartRecord } from '../../entities/parts.ts';
import { availableParts } from '../../domain/pricebook/availability.ts';
import { partToResource } from '../../domain/pricebook/part-to-resource.ts';
import { described, flag, id } from '../../resources/fields.ts';
import { Failure } from '../../shared/failure.ts';
import { listRememberedParts } from '../../store/pricebook/parts.ts';
import { listBookEntries } from '../../store/pricebook/price-book.ts';
import type { StoreReader } from '../../store/store.ts';

/** The request of services/all and services/details. */
export const servicesRequest = () => ({
  Id: id(),
  IncludeParts: described(flag(), 'With the parts that can be sold with each service, and their categories.'),
  IncludeInactive: described(flag(), 'Also inactive services and parts.'),
});

/** Lambda limits a response to 6 MB (6,291,556 bytes), of which envelope and headers need the rest. */
const MAX_BYTES = 6_200_000;

/** Size in the response: its body is a JSON string inside a JSON object, so every quote takes two bytes. */
const responseBytes = (record: object): number => Buffer.byteLength(JSON.stringify(JSON.stringify(record)));

/** The parts of the book with their resources; empty if the request does not include parts. */
export interface PartCatalogue {
  readonly parts: readonly PartRecord[];
  readonly resources: ReadonlyMap<number, Part>;
}

/** Reads the parts if the request includes them. */
export async function loadPartCatalogue(
  store: StoreReader,
  request: { IncludeParts?: boolean | null | undefined; IncludeInactive?: boolean | null | undefined },
): Promise<PartCatalogue> {
  if (!request.IncludeParts) return { parts: [], resources: new Map() };
  const [all, partTemplates] = await Promise.all([listRememberedParts(store), listBookEntries(store, 'partTemplates')]);
  const names = new Map(all.map(({ Id, Name }) => [Id, Name]));
  const parts = request.IncludeInactive ? all : all.filter(({ IsActive }) => IsActive);
  const relations = { partName: (partId: number) => names.get(partId) ?? '', partTemplates };
  return { parts, resources: new Map(parts.map((part) => [part.Id, partToResource(part, relations)])) };
}

/**
 * Services with their available parts. Each service repeats its parts, which may exceed a response: throws 413 before
 * building one.
 */
export function servicesWithParts<Of extends object>(
  services: readonly ServiceRecord[],
  { parts, resources }: PartCatalogue,
  toResource: (service: ServiceRecord, parts: readonly Part[]) => Of,
): Of[] {
  const partBytes = new Map([...resources].map(([partId, part]) => [partId, responseBytes(part)]));
  let bytes = 0;
  const available = services.map((service) => {
    const own = availableParts(service, parts);
    bytes += responseBytes(toResource(service, []));
    for (const { Id } of own) bytes += partBytes.get(Id) ?? 0;
    return { service, parts: own.flatMap(({ Id }) => resources.get(Id) ?? []) };
  });
  if (bytes > MAX_BYTES) throw tooLong(bytes, services.length, parts.length > 0);
  return available.map((each) => toResource(each.service, each.parts));
}

function tooLong(bytes: number, services: number, hasParts: boolean): Failure {
  const megabytes = Math.ceil(bytes / 1e5) / 10;
  const advice =
    services === 1
      ? 'Leave out IncludeParts, and read parts with part/details'
      : `Give the Id of one service${hasParts ? ', or leave out IncludeParts' : ''}`;
  return new Failure(
    'response_too_large',
    `The response would have ${megabytes} MB; the limit is ${MAX_BYTES / 1e6} MB. ${advice}.`,
  );
}
