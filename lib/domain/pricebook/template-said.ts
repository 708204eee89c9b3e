import type { ProposalTemplateEntry } from '../../resources/price-book.ts';
import type { ProposalTemplate } from '../../resources/proposal-templates.ts';
import type { Fault } from '../faults.ts';
import { blankProposalTemplate } from './blank.ts';
import type { Identified } from './identify.ts';
import type { Ids } from './ids.ts';
import { checkSize, notNegative } from './limits.ts';
import { overlay } from './overlay.ts';
import type { ServiceRecord } from './records.ts';
import { referred, type References } from './references.ts';

type Line = ProposalTemplate['ProposalTemplateLines'][number];
type LineEntry = NonNullable<NonNullable<ProposalTemplateEntry['ProposalTemplateLines']>[number]>;

const MOST_LINES = 200;
const LINE_FIELDS = ['Option', 'Quantity', 'Name', 'Description', 'Order', 'IsInternal', 'IsZeroPrice', 'QtyIsPercent'] as const;

const blankLine = (Id: number, ProposalTemplateId: number, Order: number): Line => ({
  Id, ProposalTemplateId, Order, Option: '', Quantity: null, Name: '', Description: '', PartId: 0, IsInternal: false,
  IsZeroPrice: false, QtyIsPercent: false,
});

interface LineSaying {
  readonly template: number;
  readonly before: readonly Line[];
  readonly field: string;
  readonly references: References;
  readonly ids: Ids;
}

/** The lines after an entry: a line without Id is the one that stood in its place, else a new one; it names a part, or says its own Name. */
function linesSaid(given: readonly LineEntry[], { template, before, field, references, ids }: LineSaying): { lines: Line[]; faults: Fault[] } {
  const faults: Fault[] = given.length > MOST_LINES ? [{ field, message: `must have at most ${MOST_LINES} elements` }] : [];
  const named = new Set(given.flatMap(({ Id }) => Id ?? []));
  const seen = new Set<number>();
  // Lines are kept in the order of Order, so that is where each has its place.
  const ordered = given.map((entry, index) => ({ entry, index, order: entry.Order ?? index + 1 })).sort((a, b) => a.order - b.order);
  const lines = ordered.map(({ entry, index }, place) => {
    const at = `${field}[${index}]`;
    const inPlace = before[place];
    const known = entry.Id ? before.find(({ Id }) => Id === entry.Id) : inPlace && !named.has(inPlace.Id) ? inPlace : undefined;
    if (entry.Id && !known) faults.push({ field: `${at}.Id`, message: `is of no line here: there is no ${entry.Id}` });
    if (entry.Id && seen.has(entry.Id)) faults.push({ field: `${at}.Id`, message: 'is also that of another line' });
    if (entry.Id) seen.add(entry.Id);
    const blank = blankLine(known?.Id ?? ids.take('ProposalTemplateLine'), template, index + 1);
    const reference = { id: entry.PartId, idField: `${at}.PartId`, name: entry.Part, nameField: `${at}.Part` };
    const part = referred(references.parts, reference, faults);
    const said = overlay(known ?? blank, entry, { names: LINE_FIELDS, blank });
    const line = { ...said, PartId: part === undefined ? said.PartId : (part ?? 0) };
    const nothing = !line.PartId && !line.Name && !entry.PartId && !entry.Part?.trim();
    faults.push(...notNegative(line, ['Quantity'], at), ...(nothing ? [{ field: `${at}.PartId`, message: 'is required, or Name' }] : []));
    return line;
  });
  return { lines: lines.sort((a, b) => a.Order - b.Order), faults };
}

/** A proposal template with what an entry says laid over it; a new one belongs to `organizationId`, and its service to the same or to all. */
export function proposalTemplateSaid(
  { field, entry, id, before }: Identified<ProposalTemplateEntry, ProposalTemplate>,
  { references, services, ids, now, organizationId }: { references: References; services: ReadonlyMap<number, ServiceRecord>; ids: Ids; now: string; organizationId: number | null },
): { thing: ProposalTemplate; faults: Fault[] } {
  const faults: Fault[] = [];
  const blank = { ...blankProposalTemplate(id, now), OrganizationId: organizationId ?? 0 };
  const was = before ?? blank;
  const said = overlay(was, entry, { names: ['Name', 'IsActive', 'Quantity', 'ServiceDescription', 'CustomerNote'], blank });
  const reference = { id: entry.ServiceId, idField: `${field}.ServiceId`, name: entry.Service, nameField: `${field}.Service` };
  const ServiceId = referred(references.services, reference, faults) ?? was.ServiceId;
  const lines = entry.ProposalTemplateLines === undefined
    ? { lines: was.ProposalTemplateLines, faults: [] }
    : linesSaid(entry.ProposalTemplateLines ?? [], { template: id, before: was.ProposalTemplateLines, field: `${field}.ProposalTemplateLines`, references, ids });
  const thing: ProposalTemplate = { ...said, ServiceId, ProposalTemplateLines: lines.lines };
  const owner = services.get(ServiceId)?.OrganizationId ?? null;
  const others = owner !== null && owner !== thing.OrganizationId;
  return {
    thing,
    faults: [
      ...(thing.Name ? [] : [{ field: `${field}.Name`, message: 'is required' }]),
      ...faults,
      ...(!ServiceId && !faults.length ? [{ field: `${field}.ServiceId`, message: 'is required, or Service' }] : []),
      ...(others ? [{ field: `${field}.ServiceId`, message: `is a service of organization ${owner} alone` }] : []),
      ...notNegative(thing, ['Quantity'], field),
      ...lines.faults,
      ...checkSize(thing, field),
    ],
  };
}
