import type { CostRow } from './cost-rows.ts';

type Answer = Record<string, unknown>;

const tenLines = Array.from({ length: 10 }, (_, index) => ({ Part: { Id: index + 1 }, Quantity: 2 }));
/** Three of the lines have options. */
const quoted = {
  ContactId: 500,
  ServiceId: 1,
  Proposal: {
    ProposalLines: tenLines.map((line, index) => ({
      ...line,
      ...(index < 3 ? { ProposalOption: { Name: `Option ${index}` } } : {}),
    })),
  },
};

let last = 500;
/** A contact without a proposal. */
const another = () => ++last;

const lines = (count: number) => (answer: Answer) => {
  const of = (answer['Proposal'] ?? answer) as { ProposalLines: unknown[]; Subtotal: number };
  if (of.ProposalLines.length !== count || !(of.Subtotal > 0))
    throw new Error(`expected ${count} lines, found ${of.ProposalLines.length}, Subtotal ${of.Subtotal}`);
};
const found = (count: number, page: number) => (answer: Answer) => {
  const { length } = answer['Proposals'] as unknown[];
  if (length !== page || (count && answer['Count'] !== count))
    throw new Error(`expected ${page} proposals of ${count}, found ${length} of ${String(answer['Count'])}`);
};
const templates = (answer: Answer) => {
  if ((answer['Templates'] as unknown[]).length !== 50)
    throw new Error(`expected 50 templates: ${JSON.stringify(answer).slice(0, 200)}`);
};

const day = { FromDate: '2026-01-03', ThroughDate: '2026-01-03' };
const prepared =
  (criteria: object, Skip: number): CostRow['body'] =>
  async (_, call) => {
    await call('proposal/query', criteria);
    return { ...criteria, Skip };
  };

/** A quote rests on what the table holds: organization and lists are read strongly (decision 15), a template too. */
export const proposalRows: readonly CostRow[] = [
  {
    name: 'proposal/quote, a service alone',
    operation: 'proposal/quote',
    body: () => ({ ContactId: 500, ServiceId: 1 }),
    budget: { rounds: 2, readUnits: 5, writeUnits: 0 },
    check: lines(0),
  },
  {
    name: 'proposal/quote, by name, 10 lines, 3 options',
    operation: 'proposal/quote',
    body: () => ({ ...quoted, ServiceId: null, ServiceName: 'Service 0' }),
    budget: { rounds: 3, readUnits: 17, writeUnits: 0 },
    check: lines(10),
  },
  {
    name: 'proposal/quote, by template',
    operation: 'proposal/quote',
    body: () => ({ ContactId: 500, ProposalTemplateId: 1 }),
    budget: { rounds: 3, readUnits: 11, writeUnits: 0 },
    check: lines(5),
  },
  {
    name: 'proposal/create, 10 lines',
    operation: 'proposal/create',
    body: () => ({ ContactId: another(), ServiceId: 1, Status: 'Open', ProposalLines: tenLines }),
    budget: { rounds: 3, writeUnits: 32 },
    check: lines(10),
  },
  {
    name: 'proposal/update, a line',
    operation: 'proposal/update',
    body: async (_, call) => ({
      Id: (await call('proposal/create', { ContactId: another(), ServiceId: 1, ProposalLines: tenLines })).body['Id'],
      ProposalLines: [{ Part: { Id: 11 } }],
    }),
    budget: { rounds: 3, writeUnits: 32 },
    check: lines(11),
  },
  {
    name: 'proposal/details, with its contact',
    operation: 'proposal/details',
    body: () => ({ Id: 750 }),
    budget: { rounds: 2, readUnits: 2, writeUnits: 0 },
    check: lines(3),
  },
  {
    name: 'proposal/query of a contact',
    operation: 'proposal/query',
    body: () => ({ ContactId: 150 }),
    budget: { rounds: 3, readUnits: 5, writeUnits: 0 },
    check: found(5, 5),
  },
  {
    name: 'proposal/query of a day, page 1 of 3',
    operation: 'proposal/query',
    body: () => day,
    budget: { rounds: 3, readUnits: 70, writeUnits: 5 },
    check: found(300, 100),
  },
  {
    name: 'proposal/query of a day, page 3',
    operation: 'proposal/query',
    body: prepared(day, 200),
    budget: { rounds: 3, readUnits: 65, writeUnits: 2 },
    check: found(300, 100),
  },
  {
    name: 'proposal/query of a day, open ones',
    operation: 'proposal/query',
    body: () => ({ ...day, Scope: 'open' }),
    budget: { rounds: 2, readUnits: 30, writeUnits: 0 },
    check: found(30, 30),
  },
  {
    name: 'proposal/alltemplates, 50',
    operation: 'proposal/alltemplates',
    body: () => ({}),
    budget: { rounds: 1, readUnits: 20, writeUnits: 0 },
    check: templates,
  },
];
