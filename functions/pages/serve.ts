import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type ClientCall, type PageAnswer, isFromOwnPage } from '../../lib/api/http/client-route.ts';
import { commitForm } from '../../lib/api/http/commit-form.ts';
import type { ClientPage } from '../../lib/domain/links.ts';
import { type Frame, deadPage } from '../../lib/pages/frame.ts';
import { type Wording, chooseLanguage, wordingOf } from '../../lib/pages/language.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { clientContext } from '../../lib/workflows/pages/client.ts';
import { type OpenedLink, isSame, openLink } from '../../lib/store/links.ts';
import { assetAnswer, assetPaths } from './assets.ts';
import type { FormCall, Page, PageCall } from './page.ts';

/** Each page is loaded when it is first opened: those of proposals and visits carry prices and bookings. */
const pages: Readonly<Record<ClientPage, () => Promise<Page>>> = {
  proposal: async () => (await import('./proposal.ts')).proposal,
  invoice: async () => (await import('./invoice.ts')).invoice,
  visit: async () => (await import('./visit.ts')).visit,
  feedback: async () => (await import('./feedback.ts')).feedback,
  preferences: async () => (await import('./preferences.ts')).preferences,
};

const languageOf = ({ queryStringParameters, headers }: APIGatewayProxyEventV2) =>
  chooseLanguage(queryStringParameters?.['lang'], headers['accept-language']);

const frameOf = (
  event: APIGatewayProxyEventV2,
  wording: Wording,
  own: Pick<Frame, 'token' | 'preferencesLink'>,
): Frame => {
  const { page = '', handle = '' } = event.pathParameters ?? {};
  return { wording, path: `/c/${page}/${handle}`, assets: assetPaths(), ...own };
};

/** The page of a call that fails: whose it would have been stays unknown. */
export const failedPage = (event: APIGatewayProxyEventV2, status: number): PageAnswer => ({
  status,
  body: deadPage(frameOf(event, wordingOf(languageOf(event), 'US'), { token: '', preferencesLink: '' })),
});

const dead = (event: APIGatewayProxyEventV2): PageAnswer => failedPage(event, 404);

/** Answers one call of a page. GET changes nothing: programs that scan e-mails open every link. */
export async function servePage(call: ClientCall): Promise<PageAnswer> {
  const { event, table, now, sent } = call;
  const { page, handle, file } = event.pathParameters ?? {};
  if (page === 'assets') return assetAnswer(handle) ?? dead(event);
  const link = await openLink(table, { page, handle }, now);
  if (!link) return dead(event);
  const answer = sent
    ? await receive(call, link, sent)
    : await (await pages[link.target.page]()).show(toPageCall(call, link, file));
  return answer ?? dead(event);
}

function toPageCall(call: ClientCall, { target, formToken }: OpenedLink, file: string | undefined): PageCall {
  const { event, now, requestId, sourceIp } = call;
  const language = languageOf(event);
  return {
    context: clientContext(call.table, { target, now, requestId, sourceIp }),
    event,
    file,
    frame: ({ country, preferencesLink } = { country: 'US', preferencesLink: '' }) =>
      frameOf(event, wordingOf(language, country), { token: formToken, preferencesLink }),
  };
}

/** Mail programs end a subscription by a POST without a page (RFC 8058). */
const isOneClick = ({ target }: OpenedLink, sent: URLSearchParams): boolean =>
  target.page === 'preferences' && sent.get('List-Unsubscribe') === 'One-Click';

async function receive(call: ClientCall, link: OpenedLink, sent: URLSearchParams): Promise<PageAnswer | undefined> {
  const oneClick = isOneClick(link, sent);
  if (!oneClick && !(isFromOwnPage(call.event) && isSame(sent.get('token') ?? '', link.formToken)))
    return failedPage(call.event, 403);
  const pageCall = toPageCall(call, link, undefined);
  const form: FormCall = {
    ...pageCall,
    action: oneClick ? 'unsubscribe' : (sent.get('action') ?? ''),
    sent,
    async commit(decide) {
      try {
        await commitForm(pageCall.context.table, decide);
        return undefined;
      } catch (error) {
        if (error instanceof Failure && (error.status === 400 || error.status === 409)) return error;
        throw error;
      }
    },
  };
  return (await pages[link.target.page]()).send(form);
}
