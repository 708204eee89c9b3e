import type { PartRecord } from '../../domain/pricebook/record.ts';
import type { ProposalInput } from '../../domain/proposals/input.ts';
import { findPart } from '../../domain/proposals/lines.ts';
import { hasReference } from '../../domain/proposals/references.ts';
import type { PartTemplate } from '../../resources/parts.ts';
import type { ProposalTemplate } from '../../resources/proposals.ts';
import { TtlCache } from '../../shared/ttl-cache.ts';
import type { CallerScope } from '../../store/caller.ts';
import type { TableReader } from '../../store/dynamodb/client.ts';
import { findPartsWithItems, listParts } from '../../store/parts.ts';
import { findProposalTemplate, listBookEntries } from '../../store/price-book.ts';

/** What of today's price book the lines of a request draw on. */
export interface LoadedParts {
  readonly parts: ReadonlyMap<number, PartRecord>;
  readonly templates: ReadonlyMap<number, PartTemplate>;
}

/**
 * The parts that lines name and a proposal does not have yet (`known`), with the items of assemblies: a round, and one
 * more for each level of assemblies. One that is named by its Name alone has all parts read.
 */
export async function loadParts(
  table: TableReader,
  account: string,
  lines: ProposalInput['ProposalLines'],
  known: ReadonlyMap<number, PartRecord>,
): Promise<LoadedParts> {
  const named = (lines ?? []).flatMap(({ Part }) =>
    Part && hasReference(Part) && !findPart(Part, known) ? [Part] : [],
  );
  const listed = named.some(({ Id }) => !Id) ? await listParts(table, account) : undefined;
  const all = listed && new Map(listed.map((part) => [part.Id, part]));
  const ids = named.flatMap((input) => input.Id || (all && findPart(input, all)?.Id) || []);
  const parts = await findPartsWithItems(table, account, ids);
  const draws = [...parts.values()].some(({ PartTemplateId }) => PartTemplateId !== null);
  return { parts, templates: draws ? await listBookEntries(table, account, 'partTemplates') : new Map() };
}

/** A proposal template with the parts of its lines, and the items of those that are assemblies. */
export interface LoadedTemplate extends LoadedParts {
  readonly template: ProposalTemplate;
}

const templates = new TtlCache<LoadedTemplate | undefined>();

async function drawTemplate(table: TableReader, scope: CallerScope, id: number): Promise<LoadedTemplate | undefined> {
  const template = await findProposalTemplate(table, scope, id);
  if (!template) return undefined;
  const lines = template.ProposalTemplateLines.flatMap(({ PartId }) => (PartId ? { Part: { Id: PartId } } : []));
  return { template, ...(await loadParts(table, scope.accountId, lines, new Map())) };
}

/**
 * A proposal template, where it exists for the viewer, with all that it is priced by; up to 30 seconds old, as a
 * company quotes by few templates, each from one screen to the next. Otherwise two rounds, and one a level of assemblies.
 */
export const findRecentTemplate = (
  table: TableReader,
  scope: CallerScope,
  id: number,
  now: Date,
): Promise<LoadedTemplate | undefined> =>
  templates.recall(`${scope.accountId}#${scope.organizationId}#${id}`, now, () => drawTemplate(table, scope, id));
