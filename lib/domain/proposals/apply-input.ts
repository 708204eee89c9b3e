import type { ProposalLineRecord, ProposalNoteRecord } from '../../entities/proposal-parts.ts';
import type { ProposalRecord, Proposal } from '../../entities/proposals.ts';
import type { ServiceRecord } from '../../entities/services.ts';
import type { PartRecord } from '../../entities/parts.ts';
import { type Input, applyText, applyValue } from '../../resources/fields.ts';
import { type FieldError, collectErrors, prefixErrors } from '../../shared/failure.ts';
import { parseDate } from '../../shared/time/read-moments.ts';
import { parseCallbackAddresses } from '../../shared/web/web-addresses.ts';
import { applyCustomFieldInputs } from '../custom-fields.ts';
import { ownerError } from '../users.ts';
import { isAvailable, notOfferedMessage } from '../pricebook/availability.ts';
import { PROPOSAL_FIELDS, type ProposalInput, type ProposalReferences, type ProposalUpdate } from './input.ts';
import { applyLines } from './lines.ts';
import { updateOptions } from './options.ts';
import { compactBook, expandBook, fieldsRead } from './record.ts';
import { isSameName, resolveNewReference, resolveReference } from './references.ts';

type Applied<Value> = { readonly value: Value; readonly errors: readonly FieldError[] };

/**
 * Applies a request to a proposal, without pricing it (price.ts). Contact, parents and status are changed elsewhere.
 */
export function applyProposalInput(
  before: ProposalRecord,
  input: ProposalInput,
  references: ProposalReferences,
): ProposalUpdate {
  const isNew = before.V === 0;
  const { ids, now, definitions, contact, country } = references;
  const book = expandBook(before.Book);
  const service = references.service ?? book.service;
  // Quoted parts stay as quoted; only parts that are new to the proposal are taken in their current state.
  const parts = new Map([...references.parts, ...book.parts]);
  const options = updateOptions(before.Options, { ids: ids.options, isNew });
  const { suggestPart } = references;
  const lineReferences = { service, parts, options, ids: ids.lines, isNew, definitions, country, suggestPart };
  const lines = applyLines(before.Lines, input.ProposalLines ?? [], lineReferences);
  const usedOptions = new Set(lines.lines.flatMap(({ OptionId }) => OptionId ?? []));
  const selection = options.finish(usedOptions, input.SelectedSolution);
  const values = applyValues(before, input);
  const delivery = applyDelivery(before, values.DeliveryUri, references);
  const date = applyDate(before, input);
  const taxRate = applyTaxRate(before, input, references);
  const customFields = applyCustomFields(before, input, references);
  const notes = applyNotes(before.ProposalNotes, input.ProposalNotes ?? [], { ids: ids.notes, now, isNew });
  const { AccountingClass, Zip } = contact;
  return {
    proposal: {
      ...before,
      ...values,
      DeliveryUri: delivery.value,
      ...applyService(before, input, book.service, service),
      Date: date.value,
      NamedTaxRate: taxRate.value,
      CustomFields: customFields.value,
      ProposalNotes: notes.value,
      Lines: lines.lines,
      Options: selection.options,
      AccountingClass: AccountingClass && { ...AccountingClass, PostalCodes: Zip ? [Zip] : [] },
      Book: updateBook(before.Book, lines.lines, parts, references),
    },
    indexes: lines.indexes,
    errors: [
      ...date.errors,
      ...serviceErrors(before, input, { service, lines: lines.lines, parts }),
      ...valueErrors(before, values, references),
      ...delivery.errors,
      ...taxRate.errors,
      ...lines.errors,
      ...selection.errors,
      ...notes.errors,
      ...customFields.errors,
    ],
  };
}

/** The parts of the lines, and the items of assemblies among them. */
function usedParts(
  lines: readonly ProposalLineRecord[],
  parts: ReadonlyMap<number, PartRecord>,
): Map<number, PartRecord> {
  const used = new Map<number, PartRecord>();
  function add(id: number): void {
    const part = used.has(id) ? undefined : parts.get(id);
    if (!part) return;
    used.set(id, part);
    for (const { PartId } of part.AssemblyItems) add(PartId);
  }
  for (const { PartId } of lines) add(PartId);
  return used;
}

/** The book with the parts of the lines. Existing parts, part templates and contact values stay as quoted. */
function updateBook(
  before: ProposalRecord['Book'],
  lines: readonly ProposalLineRecord[],
  known: ReadonlyMap<number, PartRecord>,
  { service, templates, definitions, contact }: ProposalReferences,
): ProposalRecord['Book'] {
  const quoted = expandBook(before);
  const parts = usedParts(lines, known);
  const hasSameParts = parts.size === quoted.parts.size && [...parts.keys()].every((id) => quoted.parts.has(id));
  if (!service && hasSameParts) return before;
  const book = { service: service ?? quoted.service, parts };
  const templateIds = new Set([...parts.values()].flatMap(({ PartTemplateId }) => PartTemplateId ?? []));
  const contactValues = new Map(contact.CustomFields.map(({ Id, Value }) => [Id, Value]));
  return compactBook({
    ...book,
    templates: new Map([...templates, ...quoted.templates].filter(([id]) => templateIds.has(id))),
    fields: fieldsRead(book, definitions).map(
      ({ Id, Shortcode }) =>
        quoted.fields.find((field) => field.Id === Id) ?? { Id, Shortcode, Value: contactValues.get(Id) ?? null },
    ),
  });
}

/** The fields that affect no price and need no conversion. */
const applyValues = (before: ProposalRecord, input: ProposalInput) => ({
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
});

/** Errors of these fields; an unchanged value is not checked again. */
function valueErrors(
  before: ProposalRecord,
  { OwnerUserId, ServiceAgentId, DepositRate }: ReturnType<typeof applyValues>,
  { owners, agentIds, agentAdvice }: ProposalReferences,
): FieldError[] {
  const isUnknown = (id: number | null, previous: number | null, known: ReadonlySet<number>): boolean =>
    id !== null && id !== previous && !known.has(id);
  return [
    ...collectErrors(
      ['OwnerUserId', ownerError(OwnerUserId, before.OwnerUserId, owners, before.OrganizationId), 'not_found'],
      [
        'ServiceAgentId',
        isUnknown(ServiceAgentId, before.ServiceAgentId, agentIds) &&
          `must be a service agent of the organization; ${ServiceAgentId} is not.${agentAdvice && ` ${agentAdvice}`}`,
        'not_found',
      ],
      [
        'DepositRate',
        DepositRate !== null && (DepositRate < 0 || DepositRate > 100) && 'must be a percentage from 0 to 100',
        'range',
      ],
    ),
  ];
}

/** The callback address; an unchanged one is not checked again. */
function applyDelivery(
  before: ProposalRecord,
  DeliveryUri: string,
  { allowLoopback }: ProposalReferences,
): Applied<string> {
  if (DeliveryUri === before.DeliveryUri) return { value: before.DeliveryUri, errors: [] };
  const { addresses, errors } = parseCallbackAddresses({ DeliveryUri }, { allowLoopback });
  return { value: addresses.DeliveryUri ?? before.DeliveryUri, errors: [...errors] };
}

/** The date as written, in the organization's zone; a proposal always has one. */
function applyDate({ Date: before, Zone }: ProposalRecord, { Date: input }: ProposalInput): Applied<string> {
  if (!input) return { value: before, errors: [] };
  const read = parseDate(input, Zone);
  return read.ok
    ? { value: read.date, errors: [] }
    : { value: before, errors: [{ field: 'Date', code: 'format', message: `cannot be read: ${read.reason}` }] };
}

/**
 * The tax rate: the requested one in its current state; for a new proposal without one, the contact's. `null` means no
 * tax.
 */
function applyTaxRate(
  { NamedTaxRate: before, V }: ProposalRecord,
  { NamedTaxRate: input }: ProposalInput,
  { taxRates, contact }: ProposalReferences,
): Applied<ProposalRecord['NamedTaxRate']> {
  const contactRate = taxRates.find(({ Id }) => Id === contact.NamedTaxRateId);
  const current = V === 0 && !before && contactRate ? { ...contactRate } : before;
  if (!input) return { value: input === null && V > 0 ? null : current, errors: [] };
  const resolved = resolveReference(input, before, taxRates, 'tax rate');
  if (resolved.kind === 'invalid') return { value: current, errors: prefixErrors('NamedTaxRate', [resolved.error]) };
  return { value: resolved.kind === 'found' ? { ...resolved.record } : current, errors: [] };
}

function applyCustomFields(
  { CustomFields }: ProposalRecord,
  input: ProposalInput,
  { definitions, country }: ProposalReferences,
): Applied<ProposalRecord['CustomFields']> {
  const fields = definitions.filter(({ TableType }) => TableType === PROPOSAL_FIELDS);
  const { values, errors } = applyCustomFieldInputs(CustomFields, input.CustomFields ?? [], fields, country);
  return { value: values, errors };
}

/** The fields that follow the service, even when it changes, as long as the proposal has no values of its own. */
function applyService(before: ProposalRecord, input: ProposalInput, previous: ServiceRecord, service: ServiceRecord) {
  const isNew = before.V === 0;
  const isOther = service.Id !== before.ServiceId;
  const description = applyText(input.Description, before.Description);
  const followsDescription = isOther && (description === previous.Description || (isNew && !description));
  const hasOwnTaxable = input.Taxable != null && (isNew || input.Taxable !== before.Taxable);
  const followsTaxable = input.Taxable === null || (isOther && before.Taxable === previous.Taxable);
  const taxable = followsTaxable ? service.Taxable : before.Taxable;
  // In an update, 0 and the quantity from the last response are not requests. A new proposal with 0 comes from lenient
  // keys.
  const hasQuantity = input.Quantity !== 0 && (isNew || input.Quantity !== before.Quantity);
  return {
    ServiceId: isOther ? service.Id : before.ServiceId,
    ServiceName: isOther ? service.Name : before.ServiceName,
    Description: followsDescription ? service.Description : description,
    Taxable: hasOwnTaxable ? (input.Taxable ?? false) : taxable,
    RequestedQuantity: hasQuantity
      ? applyValue(input.Quantity, before.RequestedQuantity, null)
      : before.RequestedQuantity,
  };
}

/** Errors of the requested service, and of existing lines whose parts are not sold with it. */
function serviceErrors(
  before: ProposalRecord,
  input: ProposalInput,
  {
    service,
    lines,
    parts,
  }: { service: ServiceRecord; lines: readonly ProposalLineRecord[]; parts: ReadonlyMap<number, PartRecord> },
): FieldError[] {
  if (service.Id === before.ServiceId) return [];
  const current = { Id: before.ServiceId, Name: before.ServiceName };
  const { id, name } = resolveNewReference({ Id: input.ServiceId, Name: input.ServiceName }, current);
  const requestedBy = id === undefined ? 'ServiceName' : 'ServiceId';
  const isRequested = id !== undefined || Boolean(name);
  const existingIds = new Set(before.Lines.map(({ Id }) => Id));
  const unsold = lines.flatMap(({ Id, PartId, AssemblyLineId }) => {
    const part = parts.get(PartId);
    return part && existingIds.has(Id) && AssemblyLineId === null && !isAvailable(service, part) ? part.Name : [];
  });
  return collectErrors(
    [requestedBy, isRequested && !service.Active && notOfferedMessage(service.Name), 'inactive'],
    [
      'ServiceName',
      name !== undefined &&
        !isSameName(name, service.Name) &&
        `must be the name of service ${service.Id}: ${service.Name}`,
      'mismatch',
    ],
    [
      'ServiceId',
      unsold.length > 0 && `is a service with which these parts are not sold: ${unsold.join(', ')}`,
      'mismatch',
    ],
  );
}

type NoteInput = NonNullable<Input<typeof Proposal>['ProposalNotes']>[number];

/** The notes: those with a known Id changed, the others new, with the current time. */
function applyNotes(
  before: readonly ProposalNoteRecord[],
  inputs: readonly NoteInput[],
  { ids, now, isNew }: { ids: readonly number[]; now: number; isNew: boolean },
): Applied<ProposalNoteRecord[]> {
  const notes = new Map(before.map((note) => [note.Id, note]));
  const unusedIds = ids.values();
  const errors = inputs.flatMap(({ Id, Note }, index): FieldError[] => {
    const existing = notes.get(Id ?? 0);
    const path = `ProposalNotes[${index}]`;
    const text = Note === undefined ? existing?.Note : Note?.trim();
    if (Id && !existing && !isNew)
      return [{ field: `${path}.Id`, code: 'not_found', message: `must be a note of the proposal; ${Id} is not` }];
    if (!text) return [{ field: `${path}.Note`, code: 'required', message: 'must not be empty' }];
    const id = existing?.Id ?? unusedIds.next().value ?? 0;
    notes.set(id, { Id: id, Note: text, CreatedAt: existing?.CreatedAt ?? now });
    return [];
  });
  return { value: [...notes.values()], errors };
}
