import type { CostRow } from './cost-rows.ts';

/** A task that is not done and that no run has changed yet. */
let last = 0;
const another = () => (++last % 10 ? last : ++last);

const tasks = (count: number, page: number) => (answer: Record<string, unknown>) => {
  const found = (answer['Tasks'] as unknown[]).length;
  if (found !== page || (count && answer['Count'] !== count))
    throw new Error(`expected ${page} tasks of ${count}, found ${found} of ${String(answer['Count'])}`);
};

const day = { DueFrom: '2026-01-03', DueThrough: '2026-01-03', IncludeCompleted: true };
const minutes = { UpdatedFrom: '2026-01-01T12:05:00Z', UpdatedThrough: '2026-01-01T12:07:29Z', IncludeCompleted: true };
const prepared =
  (request: object, Skip: number): CostRow['body'] =>
  async (_, call) => {
    await call('task/query', request);
    return { ...request, Skip };
  };

export const taskRows: readonly CostRow[] = [
  {
    name: 'task/create',
    operation: 'task/create',
    body: () => ({ ContactId: 500, Description: 'Call back', Due: '2027-03-09', TaskType: 1 }),
    budget: { rounds: 3, writeUnits: 6 },
  },
  {
    name: 'task/update',
    operation: 'task/update',
    body: (run) => ({ TaskId: another(), Description: `Call back ${run}` }),
    budget: { rounds: 3, writeUnits: 6 },
  },
  {
    name: 'task/complete',
    operation: 'task/complete',
    body: () => ({ TaskId: another(), Note: 'Done.' }),
    budget: { rounds: 2, writeUnits: 6 },
  },
  {
    name: 'task/query, one',
    operation: 'task/query',
    body: () => ({ TaskId: 750 }),
    budget: { rounds: 1, readUnits: 1, writeUnits: 0 },
    check: tasks(1, 1),
  },
  {
    name: 'task/query of a contact',
    operation: 'task/query',
    body: () => ({ ContactId: 150, IncludeCompleted: true }),
    budget: { rounds: 3, readUnits: 5, writeUnits: 0 },
    check: tasks(5, 5),
  },
  {
    name: 'task/query of a day, page 1 of 3',
    operation: 'task/query',
    body: () => day,
    budget: { rounds: 3, readUnits: 60, writeUnits: 5 },
    check: tasks(300, 100),
  },
  {
    name: 'task/query of a day, page 3',
    operation: 'task/query',
    body: prepared(day, 200),
    budget: { rounds: 3, readUnits: 55, writeUnits: 2 },
    check: tasks(300, 100),
  },
  {
    name: 'task/query of 150 changes',
    operation: 'task/query',
    body: () => minutes,
    budget: { rounds: 3, readUnits: 62, writeUnits: 5 },
    check: tasks(150, 100),
  },
  {
    name: 'task/query of nine days, page 9',
    operation: 'task/query',
    body: prepared({ DueFrom: '2026-01-01', DueThrough: '2026-01-09', IncludeCompleted: true }, 800),
    budget: { rounds: 3, readUnits: 60, writeUnits: 2 },
    check: tasks(0, 100),
  },
];
