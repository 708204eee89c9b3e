import type { Fault } from '../faults.ts';
import type { PartRecord } from '../pricebook/records.ts';
import { compactBook, fieldsRead, wholeBook, type WholeBook } from './book.ts';
import { tellCustomFields, tellDate, tellTaxRate, tellTexts, textFaults } from './header.ts';
import { mergeLines } from './lines.ts';
import { mergeNotes } from './notes.ts';
import { optionsTold } from './options.ts';
import type { ProposalLineRecord, ProposalRecord } from './record.ts';
import { serviceFaults, tellService } from './service.ts';
import type { ProposalInput, Surroundings } from './surroundings.ts';

/** A proposal as it is told, before it is priced. */
export interface ToldProposal {
  readonly proposal: ProposalRecord;
  /** By a line's id, the place in the request that told it something. */
  readonly places: ReadonlyMap<number, number>;
  readonly faults: readonly Fault[];
}

/** The parts of lines, and the items of those that are assemblies. */
function partsUsed(
  lines: readonly ProposalLineRecord[],
  known: ReadonlyMap<number, PartRecord>,
): Map<number, PartRecord> {
  const used = new Map<number, PartRecord>();
  function use(id: number): void {
    const part = used.has(id) ? undefined : known.get(id);
    if (!part) return;
    used.set(id, part);
    for (const { PartId } of part.AssemblyItems) use(PartId);
  }
  for (const { PartId } of lines) use(PartId);
  return used;
}

/** What was quoted stays quoted: what a part, a template or the contact said then, and of today only what is new. */
function bookOf(
  before: ProposalRecord,
  old: WholeBook,
  lines: readonly ProposalLineRecord[],
  {
    service,
    known,
    around,
  }: { service: WholeBook['service']; known: ReadonlyMap<number, PartRecord>; around: Surroundings },
): ProposalRecord['Book'] {
  const parts = partsUsed(lines, known);
  const isSame = parts.size === old.parts.size && [...parts.keys()].every((id) => old.parts.has(id));
  if (service === old.service && isSame) return before.Book;
  const ids = new Set([...parts.values()].flatMap(({ PartTemplateId }) => PartTemplateId ?? []));
  const templates = new Map([...around.templates, ...old.templates].filter(([id]) => ids.has(id)));
  const ofContact = new Map(around.contact.CustomFields.map(({ Id, Value }) => [Id, Value]));
  const fields = fieldsRead({ service, parts }, around.definitions).map(({ Id, Shortcode }) => {
    const quoted = old.fields.find((field) => field.Id === Id);
    return quoted ?? { Id, Shortcode, Value: ofContact.get(Id) ?? null };
  });
  return compactBook({ service, parts, templates, fields });
}

/**
 * A proposal with what a request says laid over it, not priced yet (settle.ts). Its contact, its place among other
 * proposals and its status are not its own to say.
 */
export function tellProposal(before: ProposalRecord, given: ProposalInput, around: Surroundings): ToldProposal {
  const isNew = before.V === 0;
  const old = wholeBook(before.Book);
  const service = around.service ?? old.service;
  const known = new Map([...around.parts, ...old.parts]);
  const options = optionsTold(before.Options, { ids: around.ids.options, isNew });
  const context = { service, parts: known, options, ids: around.ids.lines, isNew, definitions: around.definitions };
  const { lines, places, faults: lineFaults } = mergeLines(before.Lines, given.ProposalLines ?? [], context);
  const settled = options.settled(new Set(lines.flatMap(({ OptionId }) => OptionId ?? [])), given.SelectedSolution);
  const texts = tellTexts(before, given);
  const [date, rate] = [tellDate(before, given), tellTaxRate(before, given, around)];
  const fields = tellCustomFields(before, given, around);
  const noted = { ids: around.ids.notes, now: around.now, isNew };
  const notes = mergeNotes(before.ProposalNotes, given.ProposalNotes ?? [], noted);
  const { AccountingClass, Zip } = around.contact;
  return {
    proposal: {
      ...before,
      ...texts,
      ...tellService(before, given, { old: old.service, service }),
      Date: date.told,
      NamedTaxRate: rate.told,
      CustomFields: fields.told,
      ProposalNotes: notes.notes,
      Lines: lines,
      Options: settled.options,
      AccountingClass: AccountingClass && { ...AccountingClass, PostalCodes: Zip ? [Zip] : [] },
      Book: bookOf(before, old, lines, { service, known, around }),
    },
    places,
    faults: [
      ...date.faults,
      ...serviceFaults(before, given, { service, lines, parts: known }),
      ...textFaults(before, texts, around),
      ...rate.faults,
      ...lineFaults,
      ...settled.faults,
      ...notes.faults,
      ...fields.faults,
    ],
  };
}
