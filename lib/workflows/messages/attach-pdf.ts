import type { ClientPage } from '../../domain/client-pages.ts';
import type { MessageRecordOf } from '../../domain/messages/decide.ts';
import type { MessageKind } from '../../entities/message-kinds.ts';
import type { Attachment } from '../../messages/view.ts';
import type { ClientPdf } from '../../pages/pdf/document.ts';
import type { Wording } from '../../pages/language.ts';
import { findLogo } from '../../store/organizations/logos.ts';
import type { StoreWriter } from '../../store/store.ts';
import type { ClientContext } from '../pages/client.ts';
import { loadInvoicePage } from '../pages/invoice.ts';
import { loadProposalPage } from '../pages/proposal.ts';

/** The client's own page of a record, as its newest link opens it. */
const pageContext = (store: StoreWriter, page: ClientPage, of: { Id: number; LinksRevoked?: number }, now: Date) => ({
  store,
  target: { page, account: store.account, id: of.Id, generation: of.LinksRevoked ?? 0, lastDay: 0 },
  now,
  requestId: '',
  sourceIp: '',
});

/** The PDF of an invoice, or of a signed proposal, with its e-mail; nothing for other messages. */
export async function attachPdf(
  store: StoreWriter,
  about: MessageRecordOf,
  { kind, wording, now }: { readonly kind: MessageKind; readonly wording: Wording; readonly now: Date },
): Promise<Attachment[]> {
  const { OrganizationId } = about.record;
  if (about.noun === 'Invoice')
    return invoiceFile(pageContext(store, 'invoice', about.record, now), OrganizationId, wording);
  if (about.noun === 'Proposal' && kind === 'ProposalSigned')
    return proposalFile(pageContext(store, 'proposal', about.record, now), OrganizationId, wording);
  return [];
}

async function invoiceFile(context: ClientContext, organization: number, wording: Wording): Promise<Attachment[]> {
  const loaded = await loadInvoicePage(context);
  if (!loaded) return [];
  const { invoicePdf } = await import('../../pages/pdf/invoice.ts');
  const pdf = await invoicePdf(wording, loaded.view, await logoOf(context, organization, loaded.company.logo));
  return [toAttachment(wording.text('invoiceNumber', { number: loaded.view.invoice.Number }), pdf)];
}

async function proposalFile(context: ClientContext, organization: number, wording: Wording): Promise<Attachment[]> {
  const loaded = await loadProposalPage(context);
  if (!loaded) return [];
  const { proposalPdf } = await import('../../pages/pdf/proposal.ts');
  const pdf = await proposalPdf(wording, loaded.view, await logoOf(context, organization, loaded.company.logo));
  return [toAttachment(`${wording.text('proposal')} ${context.target.id}`, pdf)];
}

const logoOf = async ({ store }: ClientContext, organization: number, path: string): Promise<Buffer | undefined> => {
  const name = path.split('-').at(-1);
  return path && name ? (await findLogo(store, organization, name))?.bytes : undefined;
};

/** Names of files keep letters, digits and spaces. */
const toAttachment = (title: string, { content }: ClientPdf): Attachment => ({
  filename: `${title.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()}.pdf`,
  contentType: 'application/pdf',
  content,
});
