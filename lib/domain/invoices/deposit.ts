import { depositDue } from '../proposals/record.ts';
import type { ProposalRecord } from '../proposals/record.ts';
import { type InvoiceRecord, InvoiceType, blankInvoice, blankLine } from './record.ts';
import { withTotals } from './totals.ts';

/** What the deposit invoice of a proposal needs besides the proposal; `at` in milliseconds since 1970. */
export interface DepositInvoiceInput extends Pick<InvoiceRecord, 'Id' | 'Number' | 'HashKey'> {
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
