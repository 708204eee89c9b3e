import { Session } from 'node:inspector/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groups } from '../../functions/index.ts';
import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { writePriceBook } from '../../lib/workflows/pricebook/import-price-book.ts';
import { startTable } from '../support/stack/engine.ts';
import { invoke } from '../support/stack/invoke.ts';
import { printTable } from './table.ts';
import { accountStore } from '../../lib/store/store.ts';

/** At most so many files: what it is today. The count of a key's calls is due in some runs only, and enters one more. */
const LIMITS: Readonly<Record<string, number>> = {
  'appointments/book': 65,
  'proposal/accept': 44,
  'contacts/addupdate': 48,
};

/** What the first call used up, for the second. */
const others: Readonly<Record<string, object>> = {
  'appointments/book': { CallCenterTransactionId: 1002, Slots: [{ DateTime: '2035-03-07T09:00', ServiceAgentId: 1 }] },
  'proposal/accept': { ProposalId: 2 },
};

const root = resolve(import.meta.dirname, '../..');

type Call = (operation: string, body: object) => Promise<Record<string, unknown>>;

/** An account with what the examples name: an agent, a service, contact 1 with an address, and two open proposals. */
async function makeCompany(): Promise<Call> {
  const table = openTable();
  const now = new Date();
  const { account: accountId } = await writeAccount(table, { name: 'Bench', now });
  const { key } = await createKey(accountStore(table, accountId), { role: 'Owner', name: 'bench', now });
  const call: Call = async (operation, body) => {
    const answer = await invoke(operation, body, { key });
    if (answer.status !== 200) throw new Error(`${operation}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await writePriceBook(
    accountStore(table, accountId),
    { organizationId: null, accountWide: true, now },
    { services: [{ Name: 'Window Cleaning', BasePrice: 80, BaseDuration: 60 }] },
  );
  const TimeSlots = [1, 2, 3, 4, 5].map((DayOfWeek) => ({ DayOfWeek, StartMinute: 8 * 60, Minutes: 9 * 60 }));
  const agent = { Name: 'Ben Ortiz', Email: 'ben@example.com', TimeSlots };
  await call('organizations/update', { OrganizationId: 1, StartAddress: { Zip: '23230' }, ServiceAgents: [agent] });
  await call('contacts/addupdate', { Name: 'José García', Phone: '(804) 555-0143', Zip: '23220' });
  for (let count = 0; count < 2; count++)
    await call('proposal/create', {
      ContactId: 1,
      ServiceId: 1,
      Status: 'Open',
      DepositRate: 10,
      DepositRequired: true,
    });
  return call;
}

/** The files of ours in which a function runs during the calls, one list a call. */
async function filesEntered(calls: readonly (() => Promise<unknown>)[]): Promise<string[][]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const lists: string[][] = [];
  for (const call of calls) {
    await session.post('Profiler.takePreciseCoverage');
    await call();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    lists.push(
      result
        // The function without a name that spans a file is its loading.
        .filter(({ functions }) =>
          functions.some(({ ranges: [range] }) => range && range.startOffset > 0 && range.count > 0),
        )
        .flatMap(({ url }) => (url.startsWith('file:') ? [relative(root, fileURLToPath(url))] : []))
        .filter((path) => /^(lib|functions)\//.test(path))
        .sort(),
    );
  }
  session.disconnect();
  return lists;
}

/**
 * In how many files of lib and functions a function runs while a handler answers the recorded example: what a reader
 * meets who follows the call. Loading a file does not count. The first call of a container reads what later ones
 * remember. Fails over the limits.
 */
export async function entered(): Promise<boolean> {
  const engine = await startTable({ stream: false });
  try {
    const call = await makeCompany();
    const examples = new Map(
      groups.flatMap(({ operations }) => operations.map(({ name, example }) => [name, example])),
    );
    const rows: [string, ...number[]][] = [];
    let isWithin = true;
    for (const [operation, limit] of Object.entries(LIMITS)) {
      const example = examples.get(operation) as object;
      const lists = await filesEntered([
        () => call(operation, example),
        () => call(operation, { ...example, ...others[operation] }),
      ]);
      const [first = [], second = []] = lists;
      isWithin &&= first.length <= limit;
      rows.push([operation, first.length, limit, second.length]);
    }
    printTable(['files entered', 'first call', 'limit', 'second call'], rows);
    return isWithin;
  } finally {
    await engine.stop();
  }
}
