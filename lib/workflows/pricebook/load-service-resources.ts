import { availableParts } from '../../domain/pricebook/availability.ts';
import { partToResource } from '../../domain/pricebook/part-to-resource.ts';
import type { PartRecord, ServiceRecord } from '../../domain/pricebook/record.ts';
import { described, flag, id } from '../../resources/fields.ts';
import type { Part } from '../../resources/parts.ts';
import { Failure } from '../../shared/failure.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { listParts } from '../../store/parts.ts';
import { listBookEntries } from '../../store/price-book.ts';

/** What both operations are asked with. */
export const servicesRequest = () => ({
  Id: id(),
  IncludeParts: described(flag(), 'With the parts that may be sold with each service, and their categories.'),
  IncludeInactive: described(flag(), 'Also services and parts that are no longer active.'),
});

/** Lambda hands over 6 MB (6,291,556 bytes) of an answer; its envelope, headers and room for our own fault stay free. */
const MAX_BYTES = 6_200_000;

/** Bytes of a thing in the answer: the body travels as a JSON string inside a JSON object, so that every quote is two. */
const bytesOf = (record: object): number => Buffer.byteLength(JSON.stringify(JSON.stringify(record)));

/** The parts of the book, as services show them; none where they are not asked for. */
export interface PartCatalogue {
  readonly parts: readonly PartRecord[];
  readonly shown: ReadonlyMap<number, Part>;
}

const noParts: PartCatalogue = { parts: [], shown: new Map() };

/** Reads the parts, where they are asked for: one round, two for more than some 6,000. */
export async function loadPartCatalogue(
  table: TableReader,
  account: string,
  {
    IncludeParts,
    IncludeInactive,
  }: { IncludeParts?: boolean | null | undefined; IncludeInactive?: boolean | null | undefined },
): Promise<PartCatalogue> {
  if (!IncludeParts) return noParts;
  const [all, partTemplates] = await Promise.all([
    listParts(table, account),
    listBookEntries(table, account, 'partTemplates'),
  ]);
  const names = new Map(all.map(({ Id, Name }) => [Id, Name]));
  const parts = IncludeInactive ? all : all.filter(({ IsActive }) => IsActive);
  const context = { partName: (id: number) => names.get(id) ?? '', partTemplates };
  return { parts, shown: new Map(parts.map((part) => [part.Id, partToResource(part, context)])) };
}

/**
 * Services with their parts. A part stands in the answer once a service that has it, so a book whose services all have
 * all parts does not fit: 413 says so before the answer is built.
 */
export function withParts<Shown extends object>(
  services: readonly ServiceRecord[],
  { parts, shown }: PartCatalogue,
  show: (service: ServiceRecord, parts: readonly Part[]) => Shown,
): Shown[] {
  const sizes = new Map<number, number>();
  const sizeOf = (part: Part): number => {
    const size = sizes.get(part.Id) ?? bytesOf(part);
    sizes.set(part.Id, size);
    return size;
  };
  let bytes = 0;
  const chosen = services.map((service) => {
    const own = availableParts(service, parts).flatMap(({ Id }) => shown.get(Id) ?? []);
    bytes = own.reduce((sum, part) => sum + sizeOf(part), bytes + bytesOf(show(service, [])));
    return { service, own };
  });
  if (bytes > MAX_BYTES) throw tooLong(bytes, services.length, parts.length > 0);
  return chosen.map(({ service, own }) => show(service, own));
}

function tooLong(bytes: number, count: number, parts: boolean): Failure {
  const advice =
    count > 1
      ? `Ask for one service by its Id${parts ? ', or without IncludeParts' : ''}`
      : 'Ask without IncludeParts, and for parts by part/details';
  return new Failure(
    413,
    `The answer would have ${Math.ceil(bytes / 1e5) / 10} MB, of which ${MAX_BYTES / 1e6} can be sent. ${advice}.`,
  );
}
