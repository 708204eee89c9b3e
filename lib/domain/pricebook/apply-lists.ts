import { blankOf } from '../../entities/declaration/entity.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import {
  type BrandingRevenueCategory,
  type DimensionRecord,
  type PartTemplate,
  type ProposalTemplate,
  dimensionEntity,
  partTemplateEntity,
  proposalTemplateEntity,
  proposalTemplateLine,
  revenueCategoryEntity,
} from '../../entities/price-book.ts';
import Big from 'big.js';
import type { ProposalTemplateEntry } from '../../resources/price-book.ts';
import { type EntryErrors, applyFields, checkNotNegative, checkSize } from './apply-fields.ts';
import type { EntryContext } from './apply-part.ts';
import { type IdentifiedEntry, resolveReference, resolveReferences } from './entries.ts';

type Line = ProposalTemplate['ProposalTemplateLines'][number];
type LineEntry = NonNullable<NonNullable<ProposalTemplateEntry['ProposalTemplateLines']>[number]>;

const MAX_LINES = 200;

const blankLine = (Id: number, ProposalTemplateId: number, Order: number): Line =>
  blankOf(proposalTemplateLine, { Id, ProposalTemplateId, Order });
const { Id: _, ProposalTemplateId: __, PartId: ___, ...plainLine } = blankLine(0, 0, 0);
const LINE_FIELDS = Object.keys(plainLine) as (keyof typeof plainLine)[];

/** Applies an entry to a proposal template. A new one belongs to the organization of the context, or to the account. */
export function applyProposalTemplate(
  { entry, id, before: existing }: IdentifiedEntry<'proposalTemplates'>,
  errors: EntryErrors,
  context: EntryContext & { readonly services: ReadonlyMap<number, ServiceRecord> },
): ProposalTemplate {
  const { references, services, now, organizationId } = context;
  const blank = proposalTemplateEntity.blank({
    Id: id,
    OrganizationId: organizationId ?? 0,
    CreatedAt: now,
    UpdatedAt: now,
  });
  const before = existing ?? blank;
  const names = ['Name', 'IsActive', 'Quantity', 'ServiceDescription', 'CustomerNote'] as const;
  const fields = applyFields(before, entry, { names, blank });
  errors.add('Name', !fields.Name && 'is required', 'required');
  const count = errors.count;
  const service = resolveReference(
    references.services,
    errors,
    ['ServiceId', entry.ServiceId],
    ['Service', entry.Service],
  );
  const ServiceId = service ?? before.ServiceId;
  errors.add('ServiceId', !ServiceId && errors.count === count && 'is required, or Service', 'required');
  const owner = services.get(ServiceId)?.OrganizationId ?? null;
  const isForeign = owner !== null && owner !== fields.OrganizationId;
  errors.add('ServiceId', isForeign && `names a service of organization ${owner} alone`, 'mismatch');
  checkNotNegative(fields, ['Quantity'], errors);
  const lines = entry.ProposalTemplateLines;
  const ProposalTemplateLines =
    lines === undefined ? before.ProposalTemplateLines : applyLines(lines ?? [], before, errors, context);
  const template = { ...fields, ServiceId, ProposalTemplateLines };
  checkSize(template, errors);
  return template;
}

/** The lines sorted by Order. A line matches by Id, else by its index in that order; it has a part or a Name. */
function applyLines(
  entries: readonly LineEntry[],
  before: ProposalTemplate,
  errors: EntryErrors,
  { references, ids }: EntryContext,
): Line[] {
  const list = errors.at('ProposalTemplateLines');
  list.add('', entries.length > MAX_LINES && `must have at most ${MAX_LINES} elements`, 'too_long');
  const namedIds = new Set(entries.flatMap(({ Id }) => Id ?? []));
  const usedIds = new Set<number>();
  const ordered = entries
    .map((entry, index) => ({ entry, index, order: entry.Order ?? index + 1 }))
    .sort((a, b) => a.order - b.order);
  const lines = ordered.map(({ entry, index }, order) => {
    const own = list.at(`[${index}]`);
    const atIndex = before.ProposalTemplateLines[order];
    const free = atIndex && !namedIds.has(atIndex.Id) ? atIndex : undefined;
    const match = entry.Id ? before.ProposalTemplateLines.find(({ Id }) => Id === entry.Id) : free;
    own.add('Id', Boolean(entry.Id) && !match && `names an unknown line: ${entry.Id}`, 'not_found');
    own.add('Id', Boolean(entry.Id) && usedIds.has(entry.Id ?? 0) && 'repeats that of another line', 'duplicate');
    if (entry.Id) usedIds.add(entry.Id);
    const blank: Line = blankLine(match?.Id ?? ids.take('ProposalTemplateLine'), before.Id, index + 1);
    const part = resolveReference(references.parts, own, ['PartId', entry.PartId], ['Part', entry.Part]);
    const fields = applyFields(match ?? blank, entry, { names: LINE_FIELDS, blank });
    const line = { ...fields, PartId: part === undefined ? fields.PartId : (part ?? 0) };
    checkNotNegative(line, ['Quantity'], own);
    const isEmpty = !line.PartId && !line.Name && !entry.PartId && !entry.Part?.trim();
    own.add('PartId', isEmpty && 'is required, or Name', 'required');
    return line;
  });
  return lines.sort((a, b) => a.Order - b.Order);
}

export function applyPartTemplate(
  { entry, id, before }: IdentifiedEntry<'partTemplates'>,
  errors: EntryErrors,
): PartTemplate {
  const blank = partTemplateEntity.blank({ Id: id });
  const template = applyFields(before ?? blank, entry, { names: ['OptionName', 'Selected'], blank });
  errors.add('OptionName', !template.OptionName && 'is required', 'required');
  return template;
}

export function applyRevenueCategory(
  { entry, id, before }: IdentifiedEntry<'revenueCategories'>,
  errors: EntryErrors,
  { now }: EntryContext,
): BrandingRevenueCategory {
  const blank = revenueCategoryEntity.blank({ Id: id, CreatedAt: now });
  const { Id: _id, CreatedAt: _created, UpdatedAt: _updated, ...plain } = blank;
  const names = Object.keys(plain) as (keyof typeof plain)[];
  const category = applyFields(before ?? blank, entry, { names, blank });
  const { Name, Percentage } = category;
  errors.add('Name', !Name && 'is required', 'required');
  errors.add('Percentage', !(Percentage >= 0 && Percentage <= 100) && 'must be 0 to 100', 'range');
  checkNotNegative(category, ['PerInvoiceAmount', 'Minimum', 'Maximum'], errors);
  errors.add('Maximum', maximumError(category), 'range');
  return category;
}

type Bounds = Readonly<Record<'Minimum' | 'Maximum', number | null>>;

const maximumError = ({ Minimum, Maximum }: Bounds): string | false =>
  Minimum !== null && Maximum !== null && Maximum < Minimum && `must be at least Minimum, which is ${Minimum}`;

export function applyDimension(
  { entry, id, before }: IdentifiedEntry<'dimensions'>,
  errors: EntryErrors,
  { references }: EntryContext,
): DimensionRecord {
  const blank = dimensionEntity.blank({ Id: id });
  const names = ['Name', 'UnitOfMeasure', 'Minimum', 'Maximum', 'Step', 'Options'] as const;
  const fields = applyFields(before ?? blank, entry, { names, blank });
  const parts = resolveReferences(references.parts, errors, ['', undefined], ['Parts', entry.Parts]);
  const Options = fields.Options.map((option) => option.trim());
  const dimension = { ...fields, PartIds: parts ?? fields.PartIds, Options };
  errors.add('Name', !dimension.Name && 'is required', 'required');
  checkDimension(dimension, errors);
  checkSize(dimension, errors);
  return dimension;
}

const isStep = (value: number, from: number, step: number): boolean => new Big(value).minus(from).mod(step).eq(0);

/** The bounds, the step and the options must agree. */
function checkDimension(dimension: DimensionRecord, errors: EntryErrors): void {
  const { Minimum: min, Maximum: max, Step: step, Options } = dimension;
  const reversed = maximumError(dimension);
  errors.add('Maximum', reversed, 'range');
  errors.add('Step', step !== null && step <= 0 && 'must be more than 0', 'range');
  if (step !== null && step > 0 && !reversed && min !== null && max !== null && !isStep(max, min, step))
    errors.add('Step', `must lead from Minimum ${min} to Maximum ${max} in whole steps`, 'mismatch');
  Options.forEach((option, index) =>
    errors.add(`Options[${index}]`, optionError(option, index, dimension), 'mismatch'),
  );
}

function optionError(option: string, index: number, dimension: DimensionRecord): string | undefined {
  const { Minimum: min, Maximum: max, Step: step, Options } = dimension;
  if (!option) return 'must not be empty';
  if (Options.indexOf(option) < index) return `repeats Options[${Options.indexOf(option)}]`;
  const value = /^-?\d{1,15}(\.\d{1,15})?$/.test(option) ? Number(option) : undefined;
  const bounded = min !== null || max !== null || step !== null;
  if (value === undefined) return bounded ? 'must be a number, because of Minimum, Maximum or Step' : undefined;
  if (min !== null && value < min) return `must be at least Minimum, which is ${min}`;
  if (max !== null && value > max) return `must be at most Maximum, which is ${max}`;
  if (step !== null && step > 0 && !isStep(value, min ?? 0, step))
    return `must be a whole number of Steps of ${step} from ${min ?? 0}`;
  return undefined;
}
