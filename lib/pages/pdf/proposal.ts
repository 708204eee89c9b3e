import type { Wording } from '../language.ts';
import {
  type ProposalView,
  acceptedText,
  includedTitle,
  lineAmount,
  lineName,
  ownLines,
  proposalAmounts,
  proposalTitle,
} from '../proposal-page.ts';
import { ClientDocument, type ClientPdf } from './document.ts';

/** A proposal as a PDF: what may be signed, or what was signed. */
export async function proposalPdf(wording: Wording, view: ProposalView, logo?: Buffer): Promise<ClientPdf> {
  const { company, contactName, content, state, zone } = view;
  const [title, date] = [proposalTitle(wording, content), new Date(content.Date)];
  const document = await ClientDocument.open(wording, { title, date, company, logo });
  if (contactName) document.text(wording.text('proposalFor', { name: contactName }));
  document.text(wording.text('proposalDate', { date: wording.calendarDate(content.Date) }));
  if (content.Description) document.space().text(content.Description);
  const columns = [
    { title: wording.text('description'), width: 0 },
    { title: wording.text('quantity'), width: 80 },
    { title: wording.text('amount'), width: 110 },
  ];
  const rowsOf = (optionId: number | null) =>
    ownLines(content, optionId).map((line) => [
      lineName(line),
      wording.quantity(line.Quantity),
      lineAmount(wording, line.ExtendedTotal),
    ]);
  const service = content.BasePrice + content.UnitPrice * content.Quantity;
  const included = [
    ...(content.ServiceName
      ? [[content.ServiceName, wording.quantity(content.Quantity), lineAmount(wording, service)]]
      : []),
    ...rowsOf(null),
  ];
  if (included.length) document.heading(wording.text(includedTitle(content))).table(columns, included);
  for (const { Id, Name, Selected } of content.Options)
    document.heading(Selected ? `${Name} (${wording.text('chosen')})` : Name).table(columns, rowsOf(Id));
  document.heading(wording.text('price')).amounts(proposalAmounts(wording, view));
  if (content.CustomerNotes) document.heading(wording.text('notes')).text(content.CustomerNotes);
  if (state.kind === 'accepted')
    document.section(wording.text('acceptedTitle'), [
      acceptedText(wording, state, zone),
      `${wording.text('evidence')}: ${state.evidence}`,
    ]);
  return document.end();
}
