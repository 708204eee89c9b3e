import { createHash, createHmac, randomUUID } from 'node:crypto';
import { mayCall, toCaller } from '../../lib/api/callers/keys.ts';
import { isFromOwnPage } from '../../lib/api/http/client-route.ts';
import type { OfficeAnswer, OfficeCall } from '../../lib/api/http/office-route.ts';
import type { Event } from '../../lib/api/respond.ts';
import type { ApiKeyRecord } from '../../lib/entities/api-keys.ts';
import type { UserRecord } from '../../lib/entities/users.ts';
import type { OfficeFrame } from '../../lib/pages/office/frame.ts';
import { failurePage } from '../../lib/pages/office/failure-page.ts';
import { signedOutPage } from '../../lib/pages/office/sign-in-page.ts';
import { Failure, answeredFailure } from '../../lib/shared/failure.ts';
import { isSame } from '../../lib/store/links.ts';
import { keyStore } from '../../lib/store/requests/api-keys.ts';
import { endSession, findSessionUser } from '../../lib/store/requests/sessions.ts';
import { storeOf } from '../../lib/store/store.ts';
import { callOperation } from '../call-operation.ts';
import { languageCookie, noSessionCookie, readLanguage, readSession } from './cookies.ts';
import {
  type Called,
  type OfficePage,
  type UserCall,
  type UserForm,
  htmlAnswer,
  refusalIn,
  seeOther,
} from './office-page.ts';
import { officeAsset } from './assets.ts';
import { openWording } from './open-wording.ts';
import { showUsers, switchUser } from './switch.ts';
import { begin, finish, showSignIn, signedOutAddress } from './sign-in.ts';

/** Each page is loaded when first opened. */
const pages: Readonly<Record<string, () => Promise<OfficePage>>> = {
  today: async () => (await import('./today.ts')).today,
  week: async () => (await import('./week.ts')).week,
  dayplan: async () => (await import('./dayplan.ts')).dayplan,
  visit: async () => (await import('./visit.ts')).visit,
  move: async () => (await import('./move.ts')).move,
  clients: async () => (await import('./clients.ts')).clients,
  client: async () => (await import('./client.ts')).client,
  file: async () => (await import('./file.ts')).file,
  book: async () => (await import('./book.ts')).book,
  propose: async () => (await import('./propose.ts')).propose,
  message: async () => (await import('./message.ts')).message,
  merge: async () => (await import('./merge.ts')).merge,
  money: async () => (await import('./money.ts')).money,
  payments: async () => (await import('./payments.ts')).payments,
  remind: async () => (await import('./remind.ts')).reminders,
  tasks: async () => (await import('./tasks.ts')).tasks,
  numbers: async () => (await import('./numbers.ts')).numbers,
};

/** The first page of everybody. */
const FIRST = 'today';

const pageOf = ({ pathParameters }: Event): string => pathParameters?.['page'] ?? FIRST;

/** The page of a failed call. */
export const failedOfficePage = (event: Event, failure: Failure): OfficeAnswer => ({
  status: failure.status,
  body: failurePage(openWording(event), failure),
});

const noPage = (event: Event): OfficeAnswer =>
  failedOfficePage(event, new Failure('not_found', 'There is no such page.'));

/** Answers one call of the office. Without a session there is the sign-in, and nothing else. */
export async function serveOffice(call: OfficeCall): Promise<OfficeAnswer> {
  const { event, readSent } = call;
  const name = pageOf(event);
  if (!readSent && name === 'assets') return officeAsset(event) ?? noPage(event);
  if (!readSent && name === 'sign-in') return showSignIn(call);
  if (!readSent && name === 'start') return begin(call);
  if (!readSent && name === 'signed-in') return finish(call);
  const credential = readSession(event);
  const answer = credential === undefined ? ENDED : await serveSession(call, credential);
  if (answer !== ENDED) return withLanguage(event, answer ?? noPage(event));
  if (readSent) return showSignIn(call, 'ended');
  return seeOther('/office/sign-in', credential ? [noSessionCookie()] : undefined);
}

/** In place of an answer: the session has ended, or never was one. */
const ENDED = Symbol('ended');

interface Session {
  readonly credential: string;
  readonly session: ApiKeyRecord;
}

/**
 * What a session opens. A page that only reads is made while the session is checked, and is shown if the check passes. A
 * form waits for the check.
 */
async function serveSession(call: OfficeCall, credential: string): Promise<OfficeAnswer | undefined | typeof ENDED> {
  const session = await call.openSession(credential);
  if (!session) return ENDED;
  const opened = { credential, session };
  const check = findSessionUser(keyStore(call.table, session), session);
  if (call.readSent) {
    const user = await check;
    return user ? sendForm(call, opened, user) : ENDED;
  }
  const page = showPage(call, opened, check);
  // Its failure is no answer to somebody whose session has ended.
  page.catch(() => undefined);
  return (await check) ? page : ENDED;
}

async function showPage(
  call: OfficeCall,
  opened: Session,
  check: Promise<UserRecord | undefined>,
): Promise<OfficeAnswer | undefined> {
  const { event } = call;
  if (pageOf(event) === 'switch') {
    const user = await check;
    return user && showUsers(call, { ...opened, user }, frameOf(event, opened)('/office/switch'));
  }
  const found = await findPage(event);
  return found?.page.show(toUserCall(call, { ...opened, id: found.id }));
}

async function sendForm(call: OfficeCall, opened: Session, user: UserRecord): Promise<OfficeAnswer | undefined> {
  const { event, readSent } = call;
  const sent = readSent?.() ?? new URLSearchParams();
  if (!(isFromOwnPage(event) && isSame(sent.get('token') ?? '', formToken(opened.credential))))
    throw new Failure('origin_forbidden', 'This form was not sent by a page of the office. Open the page again.');
  const name = pageOf(event);
  if (name === 'sign-out') return signOut(call, opened.session);
  if (name === 'switch') return switchUser(call, { ...opened, user }, sent);
  const found = await findPage(event);
  return found?.page.send?.(toForm(toUserCall(call, { ...opened, id: found.id }), sent));
}

/** Proves that a form is of a page of this session. */
const formToken = (credential: string): string =>
  createHmac('sha256', credential).update('form').digest('base64url').slice(0, 22);

/** The page at the address, and the id in it. */
async function findPage(event: Event): Promise<{ page: OfficePage; id: number | undefined } | undefined> {
  const name = pageOf(event);
  const load = Object.hasOwn(pages, name) ? pages[name] : undefined;
  const page = await load?.();
  const id = readPathId(event);
  return page && id !== null ? { page, id } : undefined;
}

/** The id in the path; `undefined` without one, `null` for what is no id. */
function readPathId({ pathParameters }: Event): number | undefined | null {
  const text = pathParameters?.['id'];
  if (text === undefined) return undefined;
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}

/** The page goes on to the user pool by itself: browsers let no form redirect to another site. */
async function signOut({ event, table, now }: OfficeCall, session: ApiKeyRecord): Promise<OfficeAnswer> {
  await endSession(keyStore(table, session), session, now);
  const address = await signedOutAddress();
  const page = htmlAnswer(signedOutPage(openWording(event), address));
  return { ...page, headers: { Refresh: `0; url=${address}` }, cookies: [noSessionCookie()] };
}

function toUserCall(
  { event, lambda, table, now, requestId }: OfficeCall,
  { credential, session, id }: Session & { readonly id: number | undefined },
): UserCall {
  const wording = openWording(event);
  const answerOf = async ({ mode, ...called }: Called) => {
    const { status, body } = await callOperation(
      { event, lambda, credential, requestId },
      { ...called, mode: { ...mode, isSession: true, configurationRevisions: table.configurationRevisions } },
    );
    if (status !== 200) throw answeredFailure(body['Code'], body['Message']);
    return body;
  };
  return {
    event,
    now,
    session,
    store: storeOf(table, toCaller(session, now)),
    id,
    query: new URLSearchParams(event.rawQueryString),
    wording,
    call: (called) => answerOf(called) as Promise<never>,
    mayCall: (operation) => mayCall(session, targetOf(operation)),
    frame: frameOf(event, { credential, session }),
  };
}

/** The address of a page, with its query but the language, and what a form did. */
function addressOf({ rawQueryString }: Event, path: string): string {
  const query = new URLSearchParams(rawQueryString);
  for (const name of ['lang', 'done']) query.delete(name);
  return query.size ? `${path}?${query}` : path;
}

/** The frame of a page at a path. */
const frameOf =
  (event: Event, { credential, session }: Session) =>
  (path: string): OfficeFrame => ({
    wording: openWording(event),
    path,
    address: addressOf(event, path),
    token: formToken(credential),
    submission: randomUUID(),
    userName: session.Name,
    hasNumbers: mayCall(session, targetOf('organizations/figures')),
  });

/** Reading operations that the office asks about. */
const READS: ReadonlySet<string> = new Set([
  'appointments/query',
  'contacts/duplicates',
  'contacts/listtags',
  'contacts/locate',
  'contacts/messages',
  'invoice/query',
  'organizations/figures',
  'payment/query',
  'proposal/query',
  'task/query',
  'webhooks/calls',
]);

/** An operation as the rules of roles know it. */
function targetOf(name: string): Parameters<typeof mayCall>[1] {
  const [group = '', operation = ''] = name.split('/');
  return { group, operation, access: READS.has(name) ? 'read' : 'write' };
}

function toForm(call: UserCall, sent: URLSearchParams): UserForm {
  const change = async (called: Called) => {
    try {
      await call.call(called);
      return undefined;
    } catch (error) {
      return refusalIn(error);
    }
  };
  // Everything that was sent: another choice on the same page is another change.
  const once = sent.has('submission')
    ? { idempotencyKey: createHash('sha256').update(sent.toString()).digest('base64url') }
    : {};
  const changeOnce = (called: Called) => change({ ...called, ...once });
  return { ...call, action: sent.get('action') ?? '', sent, change, changeOnce, once };
}

/** Keeps the language that the reader has just chosen. */
function withLanguage(event: Event, answer: OfficeAnswer): OfficeAnswer {
  const { language } = openWording(event);
  const chosen = event.queryStringParameters?.['lang'] === language && readLanguage(event) !== language;
  return chosen ? { ...answer, cookies: [...(answer.cookies ?? []), languageCookie(language)] } : answer;
}
