import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  CLIENT_PAGES,
  type ClientLink,
  type ClientPage,
  FEED_FILE,
  type LinkTarget,
  NO_LINKS,
  ownLink,
} from '../domain/client-pages.ts';
import { linkSecretEntity } from '../entities/accounts.ts';
import { DAY, MINUTE } from '../shared/time/time.ts';
import { InternalError } from '../shared/failure.ts';
import { CachedValues } from './dynamodb/cached-values.ts';
import type { Change } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/table.ts';
import { layout } from './keys.ts';
import type { Role } from '../shared/roles.ts';
import { type StoreAccount, type StoreReader, accountStore } from './store.ts';

/**
 * The last day of links that are made at a moment: the same for 30 days, so that answers within a month have the same
 * link, and 61 to 90 days ahead.
 */
const lastDayOfLinks = (now: number): number => (Math.floor(now / DAY / 30) + 3) * 30;

/**
 * A booking link is on the company's site, and opens no client's record; a calendar keeps its address for years. Both
 * end only when revoked.
 */
const isEndless = (page: ClientPage): boolean => page === 'booking' || page === 'calendar';

/** Some calendars take an address for a feed only if it ends like a file of one. */
const fileOf = (page: ClientPage): string => (page === 'calendar' ? `/${FEED_FILE}` : '');

/** The last day of a link to a page that is made at a moment. */
const lastDayOf = (page: ClientPage, now: number): number => (isEndless(page) ? 0 : lastDayOfLinks(now));

const isExpired = ({ page, lastDay }: LinkTarget, now: number): boolean =>
  !isEndless(page) && Math.floor(now / DAY) > lastDay;

/** The signed text of a link, including the page, so that no link opens another page of its record. */
const signedText = ({ page, account, organization, id, generation, lastDay }: LinkTarget): string => {
  const owner = organization === undefined ? '' : `${organization.toString(36)}.`;
  return `${page}/${account}-${owner}${id.toString(36)}-${generation.toString(36)}-${lastDay.toString(36)}`;
};

/** The path of a link with its signature, 22 characters of base64url. */
const linkPath = (target: LinkTarget, signature: string): string => `/c/${signedText(target)}-${signature}`;

const HANDLE = /^([a-z0-9]{1,64})-(?:([0-9a-z]{1,8})\.)?([0-9a-z]{1,8})-([0-9a-z]{1,5})-([0-9a-z]{1,5})-([\w-]{22})$/;

/** The parts of `/c/{page}/{handle}`; `undefined` if it is not one of our links. The signature is not checked. */
function parseLink(page = '', handle = ''): { target: LinkTarget; signature: string } | undefined {
  const known = CLIENT_PAGES.find((each) => each === page);
  const [, account, owner, id, generation, lastDay, signature] = HANDLE.exec(handle) ?? [];
  if (!known || !account || !id || !generation || !lastDay || !signature) return undefined;
  const number = (digits: string) => Number.parseInt(digits, 36);
  const target = { page: known, account, id: number(id), generation: number(generation), lastDay: number(lastDay) };
  return { target: owner ? { ...target, organization: number(owner) } : target, signature };
}

const secretKey = ({ account }: StoreAccount) => layout.linkSecret.key({ account });

/** Stores the secret from which the links of an account are derived, unless it has one. */
export const linkSecretChange = (store: StoreAccount): Change => ({
  put: { ...secretKey(store), Secret: randomBytes(32).toString('base64url') },
  if: 'absent',
});

/** The cache has one entry per account. */
const SECRET = 'secret';

/** For this long a replaced secret still makes and opens links, but takes no form. */
const signers = new CachedValues<typeof SECRET, Signer | undefined>({
  name: (key) => key,
  async read(store, _, options) {
    const item = await store.table.get(secretKey(store), options);
    return item && linkSigner(linkSecretEntity.read(item).Secret);
  },
  milliseconds: 5 * MINUTE,
  missingMilliseconds: MINUTE,
});

type Signer = (text: string) => string;

/**
 * Hashes texts with the secret of an account, so that nobody who reads the table finds an e-mail or address by trying.
 * 16 characters of hex. `undefined` for an account without a secret, which has no links and no hashes.
 */
export async function findHasher(store: StoreReader): Promise<Signer | undefined> {
  const sign = await signers.readRecent(store, SECRET);
  return (
    sign &&
    ((text) =>
      Buffer.from(sign(`hash ${text}`), 'base64url')
        .toString('hex')
        .slice(0, 16))
  );
}

/** The same for a caller who came by a link. */
export async function getHasher(store: StoreReader): Promise<Signer> {
  const { account } = store;
  const hash = await findHasher(store);
  if (!hash) throw new InternalError(`account ${account} has no secret of links`);
  return hash;
}

/** Signs texts with 128 bits of HMAC-SHA-256, in base64url. */
export const linkSigner =
  (secret: string): Signer =>
  (text) =>
    createHmac('sha256', secret).update(text).digest().subarray(0, 16).toString('base64url');

/** Roles that change contacts, visits or sales; only they get links. */
const LINKED_ROLES: ReadonlySet<Role> = new Set(['Owner', 'Admin', 'Office']);

export const getsLinks = (role: Role): boolean => LINKED_ROLES.has(role);

/** Makes the links that responses to a caller contain. */
export const findClientLinks = async (store: StoreReader, role: Role, now: Date): Promise<ClientLink> =>
  getsLinks(role) ? findAccountLinks(store, now) : NO_LINKS;

/** Makes the links of an account. Its secret is remembered, so usually that takes no request. */
export async function findAccountLinks(store: StoreReader, now: Date): Promise<ClientLink> {
  const sign = await signers.readRecent(store, SECRET);
  return sign ? signedLinks(store, sign, now) : NO_LINKS;
}

/**
 * Makes the links on a page that a link opened: they do not outlive that link, and are `""` for records whose links
 * were revoked more often, because whoever has an older link must not reach the record in any other way.
 */
export async function findPageLinks(store: StoreReader, target: LinkTarget, now: Date): Promise<ClientLink> {
  const sign = await signers.readRecent(store, SECRET);
  if (!sign) return NO_LINKS;
  const own = ownLink(target).generation;
  const link = signedLinks(store, sign, now, target.lastDay || Infinity);
  return (page, id, generation, organization) => (generation > own ? '' : link(page, id, generation, organization));
}

/** Makes the links of an account with the signer of its secret. */
export function signedLinks({ account }: StoreAccount, sign: Signer, now: Date, latest = Infinity): ClientLink {
  const baseUrl = process.env['BASE_URL'] ?? '';
  return (page, id, generation, organization) => {
    const lastDay = Math.min(lastDayOf(page, now.getTime()), latest);
    const target = { page, account, organization, id, generation, lastDay };
    return `${baseUrl}${linkPath(target, sign(signedText(target)))}${fileOf(page)}`;
  };
}

/** A genuine link; the record decides whether it was revoked. */
export interface OpenedLink {
  readonly target: LinkTarget;
  /** Whether its last day has passed. */
  readonly isOver: boolean;
  /** Signs what a form of the page sends back, for this link only. */
  readonly formToken: string;
}

/**
 * The target of `/c/{page}/{handle}`; `undefined` for a link that is not genuine. Pages are opened with the remembered
 * secret, which takes no request; forms are accepted with the current one only.
 */
export async function openLink(
  table: TableReader,
  { page, handle }: { readonly page: string | undefined; readonly handle: string | undefined },
  now: Date,
): Promise<OpenedLink | undefined> {
  const link = parseLink(page, handle);
  if (!link) return undefined;
  const sign = await signers.read(accountStore(table, link.target.account), SECRET);
  if (!sign) return undefined;
  const expected = linkPath(link.target, sign(signedText(link.target)));
  if (!isSame(`/c/${page}/${handle}`, expected)) return undefined;
  const isOver = isExpired(link.target, now.getTime());
  return { target: link.target, isOver, formToken: sign(`form ${expected}`) };
}

/** The address of a form for leads is signed like a booking link, so that it can be shown again. */
const leadText = (account: string, id: number): string => `${account}-${id.toString(36)}`;

/** What a form for leads is set up with. */
interface LeadAddress {
  readonly path: string;
  /** What Google Ads and Meta send to prove that they know the form. */
  readonly providerKey: string;
}

const leadAddress = (of: string, sign: Signer): LeadAddress => ({
  path: `/api/leads/${of}-${sign(`leads/${of}`)}`,
  providerKey: sign(`provider leads/${of}`),
});

/** The address of a form for leads; `undefined` for an account without a secret. */
export async function findLeadAddress(store: StoreReader, id: number): Promise<LeadAddress | undefined> {
  const sign = await signers.readRecent(store, SECRET);
  return sign && leadAddress(leadText(store.account, id), sign);
}

const LEAD_TOKEN = /^([a-z0-9]{1,64})-([0-9a-z]{1,8})-[\w-]{22}$/;

/** The form of `/api/leads/{token}`; `undefined` for an address that is not genuine. The form may be revoked. */
export async function openLeadAddress(
  table: TableReader,
  token = '',
): Promise<{ readonly account: string; readonly id: number; readonly providerKey: string } | undefined> {
  const [, account = '', digits = ''] = LEAD_TOKEN.exec(token) ?? [];
  const sign = account ? await signers.read(accountStore(table, account), SECRET) : undefined;
  if (!sign) return undefined;
  const id = Number.parseInt(digits, 36);
  const { path, providerKey } = leadAddress(leadText(account, id), sign);
  return isSame(`/api/leads/${token}`, path) ? { account, id, providerKey } : undefined;
}

/** Compares texts in constant time, which hides all but their length. */
export function isSame(sent: string, expected: string): boolean {
  const [actual, wanted] = [Buffer.from(sent), Buffer.from(expected)];
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}
