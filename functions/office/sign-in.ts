import * as z from 'zod';
import type { OfficeAnswer, OfficeCall } from '../../lib/api/http/office-route.ts';
import { signInPage } from '../../lib/pages/office/sign-in-page.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { startSession } from '../../lib/store/requests/sessions.ts';
import { accountStore } from '../../lib/store/store.ts';
import { findOfficeUsers } from '../../lib/workflows/users/sign-in-user.ts';
import { attemptCookie, noAttemptCookie, readAttempt, sessionCookie } from './cookies.ts';
import { htmlAnswer, seeOther } from './office-page.ts';
import { openWording } from './open-wording.ts';

/** The client of OpenID Connect is loaded only to sign in. */
const loadSignIn = () => import('../../lib/sign-in/hosted-sign-in.ts');

const baseUrl = (): string => process.env['BASE_URL'] ?? 'https://unknown.invalid';
const returnAddress = (): string => `${baseUrl()}/office/signed-in`;

/** The page without a session. */
export const showSignIn = ({ event }: OfficeCall, problem?: 'ended' | 'failed' | 'unknown'): OfficeAnswer =>
  htmlAnswer(signInPage(openWording(event), problem), problem === undefined ? 200 : 403);

/** Sends the browser to the sign-in of the user pool. */
export async function begin({ event }: OfficeCall): Promise<OfficeAnswer> {
  const { beginSignIn } = await loadSignIn();
  const { address, attempt } = await beginSignIn(returnAddress(), event.queryStringParameters?.['login_hint']);
  return seeOther(address, [attemptCookie(attempt)]);
}

const attemptForm = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });

/** Starts a session of the person whom the user pool sent back, under a new key. */
export async function finish(call: OfficeCall): Promise<OfficeAnswer> {
  const { event, table, now } = call;
  const attempt = attemptForm.safeParse(readAttempt(event));
  if (!attempt.success) return showSignIn(call, 'failed');
  const { finishSignIn } = await loadSignIn();
  const person = await finishSignIn(new URL(`${returnAddress()}?${event.rawQueryString}`), attempt.data).catch(
    (error: unknown) => {
      if (error instanceof TypeError)
        throw new Failure('unavailable', 'The user pool does not answer.', { cause: error });
      return undefined;
    },
  );
  if (!person) return { ...showSignIn(call, 'failed'), cookies: [noAttemptCookie()] };
  const store = accountStore(table, process.env['OFFICE_ACCOUNT'] ?? '');
  const [user] = await findOfficeUsers(store, person);
  if (!user) return { ...showSignIn(call, 'unknown'), cookies: [noAttemptCookie()] };
  const credential = await startSession(store, user, now);
  return seeOther('/office', [sessionCookie(credential), noAttemptCookie()]);
}

/** Where the browser goes after the session has ended here: the pool ends its own session, too. */
export async function signedOutAddress(): Promise<string> {
  const { signOutAddress } = await loadSignIn();
  return signOutAddress(`${baseUrl()}/office/sign-in`);
}
