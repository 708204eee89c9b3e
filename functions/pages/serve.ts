import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import {
  type ClientCall,
  type FailedCall,
  type PageAnswer,
  commitForm,
  isFromOwnPage,
} from '../../lib/api/http/client-route.ts';
import { isOneClick } from '../../lib/api/http/read-form.ts';
import type { ClientPage } from '../../lib/domain/client-pages.ts';
import { type Failed, failurePage } from '../../lib/pages/failed.ts';
import { type ContactLinks, type DeadLinkForm, type Frame, NO_CONTACT_LINKS, deadPage } from '../../lib/pages/frame.ts';
import { type Wording, chooseLanguage, wordingOf } from '../../lib/pages/language.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { clientContext, findMergedTarget } from '../../lib/workflows/pages/client.ts';
import { findSchemaError } from '../../lib/store/accounts/accounts.ts';
import { type OpenedLink, isSame, openLink } from '../../lib/store/links.ts';
import { accountStore } from '../../lib/store/store.ts';
import { assetAnswer, assetPaths, logoAnswer } from './assets.ts';
import { countCall } from './limits.ts';
import { type FormCall, type Page, type PageCall, seeOther, wrongFields } from './page.ts';
import { readText } from './parameters.ts';

/** Each page is loaded when first opened, because proposals and visits bring pricing and booking with them. */
const pages: Readonly<Record<ClientPage, () => Promise<Page>>> = {
  proposal: async () => (await import('./proposal.ts')).proposal,
  invoice: async () => (await import('./invoice.ts')).invoice,
  visit: async () => (await import('./visit.ts')).visit,
  booked: async () => (await import('./visit.ts')).visit,
  feedback: async () => (await import('./feedback.ts')).feedback,
  preferences: async () => (await import('./preferences.ts')).preferences,
  card: async () => (await import('./card.ts')).card,
  overview: async () => (await import('./overview.ts')).overview,
  booking: async () => (await import('./booking.ts')).booking,
  rebook: async () => (await import('./booking.ts')).booking,
  calendar: async () => (await import('./calendar.ts')).calendar,
};

const languageOf = ({ queryStringParameters, headers }: APIGatewayProxyEventV2) =>
  chooseLanguage(queryStringParameters?.['lang'], headers['accept-language']);

const frameOf = (
  event: APIGatewayProxyEventV2,
  wording: Wording,
  own: Pick<Frame, 'token' | keyof ContactLinks>,
): Frame => {
  const { page = 'stripe', handle = '' } = event.pathParameters ?? {};
  return { wording, path: `/c/${page}/${handle}`, assets: assetPaths(), ...own };
};

/** The page of a failed call, which does not reveal whose page it would have been. */
export function failedPage(event: APIGatewayProxyEventV2, { status, sent }: FailedCall): PageAnswer {
  const frame = frameOf(event, wordingOf(languageOf(event), 'US'), { token: '', ...NO_CONTACT_LINKS });
  const why = whyFailed(status);
  const isForm = event.requestContext?.http.method === 'POST';
  return { status, body: why ? failurePage(frame, why, { isForm, sent }) : deadPage(frame) };
}

/** Why a call failed that may succeed later; `undefined` if its link opens nothing. */
function whyFailed(status: number): Failed | undefined {
  if (status >= 500) return 'busy';
  return ({ 413: 'tooLarge', 429: 'tooMany' } as const)[status];
}

const dead = (event: APIGatewayProxyEventV2): PageAnswer => failedPage(event, { status: 404 });

/** Answers one call of a page. GET changes nothing, because programs that scan e-mails open every link. */
export async function servePage(call: ClientCall): Promise<PageAnswer> {
  const { event, table, now, readSent } = call;
  // The route of the webhook has no `page` parameter.
  const { page = 'stripe', handle, file } = event.pathParameters ?? {};
  if (page === 'assets') return assetAnswer(handle) ?? dead(event);
  if (page === 'logo') return (await logoAnswer(table, handle)) ?? dead(event);
  if (page === 'stripe' && readSent) return (await (await import('./webhook.ts')).receiveWebhook(call)) ?? dead(event);
  const link = await openLink(table, { page, handle }, now);
  if (!link) return dead(event);
  const { account, page: name } = link.target;
  Object.assign(call.log, { account, operation: `pages/${name}` });
  if (await findSchemaError(accountStore(table, account))) return failedPage(event, { status: 503 });
  const serve = (of: OpenedLink) => (readSent ? receive(call, of, readSent) : open(call, of, file));
  const answer = (await serve(link)) ?? (await serveMerged(call, link, serve));
  return answer ?? (file === undefined ? showDead(call, link) : dead(event));
}

/** Serves the link of a contact that was merged with the page of the remaining contact. */
async function serveMerged<Answer>(
  { table }: ClientCall,
  link: OpenedLink,
  serve: (link: OpenedLink) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const target = await findMergedTarget(accountStore(table, link.target.account), link.target);
  return target && serve({ ...link, target });
}

/** The page of a link; `undefined` if it no longer opens anything. */
async function open(call: ClientCall, link: OpenedLink, file: string | undefined): Promise<PageAnswer | undefined> {
  if (link.isOver) return undefined;
  const pageCall = toPageCall(call, link, file);
  const page = await pages[link.target.page]();
  return (await refuse(pageCall)) ?? page.show(pageCall);
}

/**
 * Counts a call and returns the page that says there were too many, with what was typed; `undefined` if it may go on.
 */
async function refuse(call: PageCall | FormCall): Promise<PageAnswer | undefined> {
  const seconds = await countCall(call);
  if (!seconds) return undefined;
  const answer = failedPage(call.event, { status: 429, sent: 'sent' in call ? call.sent : undefined });
  return { ...answer, headers: { 'Retry-After': String(seconds) } };
}

/**
 * The page for one of our links that has ended or was revoked: it does not show whose it was, but accepts a question.
 */
function showDead(call: ClientCall, link: OpenedLink, { status = 404, ...form }: DeadForm = {}): PageAnswer {
  const { event } = call;
  const frame = frameOf(event, wordingOf(languageOf(event), 'US'), { token: link.formToken, ...NO_CONTACT_LINKS });
  const isAsked = event.queryStringParameters?.['done'] === 'asked';
  const notice = isAsked ? ({ kind: 'good', title: frame.wording.text('requestSent') } as const) : undefined;
  return { status, body: deadPage(frame, { mayAsk: !isAsked, notice, ...form }) };
}

interface DeadForm extends Omit<DeadLinkForm, 'mayAsk'> {
  readonly status?: number;
}

/** Passes the question of a client with a dead link to the office. */
async function ask(call: ClientCall, link: OpenedLink, form: FormCall): Promise<PageAnswer> {
  const { wording } = form.frame();
  const values = { from: readText(form.sent, 'from', 200), message: readText(form.sent, 'message', 1000) };
  const missing = (['from', 'message'] as const).filter((name) => !values[name]);
  const again = (status: number, more: DeadForm) => showDead(call, link, { status, values, ...more });
  const errors = Object.fromEntries(missing.map((name) => [name, wording.text('required')]));
  if (missing.length) return again(400, { errors, notice: wrongFields(wording, errors) });
  const refused = await refuse(form);
  if (refused) return refused;
  const { askCompany } = await import('../../lib/workflows/pages/ask-company.ts');
  const failure = await form.commit(() => askCompany(form.context, values));
  const failed = { kind: 'bad', title: wording.text('tryAgain') } as const;
  return failure ? again(409, { notice: failed }) : seeOther(form, 'asked');
}

function toPageCall(call: ClientCall, { target, formToken }: OpenedLink, file: string | undefined): PageCall {
  const { event, now, requestId, sourceIp } = call;
  const language = languageOf(event);
  return {
    context: clientContext(call.table, { target, now, requestId, sourceIp }),
    event,
    file,
    frame: ({ country, preferencesLink, overviewLink } = { country: 'US', ...NO_CONTACT_LINKS }) =>
      frameOf(event, wordingOf(language, country), { token: formToken, preferencesLink, overviewLink }),
  };
}

async function receive(
  call: ClientCall,
  link: OpenedLink,
  readSent: () => URLSearchParams,
): Promise<PageAnswer | undefined> {
  const oneClick = link.target.page === 'preferences' && isOneClick(call.event);
  const sent = oneClick ? new URLSearchParams() : readSent();
  if (!oneClick && !(isFromOwnPage(call.event) && isSame(sent.get('token') ?? '', link.formToken)))
    return failedPage(call.event, { status: 403 });
  const pageCall = toPageCall(call, link, undefined);
  const form: FormCall = {
    ...pageCall,
    action: oneClick ? 'unsubscribe' : (sent.get('action') ?? ''),
    sent,
    async commit(decide) {
      try {
        await commitForm(pageCall.context.store.table, decide);
        return undefined;
      } catch (error) {
        if (error instanceof Failure && (error.status === 400 || error.status === 409)) return error;
        throw error;
      }
    },
  };
  if (form.action === 'ask') return (await open(call, link, undefined)) ?? ask(call, link, form);
  if (link.isOver) return undefined;
  const page = await pages[link.target.page]();
  return (await page.showDone?.(form)) ?? (await refuse(form)) ?? page.send(form);
}
