import type { ProposalLineRecord } from '../../entities/proposal-parts.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { PartRecord } from '../../entities/parts.ts';
import { type FieldError, collectErrors, prefixErrors } from '../../shared/failure.ts';
import { applyText, applyValue } from '../../resources/fields.ts';
import { applyCustomFieldInputs } from '../custom-fields.ts';
import { MAX_DEPTH } from '../pricebook/assemblies.ts';
import { isAvailable, notOfferedMessage } from '../pricebook/availability.ts';
import { type LinePlacement, blankLine, linePlacements, sortLines } from './record.ts';
import { LINE_FIELDS, type LineInput, type ProposalInput, type ProposalReferences } from './input.ts';
import type { OptionsUpdate } from './options.ts';
import { type NamedReference, foldName, hasReference, isSameName } from './references.ts';

/** What the lines of a proposal may refer to. */
export interface LineReferences extends Pick<ProposalReferences, 'definitions' | 'country'> {
  readonly service: ServiceRecord;
  /** The proposal's own parts, else the current ones. */
  readonly parts: ReadonlyMap<number, PartRecord>;
  readonly options: OptionsUpdate;
  /** Asks whether another part is meant by an unknown name, or returns nothing. */
  readonly suggestPart?: ((name: string) => string) | undefined;
  /** Ids for new lines. */
  readonly ids: readonly number[];
  /** In a proposal that is not stored yet, unknown ids are the request's own numbers, as in a quote. */
  readonly isNew: boolean;
}

export interface LinesUpdate {
  readonly lines: ProposalLineRecord[];
  /** Line id → its index in the request. */
  readonly indexes: ReadonlyMap<number, number>;
  readonly errors: FieldError[];
}

/** The part of a line, by Id, else by Name: `null` if the line has none, `undefined` if the part is unknown. */
export function findPart(
  input: LineInput['Part'],
  parts: ReadonlyMap<number, PartRecord>,
): PartRecord | null | undefined {
  if (!input || !hasReference(input)) return null;
  return input.Id ? parts.get(input.Id) : partsByName(parts).get(foldName(input.Name ?? ''));
}

const namesOfParts = new WeakMap<ReadonlyMap<number, PartRecord>, Map<string, PartRecord>>();

/** The first part with each folded name: 500 lines may each name one of 5,000 parts. */
function partsByName(parts: ReadonlyMap<number, PartRecord>): Map<string, PartRecord> {
  const known = namesOfParts.get(parts);
  if (known) return known;
  const byName = new Map([...parts.values()].reverse().map((part) => [foldName(part.Name), part]));
  namesOfParts.set(parts, byName);
  return byName;
}

/** The lines without the removed ones and their items. */
function removeLines(lines: readonly ProposalLineRecord[], removed: ReadonlySet<number>): ProposalLineRecord[] {
  const items = lines.filter(({ Id, AssemblyLineId }) => !removed.has(Id) && removed.has(AssemblyLineId ?? 0));
  return items.length
    ? removeLines(lines, new Set([...removed, ...items.map(({ Id }) => Id)]))
    : lines.filter(({ Id }) => !removed.has(Id));
}

const newLine = (Id: number, part: PartRecord | null, SortIndex: number): ProposalLineRecord =>
  blankLine({
    Id,
    PartId: part?.Id ?? 0,
    UnitCost: part?.UnitCost ?? null,
    Taxable: part?.Taxable ?? false,
    IsInternal: part?.IsInternal ?? false,
    LineDescription: part?.Description || (part?.Name ?? ''),
    SortIndex,
  });

/** The part of a line: its own, or the one that a new line names. */
function resolvePart(
  input: LineInput['Part'],
  existing: ProposalLineRecord | undefined,
  references: LineReferences,
): { part: PartRecord | null; errors: FieldError[] } {
  const { parts } = references;
  const own = existing ? (parts.get(existing.PartId) ?? null) : null;
  if (!input || !hasReference(input)) return { part: own, errors: [] };
  const part = findPart(input, parts);
  const name = input.Name?.trim() ?? '';
  const field = input.Id ? 'Id' : 'Name';
  const invalid = (error: FieldError) => ({ part: own, errors: [error] });
  if (!part) {
    const hint = input.Id ? '' : (references.suggestPart?.(name) ?? '');
    const message = `must be an existing part; ${input.Id || JSON.stringify(name)} is not${hint && `. ${hint}`}`;
    return invalid({ field, code: 'not_found', message });
  }
  if (existing && existing.PartId !== part.Id) {
    const message = 'cannot change: remove the line with Quantity 0 and add a line with the other part';
    return invalid({ field, code: 'fixed', message });
  }
  if (name && !isSameName(part.Name, name))
    return invalid({ field: 'Name', code: 'mismatch', message: `must be the name of part ${part.Id}: ${part.Name}` });
  return { part, errors: [] };
}

/**
 * Why the part of a new line cannot be sold: it is not offered, or not with the service. Items with the line of their
 * assembly are exempt.
 */
function partError(
  { PartId, AssemblyLineId }: ProposalLineRecord,
  lines: ReadonlyMap<number, ProposalLineRecord>,
  { parts, service }: LineReferences,
): Omit<FieldError, 'field'> | undefined {
  const part = parts.get(PartId);
  const assembly = parts.get(lines.get(AssemblyLineId ?? 0)?.PartId ?? 0);
  const isItem = assembly?.AssemblyItems.some((item) => item.PartId === PartId) ?? false;
  if (!part || isItem) return undefined;
  if (!part.IsActive) return { code: 'inactive', message: notOfferedMessage(part.Name) };
  return isAvailable(service, part)
    ? undefined
    : { code: 'mismatch', message: `${part.Name} is not sold with ${service.Name}` };
}

interface AppliedLines {
  readonly before: readonly ProposalLineRecord[];
  readonly inputs: readonly LineInput[];
  readonly lines: ReadonlyMap<number, ProposalLineRecord>;
  /** Line id → its index in the request. */
  readonly indexes: ReadonlyMap<number, number>;
}

/** Why the parts of new lines cannot be sold. */
function newPartErrors({ before, inputs, lines, indexes }: AppliedLines, references: LineReferences): FieldError[] {
  const existingIds = new Set(before.map(({ Id }) => Id));
  return [...indexes].flatMap(([id, index]) => {
    const line = existingIds.has(id) ? undefined : lines.get(id);
    const error = line && partError(line, lines, references);
    const field = inputs[index]?.Part?.Id ? 'Id' : 'Name';
    return error ? [{ ...error, field: `ProposalLines[${index}].Part.${field}` }] : [];
  });
}

/**
 * Whether a new item is only internal through its assembly: a quote answers it as internal, but that is not the item's
 * own flag.
 */
function isInternalItem(
  assemblyId: number | null | undefined,
  lines: AppliedLines['lines'],
  parts: LineReferences['parts'],
  depth = 0,
): boolean {
  const assembly = depth > MAX_DEPTH ? undefined : lines.get(assemblyId ?? 0);
  if (!assembly) return false;
  const internalized = parts.get(assembly.PartId)?.IsInternalizeAssemblyItems ?? false;
  return assembly.IsInternal || internalized || isInternalItem(assembly.AssemblyLineId, lines, parts, depth + 1);
}

/**
 * Applies the lines of a request: those with a known Id are changed, the others are new. Quantity 0 removes a line with
 * its items, unless the last answer had Quantity 0.
 */
export function applyLines(
  before: readonly ProposalLineRecord[],
  inputs: readonly LineInput[],
  references: LineReferences,
): LinesUpdate {
  const { parts, options, ids, isNew, country } = references;
  const definitions = references.definitions.filter(({ TableType }) => TableType === LINE_FIELDS);
  const lines = new Map(before.map((line) => [line.Id, line]));
  const placements = linePlacements(before, parts);
  const indexes = new Map<number, number>();
  const removed = new Set<number>();
  let lastSortIndex = Math.max(0, ...before.map(({ SortIndex }) => SortIndex));
  const unusedIds = ids.values();
  const nextId = (): number => unusedIds.next().value ?? 0;
  /** The request's number → the line's id. */
  const idsByNumber = new Map(before.map(({ Id }) => [Id, Id]));
  for (const { Id } of isNew ? inputs : []) if (Id && !idsByNumber.has(Id)) idsByNumber.set(Id, nextId());

  function apply(input: LineInput, index: number): FieldError[] {
    const id = (input.Id ? idsByNumber.get(input.Id) : nextId()) ?? 0;
    const existing = lines.get(id);
    if (!id) return [{ field: 'Id', code: 'not_found', message: `must be a line of the proposal; ${input.Id} is not` }];
    if (indexes.has(id)) return [{ field: 'Id', code: 'duplicate', message: 'is also the Id of another line' }];
    indexes.set(id, index);
    if (input.Quantity === 0 && existing?.Quantity !== 0) {
      removed.add(id);
      return [];
    }
    const { part, errors: partErrors } = resolvePart(input.Part, existing, references);
    const assemblyId = input.AssemblyLineId ? idsByNumber.get(input.AssemblyLineId) : input.AssemblyLineId;
    if (!existing) lastSortIndex = input.SortIndex ?? lastSortIndex + 1;
    const inherited = isInternalItem(assemblyId, lines, parts) ? { internal: true, optionId: null } : undefined;
    const { ProposalOption } = input;
    const applied = applyLine(existing ?? newLine(id, part, lastSortIndex), input, {
      part,
      assemblyId,
      placement: placements.get(id) ?? inherited,
      optionId: ProposalOption && options.resolve(ProposalOption, `ProposalLines[${index}].ProposalOption`),
      definitions,
      country,
    });
    lines.set(id, applied.line);
    const assemblyError = {
      field: 'AssemblyLineId',
      code: 'not_found' as const,
      message: `must be a line of the proposal; ${input.AssemblyLineId} is not`,
    };
    return [
      ...prefixErrors('Part', partErrors),
      ...(input.AssemblyLineId && !assemblyId ? [assemblyError] : []),
      ...applied.errors,
    ];
  }

  const errors = inputs.flatMap((input, index) => prefixErrors(`ProposalLines[${index}]`, apply(input, index)));
  errors.push(...newPartErrors({ before, inputs, lines, indexes }, references));
  return { lines: sortLines(removeLines([...lines.values()], removed)), indexes, errors };
}

interface LineContext {
  /** `null` for a line without a part. */
  readonly part: PartRecord | null;
  /** The line's placement before the request. */
  readonly placement: LinePlacement | undefined;
  /** The requested option; `undefined` keeps the current one, `null` removes it. */
  readonly optionId: number | null | undefined;
  /** The requested assembly line; `undefined` leaves it as it is. */
  readonly assemblyId: number | null | undefined;
  /** The custom fields of lines. */
  readonly definitions: ProposalReferences['definitions'];
  readonly country: string;
}

/** Keeps the requested value if the input is absent or equals `answered`; `null` clears it. */
const applyRequested = <Value>(
  input: Value | null | undefined,
  before: Value | null,
  answered: Value | null,
): Value | null => (input === undefined || (input === answered && answered !== null) ? before : input);

/** Applies a request to one line; cleared values then default to the part's. */
function applyLine(
  line: ProposalLineRecord,
  input: LineInput,
  { part, placement, optionId, assemblyId, definitions, country }: LineContext,
): { line: ProposalLineRecord; errors: FieldError[] } {
  const fields = applyCustomFieldInputs(line.CustomFields, input.CustomFields ?? [], definitions, country);
  const IsInternal = applyRequested(input.IsInternal, line.IsInternal, placement?.internal ?? null);
  const applied: ProposalLineRecord = {
    ...line,
    RequestedQuantity: applyRequested(input.Quantity, line.RequestedQuantity, line.Quantity),
    RequestedPrice: applyRequested(input.UnitPrice, line.RequestedPrice, line.UnitPrice),
    UnitCost: applyValue(input.UnitCost, line.UnitCost, part?.UnitCost ?? null),
    RatePercent: input.RatePercent === undefined ? line.RatePercent : input.RatePercent || null,
    MaxDiscount: applyValue(input.MaxDiscount, line.MaxDiscount, null),
    Discount: applyValue(input.Discount, line.Discount, null),
    Taxable: applyValue(input.Taxable, line.Taxable, part?.Taxable ?? false),
    // An item may be internal or have an option through its assembly: neither is its own.
    IsInternal: IsInternal ?? part?.IsInternal ?? false,
    OptionId: optionId === undefined || optionId === placement?.optionId ? line.OptionId : optionId,
    LineDescription: applyText(input.LineDescription, line.LineDescription),
    Notes: applyText(input.Notes, line.Notes),
    SortIndex: input.SortIndex ?? line.SortIndex,
    AssemblyLineId: applyValue(assemblyId, line.AssemblyLineId, null),
    CustomFields: fields.values,
  };
  const maxDiscountErrors = collectErrors([
    'MaxDiscount',
    (applied.MaxDiscount ?? 0) < 0 && 'must be at least 0',
    'range',
  ]);
  return { line: applied, errors: [...fields.errors, ...maxDiscountErrors] };
}

/** How many ids the new records of a request require; the items of assemblies are additional (`countNewItems`). */
export function countNewIds(
  { V }: Pick<ProposalRecord, 'V'>,
  { ProposalLines, ProposalNotes }: ProposalInput,
): { lines: number; options: number; notes: number } {
  const isNew = ({ Id }: NamedReference): boolean => V === 0 || !Id;
  const lines = ProposalLines ?? [];
  return {
    lines: lines.filter(isNew).length,
    options: lines.filter(({ ProposalOption: option }) => option && hasReference(option) && isNew(option)).length,
    notes: (ProposalNotes ?? []).filter(isNew).length,
  };
}
