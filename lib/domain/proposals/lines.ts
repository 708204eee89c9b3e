import { type FieldError, applyText, applyValue, prefixErrors } from '../../shared/field-errors.ts';
import { applyCustomFieldInputs } from '../custom-fields.ts';
import { MAX_DEPTH } from '../pricebook/assemblies.ts';
import { isAvailable, notOfferedMessage } from '../pricebook/availability.ts';
import type { PartRecord, ServiceRecord } from '../pricebook/record.ts';
import { LINE_FIELDS, type LineInput, type ProposalInput, type ProposalReferences } from './input.ts';
import type { OptionsUpdate } from './options.ts';
import { type LinePlacement, linePlacements } from './price.ts';
import { type ProposalLineRecord, type ProposalRecord, blankLine } from './record.ts';
import { type NamedReference, isSameName, hasReference } from './references.ts';

/** What a proposal's lines draw on when they are told something. */
export interface LinesContext extends Pick<ProposalReferences, 'definitions'> {
  readonly service: ServiceRecord;
  /** Those the proposal has, before those of today. */
  readonly parts: ReadonlyMap<number, PartRecord>;
  readonly options: OptionsUpdate;
  readonly ids: readonly number[];
  /**
   * Of a proposal that is not stored yet, unknown ids are numbers of the request's own, as a quote numbers its lines.
   */
  readonly isNew: boolean;
}

export interface LinesUpdate {
  readonly lines: ProposalLineRecord[];
  /** By a line's id, the place in the request that told it something. */
  readonly places: ReadonlyMap<number, number>;
  readonly errors: FieldError[];
}

/** The part that a line names by Id, else by Name: `null` when it names none, `undefined` when there is none. */
export function findPart(
  lineInput: LineInput['Part'],
  parts: ReadonlyMap<number, PartRecord>,
): PartRecord | null | undefined {
  if (!lineInput || !hasReference(lineInput)) return null;
  if (lineInput.Id) return parts.get(lineInput.Id);
  return [...parts.values()].find(({ Name }) => isSameName(Name, lineInput.Name ?? ''));
}

/** Lines without those taken away, and without their items. */
function without(lines: readonly ProposalLineRecord[], gone: ReadonlySet<number>): ProposalLineRecord[] {
  const items = lines.filter(({ Id, AssemblyLineId }) => !gone.has(Id) && gone.has(AssemblyLineId ?? 0));
  return items.length
    ? without(lines, new Set([...gone, ...items.map(({ Id }) => Id)]))
    : lines.filter(({ Id }) => !gone.has(Id));
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

/** The part of a line, and what is wrong about it. */
function partOfLine(
  lineInput: LineInput['Part'],
  kept: ProposalLineRecord | undefined,
  { parts }: LinesContext,
): { part: PartRecord | null; errors: FieldError[] } {
  const own = kept ? (parts.get(kept.PartId) ?? null) : null;
  if (!lineInput || !hasReference(lineInput)) return { part: own, errors: [] };
  const part = findPart(lineInput, parts);
  const name = lineInput.Name?.trim() ?? '';
  const wrong = (message: string, field = lineInput.Id ? 'Id' : 'Name') => ({
    part: own,
    errors: [{ field, message }],
  });
  if (!part) return wrong(`names no part there is: ${lineInput.Id || name}`);
  if (kept && kept.PartId !== part.Id)
    return wrong('must stay as it is: take the line away with Quantity 0, and add one of the other part');
  if (name && !isSameName(part.Name, name)) return wrong(`is not that of part ${part.Id}: ${part.Name}`, 'Name');
  return { part, errors: [] };
}

/**
 * Why a new line's part cannot be had: it is not sold, or not with the service, and is no item of an assembly in whose
 * line it stands.
 */
function notSold(
  { PartId, AssemblyLineId }: ProposalLineRecord,
  lines: ReadonlyMap<number, ProposalLineRecord>,
  { parts, service }: LinesContext,
): string | undefined {
  const part = parts.get(PartId);
  const assembly = parts.get(lines.get(AssemblyLineId ?? 0)?.PartId ?? 0);
  const isItem = assembly?.AssemblyItems.some((item) => item.PartId === PartId) ?? false;
  if (!part || isItem) return undefined;
  if (!part.IsActive) return notOfferedMessage(part.Name);
  return isAvailable(service, part) ? undefined : `${part.Name} is not sold with ${service.Name}`;
}

/**
 * The lines of a proposal with what a request says of them: by Id those there are, the others new; a Quantity of 0
 * takes a line away with its items, unless 0 is what it was answered with.
 */
export function applyLines(
  before: readonly ProposalLineRecord[],
  lineInput: readonly LineInput[],
  context: LinesContext,
): LinesUpdate {
  const { parts, options, ids, definitions, isNew } = context;
  const lines = new Map(before.map((line) => [line.Id, line]));
  const standings = linePlacements(before, parts);
  const places = new Map<number, number>();
  const numbers = new Map(before.map(({ Id }) => [Id, Id]));
  const gone = new Set<number>();
  let last = Math.max(0, ...before.map(({ SortIndex }) => SortIndex));
  const fresh = ids.values();
  const nextId = (): number => fresh.next().value ?? 0;
  for (const { Id } of isNew ? lineInput : []) if (Id && !numbers.has(Id)) numbers.set(Id, nextId());

  /**
   * Whether a new item of an assembly's line is internal whatever it says: so it was answered in a quote, and that is not
   * its own.
   */
  function isHidden(assembly: number | null | undefined, depth = 0): boolean {
    const holder = depth > MAX_DEPTH ? undefined : lines.get(assembly ?? 0);
    if (!holder) return false;
    const hidesItems = parts.get(holder.PartId)?.IsInternalizeAssemblyItems ?? false;
    return holder.IsInternal || hidesItems || isHidden(holder.AssemblyLineId, depth + 1);
  }

  function tell(input: LineInput, index: number): FieldError[] {
    const path = `ProposalLines[${index}]`;
    const id = (input.Id ? numbers.get(input.Id) : nextId()) ?? 0;
    const kept = lines.get(id);
    if (!id) return [{ field: `${path}.Id`, message: `names no line of the proposal: there is no ${input.Id}` }];
    if (places.has(id)) return [{ field: `${path}.Id`, message: 'is also that of another line' }];
    places.set(id, index);
    if (input.Quantity === 0 && kept?.Quantity !== 0) {
      gone.add(id);
      return [];
    }
    const { part, errors: ofPart } = partOfLine(input.Part, kept, context);
    const assembly = input.AssemblyLineId ? numbers.get(input.AssemblyLineId) : input.AssemblyLineId;
    if (!kept) last = input.SortIndex ?? last + 1;
    const standing = standings.get(id) ?? (isHidden(assembly) ? { internal: true, optionId: null } : undefined);
    const around = { path, part, assembly, standing, options, definitions };
    const told = applyLine(kept ?? newLine(id, part, last), input, around);
    lines.set(id, told.line);
    const noLine = {
      field: `${path}.AssemblyLineId`,
      message: `names no line of the proposal: there is no ${input.AssemblyLineId}`,
    };
    return [
      ...ofPart.map(({ field, message }) => ({ field: `${path}.Part.${field}`, message })),
      ...(input.AssemblyLineId && !assembly ? [noLine] : []),
      ...told.errors,
    ];
  }
  const errors = lineInput.flatMap(tell);
  const isOld = new Set(before.map(({ Id }) => Id));
  for (const [id, index] of places) {
    const line = isOld.has(id) ? undefined : lines.get(id);
    const message = line && notSold(line, lines, context);
    const field = lineInput[index]?.Part?.Id ? 'Id' : 'Name';
    if (message) errors.push({ field: `ProposalLines[${index}].Part.${field}`, message });
  }
  return { lines: sortLines(without([...lines.values()], gone)), places, errors };
}

/** What a line draws on when it is told something. */
export interface LineContext {
  readonly path: string;
  /** `null`: a line of no part. */
  readonly part: PartRecord | null;
  /** Of the line as it was kept. */
  readonly standing: LinePlacement | undefined;
  readonly options: OptionsUpdate;
  /** The line that it is to be an item of; `undefined` leaves it as it is. */
  readonly assembly: number | null | undefined;
  readonly definitions: ProposalReferences['definitions'];
}

/** Absent leaves it, `null` clears it, and what was answered before (`shown`) leaves what was asked for then. */
const asked = <Value>(lineInput: Value | null | undefined, was: Value | null, shown: Value | null): Value | null =>
  lineInput === undefined || (lineInput === shown && shown !== null) ? was : lineInput;

/** A line with what a request says of it; what clears is then as its part says. */
export function applyLine(
  line: ProposalLineRecord,
  lineInput: LineInput,
  context: LineContext,
): { line: ProposalLineRecord; errors: FieldError[] } {
  const { path, part, standing, options } = context;
  const definitions = context.definitions.filter(({ TableType }) => TableType === LINE_FIELDS);
  const fields = applyCustomFieldInputs(line.CustomFields, lineInput.CustomFields ?? [], definitions);
  const { ProposalOption } = lineInput;
  const option = ProposalOption ? options.told(ProposalOption, `${path}.ProposalOption`) : ProposalOption;
  const told: ProposalLineRecord = {
    ...line,
    RequestedQuantity: asked(lineInput.Quantity, line.RequestedQuantity, line.Quantity),
    RequestedPrice: asked(lineInput.UnitPrice, line.RequestedPrice, line.UnitPrice),
    UnitCost: applyValue(lineInput.UnitCost, line.UnitCost, part?.UnitCost ?? null),
    RatePercent: lineInput.RatePercent === undefined ? line.RatePercent : lineInput.RatePercent || null,
    MaxDiscount: applyValue(lineInput.MaxDiscount, line.MaxDiscount, null),
    Discount: applyValue(lineInput.Discount, line.Discount, null),
    Taxable: applyValue(lineInput.Taxable, line.Taxable, part?.Taxable ?? false),
    // Of an item it may be its assembly that makes it internal, or gives it its option: neither is its own.
    IsInternal: asked(lineInput.IsInternal, line.IsInternal, standing?.internal ?? null) ?? part?.IsInternal ?? false,
    OptionId: option === undefined || option === standing?.optionId ? line.OptionId : option,
    LineDescription: applyText(lineInput.LineDescription, line.LineDescription),
    Notes: applyText(lineInput.Notes, line.Notes),
    SortIndex: lineInput.SortIndex ?? line.SortIndex,
    AssemblyLineId: applyValue(context.assembly, line.AssemblyLineId, null),
    CustomFields: fields.values,
  };
  const errors = [
    ...prefixErrors(path, fields.errors),
    ...((told.MaxDiscount ?? 0) < 0 ? [{ field: `${path}.MaxDiscount`, message: 'must be at least 0' }] : []),
  ];
  return { line: told, errors };
}

type Line = Pick<ProposalLineRecord, 'Id' | 'SortIndex' | 'AssemblyLineId'>;

/**
 * Lines by their SortIndex, those alike as they came; the items of an assembly follow it, likewise. Those that are items
 * of themselves come last.
 */
export function sortLines<Of extends Line>(lines: readonly Of[]): Of[] {
  const ids = new Set(lines.map(({ Id }) => Id));
  const items = new Map<number | null, Of[]>();
  for (const line of lines) {
    const of = line.AssemblyLineId !== null && ids.has(line.AssemblyLineId) ? line.AssemblyLineId : null;
    items.set(of, [...(items.get(of) ?? []), line]);
  }
  const sorted = (of: number | null): Of[] =>
    (items.get(of) ?? []).toSorted((a, b) => a.SortIndex - b.SortIndex).flatMap((line) => [line, ...sorted(line.Id)]);
  const ordered = sorted(null);
  const reached = new Set(ordered.map(({ Id }) => Id));
  return [...ordered, ...lines.filter(({ Id }) => !reached.has(Id))];
}

/** How many ids what is new in a request may need; the items of assemblies come on top (`itemsToCome`). */
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
