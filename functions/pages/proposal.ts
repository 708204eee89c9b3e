import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import type { Notice } from '../../lib/pages/frame.ts';
import type { Wording } from '../../lib/pages/language.ts';
import { type RefusedForm, agreementText, proposalPage } from '../../lib/pages/proposal-page.ts';
import {
  declineProposal,
  findProposalPicture,
  loadProposalPage,
  signProposal,
} from '../../lib/workflows/pages/proposal.ts';
import { logoPicture } from './assets.ts';
import { type FormCall, type Page, type PageCall, htmlAnswer, nothingChanged, seeOther } from './page.ts';
import { readId, readText } from './parameters.ts';
import { pdfAnswer } from './pdf.ts';
import { refuseDigits } from './phone-check.ts';

/** The options named in a query or a form. */
const idsIn = (parameters: URLSearchParams): number[] =>
  parameters
    .getAll('option')
    .slice(0, 50)
    .flatMap((id) => readId(id) ?? []);

/** The options that the page was asked to show; `undefined` if it was not asked. */
function chosenIn({ event }: PageCall): number[] | undefined {
  const query = new URLSearchParams(event.rawQueryString);
  return query.has('choose') ? idsIn(query) : undefined;
}

/** The page of a proposal: shows it with any choice of options, and lets the client sign or decline it. */
export const proposal: Page = {
  async show(call) {
    const picture = readId(/^picture-(.*)$/.exec(call.file ?? '')?.[1] ?? null);
    if (picture) return showPicture(call, picture);
    const loaded = await loadProposalPage(call.context, chosenIn(call));
    if (!loaded) return undefined;
    if (call.file === 'pdf')
      return pdfAnswer(call, loaded, async () => {
        const { proposalPdf } = await import('../../lib/pages/pdf/proposal.ts');
        const logo = await logoPicture(call.context.store, loaded.company);
        return proposalPdf(call.frame(loaded).wording, loaded.view, logo);
      });
    return call.file === undefined ? htmlAnswer(proposalPage(call.frame(loaded), loaded.view)) : undefined;
  },

  async send(call) {
    if (call.action === 'accept') return sign(call);
    if (call.action !== 'decline') return undefined;
    const failure = await call.commit(() => declineProposal(call.context, readText(call.sent, 'reason', 1000)));
    return failure ? showMissed(call) : seeOther(call, 'declined');
  },
};

/**
 * A picture of the proposal. The browser caches it for an hour, because another choice of options requests it again.
 */
async function showPicture({ context }: PageCall, id: number): Promise<PageAnswer | undefined> {
  const found = await findProposalPicture(context, id);
  if (!found) return undefined;
  const { loadFile } = await import('../../lib/workflows/uploads/load-file.ts');
  const file = await loadFile(context.target.account, found, 'inline');
  if (file.kind === 'address') return { status: 303, body: '', headers: { Location: file.address } };
  return {
    status: 200,
    body: Buffer.from(file.content),
    type: file.contentType,
    headers: { 'Cache-Control': 'private, max-age=3600', 'Content-Disposition': file.disposition },
  };
}

async function sign(call: FormCall): Promise<PageAnswer | undefined> {
  const { context, sent } = call;
  const options = idsIn(sent);
  const loaded = await loadProposalPage(context, options);
  if (!loaded) return undefined;
  const { wording } = call.frame(loaded);
  const [name, drawing] = [readText(sent, 'name', 200), sent.get('drawing') ?? ''];
  if (!name)
    return showAgain(call, {
      status: 400,
      refused: { values: {}, errors: { name: wording.text('required') } },
      notice: { kind: 'bad', title: wording.text('checkForm') },
    });
  if (loaded.view.state.kind !== 'open') return showMissed(call);
  if (sent.get('shown') !== loaded.view.shown) return showChanged(call, wording);
  const refused = await refuseDigits(call, wording, loaded);
  if (refused) return showAgain(call, { ...refused, refused: { values: { name }, errors: refused.errors } });
  const form = { name, drawing, options, shown: loaded.view.shown, agreement: agreementText(wording, loaded.view) };
  const failure = await call.commit(() => signProposal(context, form));
  if (!failure) return seeOther(call, 'accepted');
  if (failure.fields['changed']) return showChanged(call, wording);
  if (failure.status === 400)
    return showAgain(call, {
      status: 400,
      refused: { values: { name }, errors: { signature: wording.text('tryAgain') } },
      notice: { kind: 'bad', title: wording.text('checkForm') },
    });
  return showMissed(call);
}

const showChanged = (call: FormCall, wording: Wording): Promise<PageAnswer | undefined> =>
  showAgain(call, {
    status: 409,
    notice: { kind: 'bad', title: wording.text('changedTitle'), text: wording.text('changedText') },
  });

/** The current page with the choices of the form. */
async function showAgain(
  call: FormCall,
  {
    status,
    headers = {},
    ...shown
  }: { status: number; headers?: PageAnswer['headers']; refused?: RefusedForm; notice: Notice | undefined },
): Promise<PageAnswer | undefined> {
  const loaded = await loadProposalPage(call.context, idsIn(call.sent));
  return loaded && { ...htmlAnswer(proposalPage(call.frame(loaded), loaded.view, shown), status), headers };
}

/** Answers a form that came too late: it does nothing, unless the same person has already accepted exactly the same. */
async function showMissed(call: FormCall): Promise<PageAnswer | undefined> {
  const loaded = await loadProposalPage(call.context);
  if (!loaded) return undefined;
  const { state, shown } = loaded.view;
  const isSame = state.kind === 'accepted' && state.by === readText(call.sent, 'name', 200);
  if (isSame && call.sent.get('shown') === shown) return seeOther(call, 'accepted');
  const frame = call.frame(loaded);
  return htmlAnswer(proposalPage(frame, loaded.view, { notice: nothingChanged(frame.wording) }), 409);
}
