import { type TaskRecord, taskEntity } from '../../../lib/entities/tasks.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTable } from '../../../lib/store/dynamodb/client.ts';
import { layout } from '../../../lib/store/keys.ts';
import { listTasks, taskChanges } from '../../../lib/store/tasks.ts';
import { type TestTable, startTable } from '../../support/stack/engine.ts';

/**
 * Readers page through the open tasks of an account by due date while tasks are added, completed, moved and deleted.
 * The oracle is a reader's notebook: the open tasks when it began, in order. Each page must be the next lines of the
 * notebook, without tasks that were deleted since.
 */

const RUNS = Number(process.env['READER_RUNS'] ?? 4);
const TAKE = 3;
const START = Date.UTC(2026, 2, 1);

let engine: TestTable;
beforeAll(async () => {
  engine = await startTable({ stream: false });
});
afterAll(() => engine.stop());

let accounts = 0;

/** An account whose tasks the test changes, with the same tasks in plain memory. */
class Office {
  readonly account = `office${++accounts}`;
  readonly tasks = new Map<number, TaskRecord>();
  now = START;
  #lastId = 0;

  async #write(before: TaskRecord | undefined, after: TaskRecord): Promise<void> {
    const { record, change } = taskChanges(this.account, { before, after, now: new Date(this.now) });
    await openTable().commit([change]);
    this.tasks.set(record.Id, record);
  }

  add(due: number): Promise<void> {
    const blank = taskEntity.blank({ Id: ++this.#lastId, OrganizationId: 1, ContactId: null, Created: this.now });
    return this.#write(undefined, { ...blank, Description: 'Call', Due: due });
  }

  async change(kind: 'add' | 'complete' | 'move' | 'delete', pick: number): Promise<void> {
    const task = [...this.tasks.values()][pick % Math.max(1, this.tasks.size)];
    if (kind === 'add' || !task) return this.add(pick);
    if (kind === 'complete') return this.#write(task, { ...task, CompletedAt: this.now });
    if (kind === 'move') return this.#write(task, { ...task, Due: (pick * 7) % 1_000 });
    await openTable().commit([{ remove: layout.task.key({ account: this.account, id: task.Id }) }]);
    this.tasks.delete(task.Id);
  }

  openTasks(): number[] {
    const open = [...this.tasks.values()].filter(({ CompletedAt }) => CompletedAt === null);
    return open.sort((a, b) => (a.Due ?? 0) - (b.Due ?? 0) || a.Id - b.Id).map(({ Id }) => Id);
  }

  async page(reader: string, skip: number): Promise<{ ids: number[]; count: number }> {
    const scope = { accountId: this.account, organizationId: null, reader };
    const query = { due: {}, updated: {}, done: false, skip, take: TAKE };
    const { count, tasks } = await listTasks(openTable(), scope, query, new Date(this.now));
    return { count, ids: tasks.map(({ Id }) => Id) };
  }
}

type TaskPage = Awaited<ReturnType<Office['page']>>;

function expectPage(page: TaskPage, lines: TaskPage): void {
  expect(page).toEqual(lines);
}

/** Somebody who reads page after page, and what it must see. */
class Reader {
  notebook: number[] | undefined;
  position = 0;
  readonly #office: Office;
  readonly #name: string;

  constructor(office: Office, name: string) {
    this.#office = office;
    this.#name = name;
  }

  get hasFinished(): boolean {
    return this.notebook !== undefined && this.position >= this.notebook.length;
  }

  begin(): Promise<void> {
    this.notebook = this.#office.openTasks();
    this.position = 0;
    return this.#turn();
  }

  async next(): Promise<void> {
    if (this.notebook && !this.hasFinished) await this.#turn();
    else await this.begin();
  }

  /** A later page once more, as after a lost answer. The first page would begin a new list. */
  async repeat(): Promise<void> {
    if (this.position <= TAKE) return;
    this.position -= TAKE;
    await this.#turn();
  }

  async #turn(): Promise<void> {
    const notebook = this.notebook ?? [];
    const lines = notebook.slice(this.position, this.position + TAKE);
    const page = await this.#office.page(this.#name, this.position);
    expectPage(page, { count: notebook.length, ids: lines.filter((id) => this.#office.tasks.has(id)) });
    this.position += TAKE;
  }
}

const change = fc.record({
  kind: fc.constantFrom('add', 'complete', 'move', 'delete'),
  pick: fc.integer({ min: 0, max: 999 }),
});
const initialTasks = fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 4, maxLength: 14 });

async function openOffice(dues: readonly number[]): Promise<Office> {
  const office = new Office();
  for (const due of dues) await office.add(due);
  return office;
}

describe('each reader sees each match of its first page once, in order', () => {
  test('whatever readers of other keys or names do between: begin, turn, repeat a page, overtake', async () => {
    const turn = fc.record({ reader: fc.nat(2), action: fc.constantFrom('next', 'next', 'next', 'repeat') });
    const steps = fc.array(fc.oneof({ weight: 2, arbitrary: turn }, { weight: 1, arbitrary: change }), {
      minLength: 10,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(initialTasks, steps, async (dues, sequence) => {
        const office = await openOffice(dues);
        const readers = ['a', 'b', 'c'].map((name) => new Reader(office, name));
        for (const step of sequence) {
          office.now += 500;
          if ('kind' in step) await office.change(step.kind, step.pick);
          else await readers[step.reader]?.[step.action]();
        }
      }),
      { numRuns: RUNS },
    );
  }, 60_000);

  test('with the same key and name, if none overtakes one that began before it', async () => {
    const steps = fc.array(fc.oneof({ weight: 2, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: change }), {
      minLength: 10,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(initialTasks, steps, async (dues, sequence) => {
        const office = await openOffice(dues);
        const readers = [0, 1, 2].map(() => new Reader(office, 'shared'));
        for (const step of sequence) {
          office.now += 500;
          if (typeof step === 'object') await office.change(step.kind, step.pick);
          else {
            // In the order in which they began; a finished reader stays finished.
            const reader = readers[step];
            const earlier = readers.slice(0, step).filter(({ hasFinished }) => !hasFinished);
            const mayTurn = earlier.every(({ notebook, position }) => notebook && position > (reader?.position ?? 0));
            if (mayTurn && !reader?.hasFinished) await reader?.next();
          }
        }
      }),
      { numRuns: RUNS },
    );
  }, 60_000);

  test('with the same key and name, if it begins again half a minute after it stopped', async () => {
    const runs = fc.array(
      fc.record({ pages: fc.integer({ min: 1, max: 6 }), changes: fc.array(change, { maxLength: 5 }) }),
      { minLength: 2, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(initialTasks, runs, async (dues, sequence) => {
        const office = await openOffice(dues);
        const reader = new Reader(office, 'shared');
        for (const { pages, changes } of sequence) {
          await reader.begin();
          for (let page = 1; page < pages && !reader.hasFinished; page++) {
            office.now += 500;
            const [next] = changes.splice(0, 1);
            if (next) await office.change(next.kind, next.pick);
            await reader.next();
          }
          for (const { kind, pick } of changes) await office.change(kind, pick);
          office.now += 31_000;
        }
      }),
      { numRuns: RUNS },
    );
  }, 60_000);
});
