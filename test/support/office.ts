import { setTimeout as pause } from 'node:timers/promises';
import type { UserRecord } from '../../lib/entities/users.ts';
import type { Role } from '../../lib/shared/roles.ts';
import { SECOND } from '../../lib/shared/time/time.ts';
import { findUsersByEmail } from '../../lib/store/organizations/users.ts';
import { startSession } from '../../lib/store/requests/sessions.ts';
import { accountStore } from '../../lib/store/store.ts';
import { type OpenedPage, hiddenFields } from './pages.ts';
import { type TestAccount, testStack, testTable } from './stack/stack.ts';

/** A browser without script: it keeps cookies by host, and follows no redirect by itself. */
export class OfficeBrowser {
  readonly cookies = new Map<string, Map<string, string>>();
  readonly baseUrl = testStack().BaseUrl;

  /** The cookies of the office by name. */
  get own(): Map<string, string> {
    return this.#cookiesOf(this.baseUrl);
  }

  #cookiesOf(address: string): Map<string, string> {
    const { host } = new URL(address);
    const known = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, known);
    return known;
  }

  async request(address: string, init: RequestInit = {}): Promise<OpenedPage> {
    const url = new URL(address, this.baseUrl).href;
    const known = this.#cookiesOf(url);
    const cookie = [...known].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie ? { cookie } : {}) };
    let answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    // Tests click faster than a session may; a refused call changes nothing.
    for (let tries = 0; answer.status === 429 && tries < 5; tries++) {
      await pause(SECOND);
      answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    }
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value && !/max-age=0|expires=thu, 01 jan 1970/i.test(line)) known.set(name, value);
      else known.delete(name);
    }
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  open(address: string, headers: Record<string, string> = {}): Promise<OpenedPage> {
    return this.request(address, { headers });
  }

  /** Sends what is in `fields` as a form of the page at the address. */
  post(
    address: string,
    fields: Readonly<Record<string, string>>,
    headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<OpenedPage> {
    return this.request(address, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  /** Opens the page and sends its form that does `action`, with what a person filled in. */
  async send(address: string, action: string, fields: Readonly<Record<string, string>> = {}): Promise<OpenedPage> {
    const { text } = await this.open(address);
    return this.post(address.replace(/\?.*/, ''), { ...hiddenFields(text, action), ...fields });
  }

  /** Follows redirects from an address to the page at their end. */
  async follow(address: string): Promise<OpenedPage & { readonly address: string }> {
    let next = address;
    for (let count = 0; count < 12; count++) {
      const page = await this.open(next);
      const location = page.headers.get('location');
      if (page.status < 300 || page.status >= 400 || location === null) return { ...page, address: next };
      next = new URL(location, new URL(next, this.baseUrl)).href;
    }
    throw new Error(`${address} redirects for ever`);
  }
}

/** The token that the forms of a page of the session have. */
export const tokenIn = ({ text }: Pick<OpenedPage, 'text'>): string =>
  /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';

interface NewUser {
  readonly role: Role;
  readonly name?: string;
  readonly email?: string;
  readonly organizationId?: number;
  /** The agent that the user is. */
  readonly agentId?: number;
}

let users = 0;

/** A user of the account, as the store has it. */
export async function makeUser(
  account: TestAccount,
  { role: Role, name, email, organizationId: OrganizationId = 1, agentId }: NewUser,
): Promise<UserRecord> {
  const Email = email ?? `user${++users}@office.example`;
  const user = { Email, Name: name ?? `${Role} ${users}`, Role, ...(agentId ? { ServiceAgentId: agentId } : {}) };
  const answer = await account.call('organizations/update', { OrganizationId, Users: [user] });
  if (answer.status !== 200) throw new Error(answer.text);
  const [found] = await findUsersByEmail(accountStore(testTable(), account.accountId), [Email]);
  if (!found) throw new Error(`no user ${Email}`);
  return found;
}

/** A browser in which the user has signed in, at `now`. */
export async function signedIn(account: TestAccount, user: UserRecord, now = new Date()): Promise<OfficeBrowser> {
  const browser = new OfficeBrowser();
  browser.own.set('office', await startSession(accountStore(testTable(), account.accountId), user, now));
  return browser;
}
