import { isNamed } from '../domain/proposals/named.ts';
import { namedPart } from '../domain/proposals/lines.ts';
import type { ProposalInput } from '../domain/proposals/surroundings.ts';
import type { PartRecord } from '../domain/pricebook/records.ts';
import type { PartTemplate } from '../resources/parts.ts';
import { listBookEntries } from './book-entries.ts';
import type { TableReader } from './client.ts';
import { findPartsWithItems, listParts } from './parts.ts';

/** What of today's price book the lines of a request draw on. */
export interface PartsDrawn {
  readonly parts: ReadonlyMap<number, PartRecord>;
  readonly templates: ReadonlyMap<number, PartTemplate>;
}

/**
 * The parts that lines name and a proposal does not have yet (`known`), with the items of assemblies: a round, and one
 * more for each level of assemblies. One that is named by its Name alone has all parts read.
 */
export async function drawParts(
  table: TableReader,
  account: string,
  lines: ProposalInput['ProposalLines'],
  known: ReadonlyMap<number, PartRecord>,
): Promise<PartsDrawn> {
  const named = (lines ?? []).flatMap(({ Part }) => (Part && isNamed(Part) && !namedPart(Part, known) ? [Part] : []));
  const listed = named.some(({ Id }) => !Id) ? await listParts(table, account) : undefined;
  const all = listed && new Map(listed.map((part) => [part.Id, part]));
  const ids = named.flatMap((given) => given.Id || (all && namedPart(given, all)?.Id) || []);
  const parts = await findPartsWithItems(table, account, ids);
  const draws = [...parts.values()].some(({ PartTemplateId }) => PartTemplateId !== null);
  return { parts, templates: draws ? await listBookEntries(table, account, 'partTemplates') : new Map() };
}
