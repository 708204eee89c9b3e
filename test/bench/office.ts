import { createDemo } from '../../infra/cli/demo/create-demo.ts';
import { sessionCookie } from '../../functions/office/cookies.ts';
import { layout } from '../../lib/store/keys.ts';
import { findUsersByEmail } from '../../lib/store/organizations/users.ts';
import { createKey, parseKey } from '../../lib/store/requests/api-keys.ts';
import { startSession } from '../../lib/store/requests/sessions.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { accountStore } from '../../lib/store/store.ts';
import { countFigures } from '../../lib/workflows/figures/count-figures.ts';
import { startTable } from '../support/stack/engine.ts';
import { invoke, invokeOffice } from '../support/stack/invoke.ts';
import { NOISE } from './start.ts';
import { type Pair, median, pairedRatio, printTable } from './table.ts';

const CALLS = 15;
const ROUNDS = 5;
const LIMIT = 2;
const MILLION = 1_000_000;
/** For the demo, in milliseconds. */
const PATIENCE = 300_000;

type Operations = readonly (readonly [operation: string, request: object])[];

/** The pages, and the operations that each shows, which run at once. */
const pagesOf = (today: string, client: number): readonly (readonly [page: string, operations: Operations])[] => [
  ['', [['appointments/query', { FromDate: today, ThroughDate: today, IncludeContact: true, Take: 500 }]]],
  [
    `/client/${client}`,
    [
      ['contacts/locate', { IdSearch: client }],
      ['contacts/listtags', { ContactId: client }],
      ['appointments/query', { ContactId: client, Take: 500 }],
      ['invoice/query', { ContactId: client, Status: 'Open' }],
      ['proposal/query', { ContactId: client, Scope: 'open', Take: 20 }],
      ['task/query', { ContactId: client, Take: 20 }],
      ['contacts/messages', { ContactId: client, Take: 20 }],
    ],
  ],
  [
    '/money',
    [
      ['invoice/query', { Status: 'Open', IncludeContact: true, Take: 500 }],
      ['contacts/locate', { HasCredit: true, Limit: 100 }],
    ],
  ],
  ['/payments', [['payment/query', { FromDate: `${today.slice(0, 8)}01`, ThroughDate: today, Take: 500 }]]],
  ['/numbers', [['organizations/figures', {}]]],
];

async function millisecondsOf(call: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < CALLS; index++) {
    const start = process.hrtime.bigint();
    await call();
    times.push(Number(process.hrtime.bigint() - start) / MILLION);
  }
  return median(times);
}

/** The p50 of pages of the office on the full demo, beside that of the operations that they show. */
export async function office(): Promise<boolean> {
  const engine = await startTable({ stream: false });
  try {
    process.env['STAGE'] = 'local';
    const table = openTable({ deadline: Date.now() + PATIENCE });
    const now = new Date();
    const { account } = await createDemo(table, { now, size: 'full' });
    await countFigures(table, { now, deadline: Date.now() + 60_000 });
    const store = accountStore(table, account);
    const [user] = await findUsersByEmail(store, ['luis.ortega@example.com']);
    if (!user) throw new Error('the demo has no Luis Ortega');
    const { OrganizationId: organizationId } = user;
    const unlimited = { rate: 1_000_000, inFlight: 10_000, now };
    const { key } = await createKey(store, { role: user.Role, organizationId, name: 'bench', ...unlimited });
    const session = await startSession(store, user, now);
    const publicPart = parseKey(session)?.publicPart ?? '';
    const limits = { Rate: unlimited.rate, Burst: unlimited.rate, InFlight: unlimited.inFlight };
    await table.update({ update: layout.apiKey.key({ public: publicPart }), set: limits });
    const [cookie = ''] = sessionCookie(session).split(';');
    const cookies = [cookie];
    const today = now.toISOString().slice(0, 10);
    const rows: { readonly page: string; readonly pairs: readonly Pair[] }[] = [];
    for (const [page, operations] of pagesOf(today, 1)) {
      const ours = async () => {
        const { status, text } = await invokeOffice(`/office${page}`, { cookies });
        if (status !== 200) throw new Error(`${page} answered ${status}: ${text}`);
      };
      const theirs = async () => {
        const answers = await Promise.all(operations.map(([name, request]) => invoke(name, request, { key })));
        for (const { status, body } of answers)
          if (status !== 200) throw new Error(`an operation of ${page} answered ${status}: ${JSON.stringify(body)}`);
      };
      await ours();
      await theirs();
      const pairs: Pair[] = [];
      for (let round = 0; round < ROUNDS; round++)
        pairs.push({ ours: await millisecondsOf(ours), theirs: await millisecondsOf(theirs) });
      rows.push({ page, pairs });
    }
    printTable(
      ['page of the office', 'p50 ms', 'of its operations', `ratio (≤ ${LIMIT})`],
      rows.map(({ page, pairs }) => [
        `/office${page}`,
        median(pairs.map(({ ours }) => ours)),
        median(pairs.map(({ theirs }) => theirs)),
        pairedRatio(pairs),
      ]),
    );
    return rows.every(({ pairs }) => pairedRatio(pairs) <= LIMIT * NOISE);
  } finally {
    await engine.stop();
  }
}
