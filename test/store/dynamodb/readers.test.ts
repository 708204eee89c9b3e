import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TaskRecord, taskEntity } from '../../../lib/entities/tasks.ts';
import { openTable } from '../../../lib/store/dynamodb/table.ts';
import { UnknownList } from '../../../lib/store/dynamodb/errors.ts';
import { layout } from '../../../lib/store/keys.ts';
import { listTasks, taskChanges } from '../../../lib/store/tasks.ts';
import { listReader } from '../../support/list-readers.ts';
import { type TestTable, startTable } from '../../support/stack/engine.ts';
import { storeOf } from '../../../lib/store/store.ts';

/**
 * Persons page through the open tasks of an account by due date while tasks are added, completed, moved and deleted.
 * Some of them cannot be told apart: they have one key, address and program. The oracle is a librarian, who writes the
 * open tasks into a new notebook whenever somebody asks for a first page, and turns the pages of notebooks.
 */

const RUNS = Number(process.env['READER_RUNS'] ?? 3);
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

  static async open(dues: readonly number[]): Promise<Office> {
    const office = new Office();
    for (const due of dues) await office.add(due);
    return office;
  }

  async #write(before: TaskRecord | undefined, after: TaskRecord): Promise<void> {
    const { record, change } = taskChanges({ account: this.account }, { before, after, now: new Date(this.now) });
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

  async page(program: string, skip: number, header?: string) {
    const reader = listReader(program, header);
    const scope = { account: this.account, organizationId: null, reader };
    const query = { due: {}, updated: {}, done: false, skip, take: TAKE };
    const { count, tasks } = await listTasks(storeOf(openTable(), scope), query, new Date(this.now));
    return { count, ids: tasks.map(({ Id }) => Id), header: reader.header };
  }
}

type TaskPage = Awaited<ReturnType<Office['page']>>;

function expectPage(page: TaskPage, expected: TaskPage): void {
  expect(page).toEqual(expected);
}

interface Notebook {
  readonly lines: readonly number[];
  /** Where the last page of it ended. */
  end: number;
  /** Lines up to the end of a page, by the `skip` of the next one: lines of tasks that were gone count too. */
  readonly marks: Map<number, number>;
}

/** Knows the notebooks of persons that look alike; the newest is the first. */
class Librarian {
  #notebooks: Notebook[] = [];

  begin(lines: readonly number[]): Notebook {
    const notebook = { lines, end: TAKE, marks: new Map([[0, 0]]) };
    // A list of one page is remembered only if it hides an older one.
    if (lines.length > TAKE || this.#notebooks.length) this.#notebooks = [notebook, ...this.#notebooks].slice(0, 8);
    return notebook;
  }

  continue(skip: number): Notebook | undefined {
    return this.#notebooks.find(({ end }) => end === skip) ?? this.#notebooks[0];
  }
}

/** Somebody who reads page after page. */
class Person {
  readonly #office: Office;
  readonly #program: string;
  readonly #librarian: Librarian;
  #notebook: Notebook | undefined;
  #header: string | undefined;
  #position = 0;

  constructor(office: Office, program: string, librarian: Librarian) {
    this.#office = office;
    this.#program = program;
    this.#librarian = librarian;
  }

  async begin(): Promise<void> {
    this.#position = 0;
    await this.#turn(this.#librarian.begin(this.#office.openTasks()));
  }

  /** The next page of whichever notebook the librarian takes this person to read. */
  async next(): Promise<void> {
    const notebook = this.#mayGoOn() ? this.#librarian.continue(this.#position) : undefined;
    await (notebook ? this.#turn(notebook) : this.begin());
  }

  /** The next page of the very notebook of the page before. */
  async nextOfList(): Promise<void> {
    if (this.#notebook && this.#header && this.#mayGoOn()) await this.#turn(this.#notebook, this.#header);
    else await this.begin();
  }

  /** A page once more, as after a lost answer. */
  async repeat(): Promise<void> {
    if (!this.#notebook || !this.#header || this.#position < TAKE) return;
    this.#position -= TAKE;
    await this.#turn(this.#notebook, this.#header);
  }

  /** Until the page behind the end, which is empty. */
  #mayGoOn(): boolean {
    return this.#notebook !== undefined && this.#position < this.#notebook.lines.length + TAKE;
  }

  async #turn(notebook: Notebook, header?: string): Promise<void> {
    const page = await this.#office.page(this.#program, this.#position, header);
    const nearest = Math.max(...[...notebook.marks.keys()].filter((skip) => skip <= this.#position));
    const start = (notebook.marks.get(nearest) ?? 0) + this.#position - nearest;
    const rest = notebook.lines.slice(start).filter((id) => this.#office.tasks.has(id));
    const ids = rest.slice(0, TAKE);
    const end = ids.length < TAKE ? notebook.lines.length : notebook.lines.indexOf(ids.at(-1) ?? 0) + 1;
    expectPage(page, { count: notebook.lines.length, ids, header: header ?? page.header });
    this.#notebook = notebook;
    this.#header = page.header;
    this.#position += TAKE;
    if (start >= notebook.lines.length) return;
    notebook.end = this.#position;
    notebook.marks.set(this.#position, end);
  }
}

const change = fc.record({
  kind: fc.constantFrom('add' as const, 'complete' as const, 'move' as const, 'delete' as const),
  pick: fc.integer({ min: 0, max: 999 }),
});
const turn = fc.record({
  person: fc.nat(3),
  action: fc.constantFrom('next' as const, 'next' as const, 'nextOfList' as const, 'begin' as const, 'repeat' as const),
});
const initialTasks = fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 4, maxLength: 14 });

describe('a page continues the newest list of its reader that ended there, and with X-List exactly that one', () => {
  test('whatever several readers, also of one key and program, ask between, and whatever changes', async () => {
    const steps = fc.array(fc.oneof({ weight: 3, arbitrary: turn }, { weight: 1, arbitrary: change }), {
      minLength: 10,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(initialTasks, steps, async (dues, sequence) => {
        const office = await Office.open(dues);
        const librarians = new Map(['tab', 'job'].map((program) => [program, new Librarian()]));
        const persons = ['tab', 'tab', 'job', 'tab'].map(
          (program) => new Person(office, program, librarians.get(program) ?? new Librarian()),
        );
        for (const step of sequence) {
          office.now += 500;
          if ('kind' in step) await office.change(step.kind, step.pick);
          else await persons[step.person]?.[step.action]();
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('a reader that begins again at once has all that was added, and never a page of its old list', async () => {
    const run = fc.record({
      pages: fc.integer({ min: 1, max: 5 }),
      changes: fc.array(change, { maxLength: 5 }),
      pause: fc.nat(400_000),
    });
    await fc.assert(
      fc.asyncProperty(initialTasks, fc.array(run, { minLength: 2, maxLength: 4 }), async (dues, runs) => {
        const office = await Office.open(dues);
        for (const { pages, changes, pause } of runs) {
          const lines = office.openTasks();
          let start = 0;
          for (let page = 0; page < pages && start <= lines.length; page++) {
            // Nothing is saved of a list of one page, so the page behind it is read again.
            if (page && lines.length <= TAKE) break;
            const seen = lines
              .slice(start)
              .filter((id) => office.tasks.has(id))
              .slice(0, TAKE);
            start = seen.length < TAKE ? lines.length + 1 : lines.indexOf(seen.at(-1) ?? 0) + 1;
            expect((await office.page('tab', page * TAKE)).ids).toEqual(seen);
            const [next] = changes.splice(0, 1);
            if (next && page < pages - 1) await office.change(next.kind, next.pick);
          }
          for (const { kind, pick } of changes) await office.change(kind, pick);
          office.now += pause;
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('which is refused after ten minutes, for another query and for a list that never was', async () => {
    const office = await Office.open([1, 2, 3, 4, 5, 6, 7]);
    const { header = '' } = await office.page('tab', 0);
    office.now += 599_000;
    expect((await office.page('other program', TAKE, header)).ids).toEqual([4, 5, 6]);
    office.now += 2_000;
    await expect(office.page('tab', TAKE, header)).rejects.toThrow(UnknownList);
    await expect((await Office.open([1, 2, 3, 4])).page('tab', TAKE, header)).rejects.toThrow(UnknownList);
    for (const other of ['', 'nonsense', header.slice(0, -1)])
      await expect(office.page('tab', TAKE, other)).rejects.toThrow(UnknownList);
  });
});
