import type { Proposal } from '../../resources/proposals.ts';
import type { Input } from '../../resources/resource.ts';
import { type FieldError, applyValue, applyText } from '../../shared/field-errors.ts';
import { parseDate } from '../../shared/read-moments.ts';
import { callbackUrlErrors } from '../appointments/callbacks.ts';
import { applyCustomFieldInputs } from '../custom-fields.ts';
import { isAvailable, notOfferedMessage } from '../pricebook/availability.ts';
import type { PartRecord, ServiceRecord } from '../pricebook/record.ts';
import { PROPOSAL_FIELDS, type ProposalInput, type ProposalReferences } from './input.ts';
import { applyLines } from './lines.ts';
import { applyOptions } from './options.ts';
import {
  type ProposalLineRecord,
  type ProposalNoteRecord,
  type ProposalRecord,
  type ExpandedBook,
  compactBook,
  fieldsRead,
  expandBook,
} from './record.ts';
import { isSameName, resolveNewReference, resolveReference } from './references.ts';

/** A proposal as it is told, before it is priced. */
export interface ProposalUpdate {
  readonly proposal: ProposalRecord;
  /** By a line's id, the place in the request that told it something. */
  readonly places: ReadonlyMap<number, number>;
  readonly errors: readonly FieldError[];
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
  old: ExpandedBook,
  lines: readonly ProposalLineRecord[],
  {
    service,
    known,
    around,
  }: { service: ExpandedBook['service']; known: ReadonlyMap<number, PartRecord>; around: ProposalReferences },
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
export function applyProposalInput(
  before: ProposalRecord,
  input: ProposalInput,
  around: ProposalReferences,
): ProposalUpdate {
  const isNew = before.V === 0;
  const old = expandBook(before.Book);
  const service = around.service ?? old.service;
  const known = new Map([...around.parts, ...old.parts]);
  const options = applyOptions(before.Options, { ids: around.ids.options, isNew });
  const context = { service, parts: known, options, ids: around.ids.lines, isNew, definitions: around.definitions };
  const { lines, places, errors: lineFaults } = applyLines(before.Lines, input.ProposalLines ?? [], context);
  const settled = options.settled(new Set(lines.flatMap(({ OptionId }) => OptionId ?? [])), input.SelectedSolution);
  const texts = applyTexts(before, input);
  const [date, rate] = [applyDate(before, input), applyTaxRate(before, input, around)];
  const fields = applyCustomFields(before, input, around);
  const noted = { ids: around.ids.notes, now: around.now, isNew };
  const notes = applyNotes(before.ProposalNotes, input.ProposalNotes ?? [], noted);
  const { AccountingClass, Zip } = around.contact;
  return {
    proposal: {
      ...before,
      ...texts,
      ...applyService(before, input, { old: old.service, service }),
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
    errors: [
      ...date.errors,
      ...serviceErrors(before, input, { service, lines, parts: known }),
      ...textErrors(before, texts, around),
      ...rate.errors,
      ...lineFaults,
      ...settled.errors,
      ...notes.errors,
      ...fields.errors,
    ],
  };
}

type Told<Of> = { readonly told: Of; readonly errors: readonly FieldError[] };

/** What a proposal says that prices nothing. */
export function applyTexts(before: ProposalRecord, input: ProposalInput): Partial<ProposalRecord> {
  return {
    Description: applyText(input.Description, before.Description),
    Title: applyText(input.Title, before.Title),
    CustomerNotes: applyText(input.CustomerNotes, before.CustomerNotes),
    DeliveryUri: applyText(input.DeliveryUri, before.DeliveryUri),
    OwnerUserId: applyValue(input.OwnerUserId, before.OwnerUserId, null),
    ServiceAgentId: applyValue(input.ServiceAgentId, before.ServiceAgentId, null),
    DepositRate: applyValue(input.DepositRate, before.DepositRate, null),
    DepositRequired: applyValue(input.DepositRequired, before.DepositRequired, null),
    IncludePaymentPlans: applyValue(input.IncludePaymentPlans, before.IncludePaymentPlans, false),
    PaymentPlanRequired: applyValue(input.PaymentPlanRequired, before.PaymentPlanRequired, null),
    DistributeParts: applyValue(input.DistributeParts, before.DistributeParts, false),
  };
}

/** What of these is wrong; what was there already is let be. */
export function textErrors(
  before: ProposalRecord,
  told: Partial<ProposalRecord>,
  { userIds, agentIds, allowLoopback }: ProposalReferences,
): FieldError[] {
  const { OwnerUserId, ServiceAgentId, DepositRate, DeliveryUri } = told;
  const isNew = <Value>(value: Value | null | undefined, was: Value | null): value is Value =>
    value != null && value !== was;
  const noUser = isNew(OwnerUserId, before.OwnerUserId) && !userIds.has(OwnerUserId);
  const noAgent = isNew(ServiceAgentId, before.ServiceAgentId) && !agentIds.has(ServiceAgentId);
  const noPercentage = DepositRate != null && (DepositRate < 0 || DepositRate > 100);
  const all: readonly (false | FieldError)[] = [
    noUser && { field: 'OwnerUserId', message: `names no user: there is no ${OwnerUserId}` },
    noAgent && {
      field: 'ServiceAgentId',
      message: `names no service agent of the organization: there is no ${ServiceAgentId}`,
    },
    noPercentage && { field: 'DepositRate', message: 'must be a percentage from 0 to 100' },
  ];
  return [
    ...all.filter((fault) => fault !== false),
    ...(DeliveryUri === before.DeliveryUri ? [] : callbackUrlErrors({ DeliveryUri }, { allowLoopback })),
  ];
}

/** Its date, as written in the organization's zone; it always has one. */
export function applyDate({ Date: was, Zone }: ProposalRecord, { Date: input }: ProposalInput): Told<string> {
  if (!input) return { told: was, errors: [] };
  const read = parseDate(input, Zone);
  return read.ok
    ? { told: read.date, errors: [] }
    : { told: was, errors: [{ field: 'Date', message: `cannot be read: ${read.reason}` }] };
}

/** Its tax rate, as it is now where another is named; of a new one that names none its contact's. `null` is no tax. */
export function applyTaxRate(
  { NamedTaxRate: was, V }: ProposalRecord,
  { NamedTaxRate: input }: ProposalInput,
  { taxRates, contact }: ProposalReferences,
): Told<ProposalRecord['NamedTaxRate']> {
  const ofContact = taxRates.find(({ Id }) => Id === contact.NamedTaxRateId);
  const kept = V === 0 && !was && ofContact ? { ...ofContact } : was;
  if (!input) return { told: input === null && V > 0 ? null : kept, errors: [] };
  const picked = resolveReference(input, was, taxRates, 'tax rate');
  if (picked.kind === 'fault')
    return { told: kept, errors: [{ field: `NamedTaxRate.${picked.field}`, message: picked.message }] };
  return { told: picked.kind === 'picked' ? { ...picked.record } : kept, errors: [] };
}

/** The values of its custom fields. */
export function applyCustomFields(
  { CustomFields }: ProposalRecord,
  input: ProposalInput,
  { definitions }: ProposalReferences,
): Told<ProposalRecord['CustomFields']> {
  const own = definitions.filter(({ TableType }) => TableType === PROPOSAL_FIELDS);
  const { values, errors } = applyCustomFieldInputs(CustomFields, input.CustomFields ?? [], own);
  return { told: values, errors };
}

type ToldOfService = Pick<
  ProposalRecord,
  'ServiceId' | 'ServiceName' | 'Description' | 'Taxable' | 'RequestedQuantity'
>;

/**
 * What a proposal says of its service; what it does not say for itself is as the service says, also as another one does.
 */
export function applyService(
  before: ProposalRecord,
  input: ProposalInput,
  { old, service }: { readonly old: ServiceRecord; readonly service: ServiceRecord },
): ToldOfService {
  const isNew = before.V === 0;
  const changed = service.Id !== before.ServiceId;
  const description = applyText(input.Description, before.Description);
  const followsDescription = changed && (description === old.Description || (isNew && !description));
  const saysTaxable = input.Taxable != null && (isNew || input.Taxable !== before.Taxable);
  const followsTaxable = input.Taxable === null || (changed && before.Taxable === old.Taxable);
  const taxable = followsTaxable ? service.Taxable : before.Taxable;
  // Typed clients send 0 where they say nothing, and what was answered.
  const saysQuantity = input.Quantity !== 0 && (isNew || input.Quantity !== before.Quantity);
  return {
    ServiceId: changed ? service.Id : before.ServiceId,
    ServiceName: changed ? service.Name : before.ServiceName,
    Description: followsDescription ? service.Description : description,
    Taxable: saysTaxable ? (input.Taxable ?? false) : taxable,
    RequestedQuantity: saysQuantity
      ? applyValue(input.Quantity, before.RequestedQuantity, null)
      : before.RequestedQuantity,
  };
}

/** What is wrong about the service that a request names, and about parts that are not sold with it. */
export function serviceErrors(
  before: ProposalRecord,
  input: ProposalInput,
  {
    service,
    lines,
    parts,
  }: { service: ServiceRecord; lines: readonly ProposalLineRecord[]; parts: ReadonlyMap<number, PartRecord> },
): FieldError[] {
  if (service.Id === before.ServiceId) return [];
  const own = { Id: before.ServiceId, Name: before.ServiceName };
  const { id, name } = resolveNewReference({ Id: input.ServiceId, Name: input.ServiceName }, own);
  const other = name !== undefined && !isSameName(name, service.Name);
  const kept = new Set(before.Lines.map(({ Id }) => Id));
  const unsold = lines.flatMap(({ Id, PartId, AssemblyLineId }) => {
    const part = parts.get(PartId);
    return part && kept.has(Id) && AssemblyLineId === null && !isAvailable(service, part) ? part.Name : [];
  });
  const anew = id === undefined ? name && 'ServiceName' : 'ServiceId';
  const notSold = `names a service with which these are not sold: ${unsold.join(', ')}`;
  return [
    ...(anew && !service.Active ? [{ field: anew, message: notOfferedMessage(service.Name) }] : []),
    ...(other ? [{ field: 'ServiceName', message: `is not that of service ${service.Id}: ${service.Name}` }] : []),
    ...(unsold.length ? [{ field: 'ServiceId', message: notSold }] : []),
  ];
}

type NoteInput = NonNullable<Input<typeof Proposal>['ProposalNotes']>[number];

/** The notes with those a request brings: by Id those there are, the others new, as of now. */
export function applyNotes(
  before: readonly ProposalNoteRecord[],
  input: readonly NoteInput[],
  { ids, now, isNew }: { ids: readonly number[]; now: number; isNew: boolean },
): { notes: ProposalNoteRecord[]; errors: FieldError[] } {
  const notes = new Map(before.map((note) => [note.Id, note]));
  const fresh = ids.values();
  const errors = input.flatMap(({ Id, Note }, index): FieldError[] => {
    const kept = notes.get(Id ?? 0);
    const path = `ProposalNotes[${index}]`;
    const text = Note === undefined ? kept?.Note : Note?.trim();
    if (Id && !kept && !isNew)
      return [{ field: `${path}.Id`, message: `names no note of the proposal: there is no ${Id}` }];
    if (!text) return [{ field: `${path}.Note`, message: 'must not be empty' }];
    const id = kept?.Id ?? fresh.next().value ?? 0;
    notes.set(id, { Id: id, Note: text, CreatedAt: kept?.CreatedAt ?? now });
    return [];
  });
  return { notes: [...notes.values()], errors };
}
