import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOWNLOAD_KINDS } from '../../lib/domain/downloads/kind.ts';
import { downloadAll } from '../support/existing-programs/download-loop.ts';
import { readFeed } from '../support/existing-programs/feed-reader.ts';
import { sendLead } from '../support/existing-programs/lead-form.ts';
import { readPages } from '../support/existing-programs/nightly-sync.ts';
import { type Post, answerOf, poster } from '../support/existing-programs/post.ts';
import { running, until } from '../support/stack/process.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Programs that exist (lead form, nightly sync, download loop, feed reader) against a demo company under `npm start`, or
 * against an address: `npm run prove -- programs <address> <lenient key> <key of a flat feed>`. It adds a
 * contact and an invoice there, and the feed reader clears what it reads.
 */
export async function programs([address, key, feedKey = key]: readonly string[]): Promise<boolean> {
  if (address !== undefined && key !== undefined && feedKey !== undefined)
    return runPrograms(poster(address, key), poster(address, feedKey));
  const folder = await mkdtemp(join(tmpdir(), 'programs-'));
  const stack = await running({ FS_DATA: folder, FS_DEMO: 'full' });
  try {
    const { BaseUrl } = stack.local;
    return await runPrograms(poster(BaseUrl, newKey(folder)), poster(BaseUrl, newKey(folder, '--feed', 'flat')));
  } finally {
    await stack.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

function newKey(folder: string, ...options: readonly string[]): string {
  const command = ['infra/cli/bin.js', 'key', 'create', '--role', 'Owner', '--name', 'program', '--lenient', '--json'];
  const env = { ...process.env, FS_DATA: folder };
  const { Key } = JSON.parse(execFileSync(process.execPath, [...command, ...options], { env, encoding: 'utf8' })) as {
    readonly Key: string;
  };
  return Key;
}

async function runPrograms(post: Post, feed: Post): Promise<boolean> {
  const begun = performance.now();
  const lead = { first: 'Ann', last: 'Form', email: `form${Date.now()}@example.com`, phone: '217-555-0114', zip: '' };
  const Id = await sendLead(post, { ...lead, squareFeet: '1,275', hasDogs: 'False', noTexts: 'true' });
  say(`lead form: contact ${String(Id)}`);
  const lists = [
    ['invoice/query', 'Invoices'],
    ['appointments/query', 'Appointments'],
    ['proposal/query', 'Proposals'],
    ['payment/query', 'Payments'],
  ] as const;
  const results = [Boolean(Id)];
  const FromDate = new Date(Date.now() - 400 * 86_400_000).toISOString().slice(0, 10);
  for (const [operation, list] of lists) {
    const { records, counts } = await readPages(post, { operation, list, filter: { FromDate }, take: 200 });
    const unique = new Set(records.map((record) => record['Id'] ?? record['AppointmentId'])).size;
    say(`nightly sync: ${operation} ${records.length} records, ${unique} different, Count ${counts.join()}`);
    results.push(unique === records.length && counts.every((count) => count === records.length));
  }
  for (const Kind of DOWNLOAD_KINDS) {
    const rows = await downloadAll(post, { Kind }, 50);
    say(`download loop: ${Kind} ${rows.length} rows`);
    results.push(new Set(rows.map((row) => JSON.stringify(row))).size === rows.length);
  }
  await readFeed(feed);
  const Invoice = { ContactId: Id, Lines: [{ Description: 'Read by the feed reader', Rate: 12.5, Qty: 2 }] };
  await answerOf(await post('invoice/import', { Invoice }));
  let read = await readFeed(feed);
  await until(async () => (read = [...read, ...(await readFeed(feed))]).length > 0, 30_000);
  const again = await readFeed(feed);
  say(`feed reader: ${read.length} transactions, then ${again.length}`);
  results.push(
    read.some(({ ContactId, Subtotal }) => ContactId === Id && Subtotal === 25),
    again.length === 0,
  );
  say(`${Math.round((performance.now() - begun) / 1000)} s`);
  return results.every(Boolean);
}
