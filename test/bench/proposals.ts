import { writeAccount } from '../../lib/store/accounts/accounts.ts';
import { createKey } from '../../lib/store/requests/api-keys.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { transactionalPuts } from '../../lib/store/dynamodb/transactional-puts.ts';
import { writePriceBook } from '../../lib/workflows/pricebook/import-price-book.ts';
import { startTable } from '../support/stack/engine.ts';
import { invoke } from '../support/stack/invoke.ts';
import { printTable } from './table.ts';

const RUNS = 5;
/** Of a whole call, without the SDK's waiting. */
const MAX_CPU_MS = 300;
/** What the peak of the process grows by in a call. */
const MAX_MEGABYTES = 100;

const [PARTS, KITS] = [60, 40];
/** 30 values and operations: with the lines of assemblies, near the 50,000 steps that a pricing may take. */
const Formula = `unit${' + quantity'.repeat(14)}`;

/** Parts with formulas, and assemblies of three of them. */
const book = {
  services: [{ Name: 'Service', BasePrice: 50, UnitPrice: 2, BaseDuration: 60 }],
  parts: [
    ...Array.from({ length: PARTS }, (_, part) => ({
      Name: `Part ${part}`,
      UnitPrice: part,
      QtyPricing: [{ AtLeast: 0, Price: 1, Formula }],
    })),
    ...Array.from({ length: KITS }, (_, part) => ({
      Name: `Kit ${part}`,
      IsAssembly: true,
      AssemblyItems: [0, 1, 2].map((item) => ({ PartName: `Part ${(part + item) % PARTS}`, Quantity: 2 })),
    })),
  ],
};

/** 500 lines in 50 options, 60 of them assemblies: near the 350 KB that a proposal may have with its parts. */
const ProposalLines = Array.from({ length: 500 }, (_, line) => ({
  Part: { Id: line < 60 ? PARTS + 1 + (line % KITS) : 1 + (line % PARTS) },
  Quantity: 1 + line,
  LineDescription: `Line ${line}`,
  ...(line % 3 ? {} : { ProposalOption: { Name: `Option ${(line / 3) % 50}` } }),
}));

/** CPU and peak memory of the largest accepted proposals, as whole calls. Fails over 300 ms and 100 MB. */
export async function proposals(): Promise<boolean> {
  const engine = await startTable({ stream: false });
  try {
    const table = transactionalPuts(openTable());
    const now = new Date();
    const { accountId } = await writeAccount(table, { name: 'Bench', now });
    const options = { accountId, role: 'Owner', name: 'bench', rate: 1_000_000, inFlight: 10_000, now } as const;
    const { key } = await createKey(table, options);
    const scope = { accountId, organizationId: null, accountWide: true, now };
    const written = await writePriceBook(table, scope, book);
    if (written.kind === 'invalid') throw new Error(JSON.stringify(written.errors.slice(0, 3)));
    const call = async (operation: string, body: object) => {
      const answer = await invoke(operation, body, { key });
      if (answer.status !== 200) throw new Error(`${operation}: ${JSON.stringify(answer.body).slice(0, 400)}`);
      return answer.body;
    };
    const contact = await call('contacts/addupdate', { Name: 'Marta Quinn', Email: 'marta@example.com' });
    const [{ Id: ContactId = 0 } = {}] = contact['Matches'] as { Id: number }[];
    const small = { ServiceId: 1, ContactId, ProposalLines: ProposalLines.slice(0, 1) };
    await call('proposal/create', small);
    const { ProposalLines: _, ...quoted } = small;
    await call('proposal/quote', { ...quoted, Proposal: { ProposalLines: small.ProposalLines } });
    const operations: Record<string, () => Promise<object>> = {
      'proposal/quote': async () => ({ ...quoted, Proposal: { ProposalLines }, ReturnProposal: true }),
      'proposal/create': async () => ({ ...quoted, ProposalLines }),
      // One line is there already.
      'proposal/update': async () => ({
        Id: (await call('proposal/create', small))['Id'],
        ProposalLines: ProposalLines.slice(1),
      }),
    };
    const rows: { cells: (string | number)[]; ok: boolean }[] = [];
    for (const [operation, makeBody] of Object.entries(operations)) {
      let [least, kilobytes, megabytes] = [Infinity, 0, 0];
      for (let run = 0; run < RUNS; run++) {
        const body = await makeBody();
        kilobytes = JSON.stringify(body).length / 1_024;
        const { maxRSS } = process.resourceUsage();
        const start = process.cpuUsage();
        const answer = await call(operation, body);
        const { user, system } = process.cpuUsage(start);
        const { ProposalLines: priced } = (answer['Proposal'] ?? answer) as { ProposalLines: unknown[] };
        if (priced.length < ProposalLines.length) throw new Error(`${operation} answered ${priced.length} lines`);
        least = Math.min(least, (user + system) / 1_000);
        megabytes = Math.max(megabytes, (process.resourceUsage().maxRSS - maxRSS) / 1_024);
      }
      rows.push({
        cells: [operation, Math.round(kilobytes), Math.round(least), Math.round(megabytes)],
        ok: least <= MAX_CPU_MS && megabytes <= MAX_MEGABYTES,
      });
    }
    printTable(
      ['largest proposal', 'KB', `CPU ms (≤ ${MAX_CPU_MS})`, `MB at the peak (≤ ${MAX_MEGABYTES})`],
      rows.map(({ cells }) => cells),
    );
    return rows.every(({ ok }) => ok);
  } finally {
    await engine.stop();
  }
}
