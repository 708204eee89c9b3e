import { jsonByteLength } from '../shared/objects.ts';
import { formatInteger } from '../shared/text/text.ts';

/** What a list that calls read as a whole may hold. 4 KB are a read unit, 1 MB is a round. */
export interface ListLimit {
  readonly entries: number;
  readonly bytes: number;
}

const limit = (entries: number, bytes = Infinity): ListLimit => ({ entries, bytes });

/**
 * Per account, organization or invoice. A list that was longer before the limit keeps its entries and takes none
 * beyond.
 */
export const LIST_LIMITS = {
  /** Of each kind, in an account. */
  settings: limit(1_000, 480_000),
  /** All channels of an account with their campaigns; one has at most MAX_CHANNEL_BYTES. */
  channels: limit(1_000, 960_000),
  /** Of an account. 1 MB is a page of the table: the first page has all tags. */
  tags: limit(5_000, 1_000_000),
  articles: limit(1_000),
  /** Pictures and documents of a contact, which are in its item; and files of a proposal. */
  contactFiles: limit(200, 100_000),
  proposalFiles: limit(100),
  /** Of an organization; the codes of its classes are different ones, and the United States have 42,000. */
  accountingClasses: limit(500, 480_000),
  serviceAgents: limit(500, 960_000),
  users: limit(500),
  /** Of an invoice, refunds included. */
  payments: limit(500),
  /** Change orders of a proposal, and its bundles. */
  childProposals: limit(100),
  /** Of the account, and of each organization: services/all reads both. */
  services: limit(1_000, 640_000),
  ownServices: limit(1_000, 320_000),
  parts: limit(10_000, 6_000_000),
  /** Of each small list of the price book. */
  bookEntries: limit(1_000, 480_000),
  /** Of each organization, and of the account; the bytes are those of all. */
  proposalTemplates: limit(1_000, 960_000),
} as const satisfies Record<string, ListLimit>;

/** `at most 500 and 480,000 bytes`. */
export const describeLimit = ({ entries, bytes }: ListLimit): string =>
  `at most ${formatInteger(entries)}` + (bytes < Infinity ? ` and ${formatInteger(bytes)} bytes in all` : '');

/** Whether a list holds more than it may. One that already did may change, but not grow. */
export function exceedsLimit(max: ListLimit, before: Iterable<unknown>, after: Iterable<unknown>): boolean {
  const [previous, next] = [[...before], [...after]];
  if (next.length > Math.max(max.entries, previous.length)) return true;
  if (max.bytes === Infinity) return false;
  const bytes = totalBytes(next);
  return bytes > max.bytes && bytes > totalBytes(previous);
}

export const totalBytes = (records: Iterable<unknown>): number => {
  let bytes = 0;
  for (const record of records) bytes += jsonByteLength(record);
  return bytes;
};
