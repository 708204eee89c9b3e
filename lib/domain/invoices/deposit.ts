import type { InvoiceRecord } from '../../entities/invoices.ts';
import type { ProposalRecord } from '../../entities/proposals.ts';
import { formatMoney } from '../../shared/money.ts';
import { depositDue } from '../proposals/record.ts';
import { InvoiceStatus, InvoiceType, blankInvoice, blankLine, withTotals } from './record.ts';

/** What the deposit invoice of a proposal needs besides the proposal; `at` in milliseconds since 1970. */
export interface DepositInvoiceInput extends Pick<InvoiceRecord, 'Id' | 'Number'> {
  readonly lineId: number;
  readonly at: number;
}

/**
 * The open invoice of a proposal's deposit; `undefined` where no deposit is due. Its one line is not taxed: the deposit
 * is a share of a total that already contains the tax.
 */
export function depositInvoice(
  proposal: ProposalRecord,
  { lineId, at, ...input }: DepositInvoiceInput,
): InvoiceRecord | undefined {
  const due = depositDue(proposal);
  if (due === 0) return undefined;
  const { Id: ProposalId, OrganizationId, ContactId, Zone, ServiceId, ServiceName, Title, DepositRate } = proposal;
  const Description = `Deposit of ${DepositRate} % for ${Title || ServiceName || `proposal ${ProposalId}`}`;
  const line = blankLine({ Id: lineId, ServiceId: ServiceId || null, Description, Rate: due });
  const invoice = { ...input, OrganizationId, ContactId, Zone, ProposalId, InvoiceType: InvoiceType.Deposit };
  return withTotals(blankInvoice({ ...invoice, Created: at, Lines: [line] }));
}

/**
 * Why the deposit invoice of a proposal cannot change from `before` to `after`; `undefined` if it can. It stays a
 * deposit of its proposal. While invoices credit it, it is not voided and keeps its Total: of 100.00 sold with 50.00 of
 * deposit credited, voiding the deposit would leave 50.00 billed.
 */
export function depositChangeError(
  before: InvoiceRecord,
  after: InvoiceRecord,
  { Id, DepositCredits = [] }: Pick<ProposalRecord, 'Id' | 'DepositCredits'>,
): string | undefined {
  const subject = `Invoice ${before.Id} is the deposit of proposal ${Id}`;
  if (after.InvoiceType !== before.InvoiceType || after.ProposalId !== before.ProposalId)
    return `${subject}; its InvoiceType and ProposalId cannot change.`;
  const isKept = after.Status !== InvoiceStatus.Voided && after.Total === before.Total;
  if (isKept || !DepositCredits.length) return undefined;
  const credits = DepositCredits.map(({ InvoiceId, Amount }) => `${formatMoney(Amount)} in invoice ${InvoiceId}`);
  const invoices = DepositCredits.map(({ InvoiceId }) => `invoice ${InvoiceId}`);
  return `${subject} and credited: ${credits.join(', ')}. Void ${invoices.join(', ')} first.`;
}
