import type { Event } from '../../lib/api/respond.ts';
import { SESSION_SECONDS } from '../../lib/store/requests/sessions.ts';

/** The cookies of the office. */

const isSecure = (): boolean => (process.env['BASE_URL'] ?? '').startsWith('https:');

/** With this prefix browsers take a cookie only from this host, over https. The local stack has no https. */
const nameOf = (name: string): string => (isSecure() ? `__Host-${name}` : name);

const setCookie = (name: string, value: string, seconds: number): string =>
  `${nameOf(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`;

function readCookie({ cookies = [] }: Pick<Event, 'cookies'>, name: string): string | undefined {
  const start = `${nameOf(name)}=`;
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) || undefined;
}

const SESSION = 'office';
const ATTEMPT = 'office-sign-in';
const LANGUAGE = 'office-language';
const UNDO = 'office-undo';

const ATTEMPT_SECONDS = 600;
const HOUR_SECONDS = 60 * 60;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

export const readSession = (event: Event): string | undefined => readCookie(event, SESSION);
export const sessionCookie = (credential: string): string => setCookie(SESSION, credential, SESSION_SECONDS);
export const noSessionCookie = (): string => setCookie(SESSION, '', 0);

/** What finishes a running sign-in, as base64url of JSON; `undefined` if it cannot be read. */
export function readAttempt(event: Event): unknown {
  try {
    return JSON.parse(Buffer.from(readCookie(event, ATTEMPT) ?? '', 'base64url').toString());
  } catch {
    return undefined;
  }
}
export const attemptCookie = (attempt: object): string =>
  setCookie(ATTEMPT, Buffer.from(JSON.stringify(attempt)).toString('base64url'), ATTEMPT_SECONDS);
export const noAttemptCookie = (): string => setCookie(ATTEMPT, '', 0);

export const readLanguage = (event: Event): string | undefined => readCookie(event, LANGUAGE);
export const languageCookie = (language: string): string => setCookie(LANGUAGE, language, YEAR_SECONDS);

/** The way back from the last plan of a day, which has only characters that a cookie may have. */
export const readUndo = (event: Event): string | undefined => readCookie(event, UNDO);
export const undoCookie = (revision: string): string => setCookie(UNDO, revision, HOUR_SECONDS);
export const noUndoCookie = (): string => setCookie(UNDO, '', 0);
