import Big from 'big.js';
import type { PartTemplate } from '../../resources/parts.ts';
import type { DimensionEntry, ProposalTemplateEntry } from '../../resources/price-book.ts';
import type { BrandingRevenueCategory } from '../../resources/pricing.ts';
import type { ProposalTemplate } from '../../resources/proposals.ts';
import type { Input } from '../../resources/resource.ts';
import type { FieldError } from '../../shared/field-errors.ts';
import { applyFields } from './apply-entry.ts';
import { checkSize, notNegative } from './checks.ts';
import {
  type DimensionRecord,
  type ServiceRecord,
  blankDimension,
  blankPartTemplate,
  blankProposalTemplate,
  blankRevenueCategory,
} from './record.ts';
import {
  type Identified,
  type Ids,
  type Referable,
  type References,
  resolveReference,
  resolveReferences,
} from './references.ts';

type Line = ProposalTemplate['ProposalTemplateLines'][number];
type LineEntry = NonNullable<NonNullable<ProposalTemplateEntry['ProposalTemplateLines']>[number]>;

const MAX_LINES = 200;
const LINE_FIELDS = [
  'Option',
  'Quantity',
  'Name',
  'Description',
  'Order',
  'IsInternal',
  'IsZeroPrice',
  'QtyIsPercent',
] as const;

const blankLine = (Id: number, ProposalTemplateId: number, Order: number): Line => ({
  Id,
  ProposalTemplateId,
  Order,
  Option: '',
  Quantity: null,
  Name: '',
  Description: '',
  PartId: 0,
  IsInternal: false,
  IsZeroPrice: false,
  QtyIsPercent: false,
});

interface LineSaying {
  readonly template: number;
  readonly before: readonly Line[];
  readonly field: string;
  readonly references: References;
  readonly ids: Ids;
}

/** The lines after an entry: a line without Id is the one that stood in its place, else a new one; it names a part, or says its own Name. */
function linesSaid(
  input: readonly LineEntry[],
  { template, before, field, references, ids }: LineSaying,
): { lines: Line[]; errors: FieldError[] } {
  const errors: FieldError[] =
    input.length > MAX_LINES ? [{ field, message: `must have at most ${MAX_LINES} elements` }] : [];
  const named = new Set(input.flatMap(({ Id }) => Id ?? []));
  const seen = new Set<number>();
  // Lines are kept in the order of Order, so that is where each has its place.
  const ordered = input
    .map((entry, index) => ({ entry, index, order: entry.Order ?? index + 1 }))
    .sort((a, b) => a.order - b.order);
  const lines = ordered.map(({ entry, index }, place) => {
    const at = `${field}[${index}]`;
    const inPlace = before[place];
    const known = entry.Id
      ? before.find(({ Id }) => Id === entry.Id)
      : inPlace && !named.has(inPlace.Id)
        ? inPlace
        : undefined;
    if (entry.Id && !known) errors.push({ field: `${at}.Id`, message: `is of no line here: there is no ${entry.Id}` });
    if (entry.Id && seen.has(entry.Id)) errors.push({ field: `${at}.Id`, message: 'is also that of another line' });
    if (entry.Id) seen.add(entry.Id);
    const blank = blankLine(known?.Id ?? ids.take('ProposalTemplateLine'), template, index + 1);
    const reference = { id: entry.PartId, idField: `${at}.PartId`, name: entry.Part, nameField: `${at}.Part` };
    const part = resolveReference(references.parts, reference, errors);
    const said = applyFields(known ?? blank, entry, { names: LINE_FIELDS, blank });
    const line = { ...said, PartId: part === undefined ? said.PartId : (part ?? 0) };
    const nothing = !line.PartId && !line.Name && !entry.PartId && !entry.Part?.trim();
    errors.push(
      ...notNegative(line, ['Quantity'], at),
      ...(nothing ? [{ field: `${at}.PartId`, message: 'is required, or Name' }] : []),
    );
    return line;
  });
  return { lines: lines.sort((a, b) => a.Order - b.Order), errors };
}

/** A proposal template with what an entry says laid over it; a new one belongs to `organizationId`, and its service to the same or to all. */
export function applyProposalTemplate(
  { field, entry, id, before }: Identified<ProposalTemplateEntry, ProposalTemplate>,
  {
    references,
    services,
    ids,
    now,
    organizationId,
  }: {
    references: References;
    services: ReadonlyMap<number, ServiceRecord>;
    ids: Ids;
    now: string;
    organizationId: number | null;
  },
): { record: ProposalTemplate; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const blank = { ...blankProposalTemplate(id, now), OrganizationId: organizationId ?? 0 };
  const was = before ?? blank;
  const said = applyFields(was, entry, {
    names: ['Name', 'IsActive', 'Quantity', 'ServiceDescription', 'CustomerNote'],
    blank,
  });
  const reference = {
    id: entry.ServiceId,
    idField: `${field}.ServiceId`,
    name: entry.Service,
    nameField: `${field}.Service`,
  };
  const ServiceId = resolveReference(references.services, reference, errors) ?? was.ServiceId;
  const lines =
    entry.ProposalTemplateLines === undefined
      ? { lines: was.ProposalTemplateLines, errors: [] }
      : linesSaid(entry.ProposalTemplateLines ?? [], {
          template: id,
          before: was.ProposalTemplateLines,
          field: `${field}.ProposalTemplateLines`,
          references,
          ids,
        });
  const record: ProposalTemplate = { ...said, ServiceId, ProposalTemplateLines: lines.lines };
  const owner = services.get(ServiceId)?.OrganizationId ?? null;
  const others = owner !== null && owner !== record.OrganizationId;
  return {
    record,
    errors: [
      ...(record.Name ? [] : [{ field: `${field}.Name`, message: 'is required' }]),
      ...errors,
      ...(!ServiceId && !errors.length ? [{ field: `${field}.ServiceId`, message: 'is required, or Service' }] : []),
      ...(others ? [{ field: `${field}.ServiceId`, message: `is a service of organization ${owner} alone` }] : []),
      ...notNegative(record, ['Quantity'], field),
      ...lines.errors,
      ...checkSize(record, field),
    ],
  };
}

interface Said<Thing> {
  readonly record: Thing;
  readonly errors: FieldError[];
}

const required = (name: string, field: string): FieldError[] => (name ? [] : [{ field, message: 'is required' }]);

/** A part template with what an entry says laid over it. */
export function applyPartTemplate({
  field,
  entry,
  id,
  before,
}: Identified<Input<typeof PartTemplate>, PartTemplate>): Said<PartTemplate> {
  const blank = blankPartTemplate(id);
  const record = applyFields(before ?? blank, entry, { names: ['OptionName', 'Selected'], blank });
  return { record, errors: required(record.OptionName, `${field}.OptionName`) };
}

/** A branding revenue category with what an entry says laid over it; CreatedAt and UpdatedAt are the plan's. */
export function applyRevenueCategory(
  { field, entry, id, before }: Identified<Input<typeof BrandingRevenueCategory>, BrandingRevenueCategory>,
  now: string,
): Said<BrandingRevenueCategory> {
  const blank = blankRevenueCategory(id, now);
  const { Id: _, CreatedAt: __, UpdatedAt: ___, ...plain } = blank;
  const record = applyFields(before ?? blank, entry, { names: Object.keys(plain) as (keyof typeof plain)[], blank });
  const { Minimum: least, Maximum: most, Percentage } = record;
  return {
    record,
    errors: [
      ...required(record.Name, `${field}.Name`),
      ...(Percentage >= 0 && Percentage <= 100 ? [] : [{ field: `${field}.Percentage`, message: 'must be 0 to 100' }]),
      ...notNegative(record, ['PerInvoiceAmount', 'Minimum', 'Maximum'], field),
      ...(least !== null && most !== null && most < least
        ? [{ field: `${field}.Maximum`, message: `must be at least Minimum, which is ${least}` }]
        : []),
    ],
  };
}

const isStep = (value: number, from: number, step: number): boolean => new Big(value).minus(from).mod(step).eq(0);

/** Whether the bounds of a dimension, its step and its options can hold together. */
function consistent(
  { Minimum: least, Maximum: most, Step: step, Options }: DimensionRecord,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const say = (name: string, message: string) => errors.push({ field: `${field}.${name}`, message });
  const ordered = least === null || most === null || least <= most;
  if (!ordered) say('Maximum', `must be at least Minimum, which is ${least}`);
  if (step !== null && step <= 0) say('Step', 'must be more than 0');
  else if (step !== null && ordered && least !== null && most !== null && !isStep(most, least, step)) {
    say('Step', `must lead from Minimum ${least} to Maximum ${most} in whole steps`);
  }
  const bounded = least !== null || most !== null || step !== null;
  Options.forEach((option, index) => {
    const value = /^-?\d{1,15}(\.\d{1,15})?$/.test(option) ? Number(option) : undefined;
    const at = `Options[${index}]`;
    if (!option) say(at, 'must not be empty');
    else if (Options.indexOf(option) < index) say(at, `is also Options[${Options.indexOf(option)}]`);
    else if (bounded && value === undefined) say(at, 'must be a number where there is a Minimum, Maximum or Step');
    else if (value !== undefined && least !== null && value < least)
      say(at, `must be at least Minimum, which is ${least}`);
    else if (value !== undefined && most !== null && value > most) say(at, `must be at most Maximum, which is ${most}`);
    else if (value !== undefined && step !== null && step > 0 && !isStep(value, least ?? 0, step))
      say(at, `must be a whole number of Steps of ${step} from ${least ?? 0}`);
  });
  return errors;
}

/** A dimension with what an entry says laid over it. */
export function applyDimension(
  { field, entry, id, before }: Identified<DimensionEntry, DimensionRecord>,
  parts: Referable,
): Said<DimensionRecord> {
  const errors: FieldError[] = [];
  const blank = blankDimension(id);
  const names = ['Name', 'UnitOfMeasure', 'Minimum', 'Maximum', 'Step', 'Options'] as const;
  const said = applyFields(before ?? blank, entry, { names, blank });
  const PartIds =
    resolveReferences(parts, { ids: undefined, names: entry.Parts }, { ids: '', names: `${field}.Parts` }, errors) ??
    said.PartIds;
  const record = { ...said, PartIds, Options: said.Options.map((option) => option.trim()) };
  return {
    record,
    errors: [
      ...errors,
      ...required(record.Name, `${field}.Name`),
      ...consistent(record, field),
      ...checkSize(record, field),
    ],
  };
}
