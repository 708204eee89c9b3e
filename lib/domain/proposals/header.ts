import { callbackFaults } from '../appointments/callbacks.ts';
import { mergeCustomFields } from '../custom-fields.ts';
import type { Fault } from '../faults.ts';
import { parseDate } from '../moments-in.ts';
import { said, saidText } from '../said.ts';
import { pick } from './named.ts';
import type { ProposalRecord } from './record.ts';
import { PROPOSAL_FIELDS, type ProposalInput, type Surroundings } from './surroundings.ts';

type Told<Of> = { readonly told: Of; readonly faults: readonly Fault[] };

/** What a proposal says that prices nothing. */
export function tellTexts(before: ProposalRecord, given: ProposalInput): Partial<ProposalRecord> {
  return {
    Description: saidText(given.Description, before.Description),
    Title: saidText(given.Title, before.Title),
    CustomerNotes: saidText(given.CustomerNotes, before.CustomerNotes),
    DeliveryUri: saidText(given.DeliveryUri, before.DeliveryUri),
    OwnerUserId: said(given.OwnerUserId, before.OwnerUserId, null),
    ServiceAgentId: said(given.ServiceAgentId, before.ServiceAgentId, null),
    DepositRate: said(given.DepositRate, before.DepositRate, null),
    DepositRequired: said(given.DepositRequired, before.DepositRequired, null),
    IncludePaymentPlans: said(given.IncludePaymentPlans, before.IncludePaymentPlans, false),
    PaymentPlanRequired: said(given.PaymentPlanRequired, before.PaymentPlanRequired, null),
    DistributeParts: said(given.DistributeParts, before.DistributeParts, false),
  };
}

/** What of these is wrong; what was there already is let be. */
export function textFaults(
  before: ProposalRecord,
  told: Partial<ProposalRecord>,
  { userIds, agentIds, allowLoopback }: Surroundings,
): Fault[] {
  const { OwnerUserId, ServiceAgentId, DepositRate, DeliveryUri } = told;
  const isNew = <Value>(value: Value | null | undefined, was: Value | null): value is Value =>
    value != null && value !== was;
  const noUser = isNew(OwnerUserId, before.OwnerUserId) && !userIds.has(OwnerUserId);
  const noAgent = isNew(ServiceAgentId, before.ServiceAgentId) && !agentIds.has(ServiceAgentId);
  const noPercentage = DepositRate != null && (DepositRate < 0 || DepositRate > 100);
  const all: readonly (false | Fault)[] = [
    noUser && { field: 'OwnerUserId', message: `names no user: there is no ${OwnerUserId}` },
    noAgent && {
      field: 'ServiceAgentId',
      message: `names no service agent of the organization: there is no ${ServiceAgentId}`,
    },
    noPercentage && { field: 'DepositRate', message: 'must be a percentage from 0 to 100' },
  ];
  return [
    ...all.filter((fault) => fault !== false),
    ...(DeliveryUri === before.DeliveryUri ? [] : callbackFaults({ DeliveryUri }, { allowLoopback })),
  ];
}

/** Its date, as written in the organization's zone; it always has one. */
export function tellDate({ Date: was, Zone }: ProposalRecord, { Date: given }: ProposalInput): Told<string> {
  if (!given) return { told: was, faults: [] };
  const read = parseDate(given, Zone);
  return read.ok
    ? { told: read.date, faults: [] }
    : { told: was, faults: [{ field: 'Date', message: `cannot be read: ${read.reason}` }] };
}

/** Its tax rate, as it is now where another is named; of a new one that names none its contact's. `null` is no tax. */
export function tellTaxRate(
  { NamedTaxRate: was, V }: ProposalRecord,
  { NamedTaxRate: given }: ProposalInput,
  { taxRates, contact }: Surroundings,
): Told<ProposalRecord['NamedTaxRate']> {
  const ofContact = taxRates.find(({ Id }) => Id === contact.NamedTaxRateId);
  const kept = V === 0 && !was && ofContact ? { ...ofContact } : was;
  if (!given) return { told: given === null && V > 0 ? null : kept, faults: [] };
  const picked = pick(given, was, taxRates, 'tax rate');
  if (picked.kind === 'fault')
    return { told: kept, faults: [{ field: `NamedTaxRate.${picked.field}`, message: picked.message }] };
  return { told: picked.kind === 'picked' ? { ...picked.thing } : kept, faults: [] };
}

/** The values of its custom fields. */
export function tellCustomFields(
  { CustomFields }: ProposalRecord,
  given: ProposalInput,
  { definitions }: Surroundings,
): Told<ProposalRecord['CustomFields']> {
  const own = definitions.filter(({ TableType }) => TableType === PROPOSAL_FIELDS);
  const { values, faults } = mergeCustomFields(CustomFields, given.CustomFields ?? [], own);
  return { told: values, faults: faults.map(({ path: field, message }) => ({ field, message })) };
}
