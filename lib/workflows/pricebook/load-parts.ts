import type { PartTemplate, ProposalTemplate } from '../../entities/price-book.ts';
import type { PartRecord } from '../../entities/parts.ts';
import type { ProposalInput } from '../../domain/proposals/input.ts';
import { findPart } from '../../domain/proposals/lines.ts';
import { hasReference } from '../../domain/proposals/references.ts';
import { didYouMean } from '../../shared/text/suggestions.ts';
import { type StoreReader, organizationStore } from '../../store/store.ts';
import { CachedValues } from '../../store/dynamodb/cached-values.ts';
import { findPartsWithItems, listRememberedParts } from '../../store/pricebook/parts.ts';
import { findProposalTemplate, listBookEntries } from '../../store/pricebook/price-book.ts';

/** The parts of a request's lines and the part templates, from today's price book. */
export interface LoadedParts {
  readonly parts: ReadonlyMap<number, PartRecord>;
  readonly templates: ReadonlyMap<number, PartTemplate>;
  /** Asks whether another part is meant by an unknown name, or returns an empty text. */
  readonly suggestPart?: (name: string) => string;
}

/** Unknown names per call for which the nearest part is looked up. */
const MAX_HINTS = 5;

function partSuggestions(parts: ReadonlyMap<number, PartRecord>): (name: string) => string {
  const names = [...parts.values()].filter(({ IsActive }) => IsActive).map(({ Name }) => Name);
  let left = MAX_HINTS;
  return (name) => (left-- > 0 ? didYouMean(name, names) : '');
}

/**
 * The parts that lines name and that are not in `known`, with the items of assemblies: one round, and one more for each
 * level of assemblies. A part given only by Name makes it read all parts.
 */
export async function loadParts(
  store: StoreReader,
  lines: ProposalInput['ProposalLines'],
  known: ReadonlyMap<number, PartRecord>,
): Promise<LoadedParts> {
  const references = (lines ?? []).flatMap(({ Part }) =>
    Part && hasReference(Part) && !findPart(Part, known) ? [Part] : [],
  );
  const byName = references.some(({ Id }) => !Id);
  const all = byName ? new Map((await listRememberedParts(store)).map((part) => [part.Id, part])) : undefined;
  const ids = references.flatMap((reference) => reference.Id || (all && findPart(reference, all)?.Id) || []);
  const parts = await findPartsWithItems(store, ids);
  const hasTemplates = [...parts.values()].some(({ PartTemplateId }) => PartTemplateId !== null);
  const suggestPart = all && partSuggestions(all);
  return {
    parts,
    ...(suggestPart ? { suggestPart } : {}),
    templates: hasTemplates ? await listBookEntries(store, 'partTemplates') : new Map(),
  };
}

/** A proposal template with the parts of its lines and the items of assemblies. */
export interface LoadedTemplate extends LoadedParts {
  readonly template: ProposalTemplate;
}

async function loadTemplate(store: StoreReader, id: number): Promise<LoadedTemplate | undefined> {
  const template = await findProposalTemplate(store, id);
  if (!template) return undefined;
  const lines = template.ProposalTemplateLines.flatMap(({ PartId }) => (PartId ? { Part: { Id: PartId } } : []));
  return { template, ...(await loadParts(store, lines, new Map())) };
}

interface VisibleTemplate extends Pick<StoreReader, 'organizationId'> {
  readonly id: number;
}

const templates = new CachedValues<VisibleTemplate, LoadedTemplate | undefined>({
  name: ({ organizationId, id }) => `${organizationId}#${id}`,
  isConfigured: true,
  read: (store, { organizationId, id }) => loadTemplate(organizationStore(store, organizationId), id),
});

/** A proposal template, if it exists for the caller; cached, because a company quotes from few templates. */
export const findRecentTemplate = (store: StoreReader, id: number): Promise<LoadedTemplate | undefined> =>
  templates.read(store, { organizationId: store.organizationId, id });
