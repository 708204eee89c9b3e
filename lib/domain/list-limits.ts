import { jsonByteLength } from '../shared/objects.ts';
import { formatInteger } from '../shared/text/text.ts';

/** The limits of a list that calls read as a whole. A read unit is 4 KB, a round trip 1 MB. */
export interface ListLimit {
  readonly entries: number;
  readonly bytes: number;
}

const limit = (entries: number, bytes = Infinity): ListLimit => ({ entries, bytes });

/**
 * Per account, organization or invoice. A list that exceeded a limit when it was introduced keeps its entries but
 * cannot grow.
 */
export const LIST_LIMITS = {
  /** Per kind and account. */
  settings: limit(1_000, 480_000),
  /** All channels of an account with their campaigns; a single one has at most MAX_CHANNEL_BYTES. */
  channels: limit(1_000, 960_000),
  /** Per account. A page of the table is 1 MB, so the first page has all tags. */
  tags: limit(5_000, 1_000_000),
  articles: limit(1_000),
  /** Pictures and documents of a contact, which are in its item; and files of a proposal. */
  contactFiles: limit(200, 100_000),
  proposalFiles: limit(100),
  /** Per organization; the postal codes of its classes do not overlap, and the United States have 42,000. */
  accountingClasses: limit(500, 480_000),
  serviceAgents: limit(500, 960_000),
  users: limit(500),
  /** Per invoice, refunds included. */
  payments: limit(500),
  /** Change orders of a proposal, and its bundles. */
  childProposals: limit(100),
  /** Per account, and per organization: services/all reads both. */
  services: limit(1_000, 660_000),
  ownServices: limit(1_000, 330_000),
  parts: limit(10_000, 6_000_000),
  /** For each small list of the price book. */
  bookEntries: limit(1_000, 480_000),
  /** Per organization, and per account; the bytes are the total. */
  proposalTemplates: limit(1_000, 960_000),
} as const satisfies Record<string, ListLimit>;

/** `at most 500 and 480,000 bytes`. */
export const describeLimit = ({ entries, bytes }: ListLimit): string =>
  `at most ${formatInteger(entries)}` + (bytes < Infinity ? ` and ${formatInteger(bytes)} bytes in all` : '');

/** Whether a list exceeds its limit. One that already did may change, but not grow. */
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
