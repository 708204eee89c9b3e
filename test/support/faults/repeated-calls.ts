import { type RecordOf, entity } from '../../../lib/entities/declaration/entity.ts';
import { number, texts } from '../../../lib/entities/declaration/fields.ts';
import type { Change } from '../../../lib/store/dynamodb/changes.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/table.ts';
import { StoreConflict, StoreUnavailable } from '../../../lib/store/dynamodb/errors.ts';
import { versionedChange } from '../../../lib/store/dynamodb/records.ts';
import { commitWithResponse, findResponse } from '../../../lib/store/requests/idempotency.ts';
import { type Budget, type Choose, MemoryTable, type Process, interleave } from './interleavings.ts';

const now = new Date(Date.UTC(2026, 2, 8));

/** A record with the effects of calls, each by the call that had it and by the attempt that made it. */
const logEntity = entity('Record', { V: number(), Effects: texts() });
type Log = RecordOf<typeof logEntity>;

const recordKey = (id: number) => ({ PK: `A#test#RECORD#${id}`, SK: 'RECORD' });
const impatient = { isOver: () => true };
let attempts = 0;

/** What one call does: reads the record, and adds its effect to it, or creates one. */
type Operation = (table: TableWriter, effect: string) => Promise<readonly Change[]>;

const append: Operation = async (table, effect) => {
  const before = (await table.get(recordKey(1))) as unknown as Log;
  const after = { ...before, Effects: [...before.Effects, effect] };
  return [versionedChange(logEntity, recordKey(1), { before, after }).change];
};
const create =
  (ids: { last: number }): Operation =>
  async (_, effect) => {
    const after: Log = { V: 0, Effects: [effect] };
    return [versionedChange(logEntity, recordKey(++ids.last), { before: undefined, after }).change];
  };
/** One put or a transaction, by the state. */
const appendOrBoth: Operation = async (table, effect) => {
  const changes = await append(table, effect);
  const { V } = (await table.get(recordKey(1))) as unknown as Log;
  return V % 2 ? changes : [...changes, { put: { PK: 'A#test#OTHER', SK: 'OTHER', V } }];
};

interface Call {
  readonly name: string;
  /** Undefined without an Idempotency-Key. */
  readonly idempotencyKey: string | undefined;
  readonly operation: Operation;
  readonly answers: string[];
}

/** As perform does it: after a conflict once more, and a 503 where the table does not answer. */
async function serve(table: TableWriter, { idempotencyKey = '', operation, answers, name }: Call): Promise<void> {
  const key = { account: 'test', publicPart: 'public', idempotencyKey };
  const scope = { key, now, patience: impatient };
  for (let count = 0; count < 12; count++)
    try {
      const effect = `${idempotencyKey || name}:${attempts++}`;
      if (!idempotencyKey) return await table.commit(await operation(table, effect));
      const { response, unchanged } = await findResponse(table, scope);
      if (response) return void answers.push(response.Body);
      const changes = await operation(table, effect);
      const saved = { Fingerprint: 'f', Status: 200, Body: effect };
      await commitWithResponse(table, changes, saved, { ...scope, unchanged });
      return void answers.push(effect);
    } catch (error) {
      if (error instanceof StoreUnavailable) return;
      if (!(error instanceof StoreConflict)) throw error;
    }
}

/** `npm test` looks at few interruptions and errors, `npm run prove -- random` at one more of each. */
const MORE = Number(process.env['MORE_INTERLEAVINGS'] ?? 0);
const budget = (switches: number, errors: number): Budget => ({ switches: switches + MORE, errors: errors + MORE });

export interface Scenario {
  readonly name: string;
  readonly operation: (ids: { last: number }) => Operation;
  /** Calls of others with keys of their own, one after another, then others without. */
  readonly others?: { readonly keyed: number; readonly plain: number };
  readonly budget: Budget;
}

/** Two calls with one key at once, others beside them, and the same call again at the end. */
export async function playRepeats({ operation, others, budget }: Scenario, choose: Choose): Promise<void> {
  const memory = new MemoryTable();
  memory.write([{ put: { ...recordKey(1), V: 1, Effects: [] } }]);
  const answers: string[] = [];
  const repeated = operation({ last: 1 });
  const same = (name: string): Call => ({ name, idempotencyKey: 'same', operation: repeated, answers });
  const last: string[] = [];
  const { keyed = 0, plain = 0 } = others ?? {};
  const processes: Process[] = [
    { name: 'one', isFaulty: true, run: (table) => serve(table, same('one')) },
    { name: 'other', isFaulty: true, run: (table) => serve(table, same('other')) },
    {
      name: 'others',
      async run(table, direct) {
        // All but the last of the calls with keys are between the same two requests of the others.
        if (keyed) await table.get(recordKey(1));
        for (let index = 0; index < keyed; index++) {
          const keyedCall = { name: 'others', idempotencyKey: `key ${index}`, operation: append, answers: [] };
          await serve(index < keyed - 1 ? direct : table, keyedCall);
        }
        for (let index = 0; index < plain; index++)
          await serve(table, { name: `plain ${index}`, idempotencyKey: undefined, operation: append, answers: [] });
      },
    },
    { name: 'last', isLast: true, run: (table) => serve(table, { ...same('last'), answers: last }) },
  ];
  await interleave(memory, processes, budget, choose);
  const effects = [...memory.items.values()].flatMap((item) => (item['Effects'] as string[] | undefined) ?? []);
  const made = effects.filter((effect) => effect.startsWith('same:'));
  const isRight = made.length === 1 && last.length === 1 && effects.length === 1 + keyed + plain;
  if (isRight && [...answers, ...last].every((answer) => answer === made[0])) return;
  throw new Error(`not one effect of each key with its answer: ${JSON.stringify({ effects, answers, last })}`);
}

export const scenarios: readonly Scenario[] = [
  { name: 'a change', operation: () => append, budget: budget(2, 1) },
  { name: 'a new record', operation: create, budget: budget(2, 1) },
  {
    name: 'a change between those of others',
    operation: () => append,
    others: { keyed: 0, plain: 1 },
    budget: budget(1, 1),
  },
  {
    name: 'a change with as many keyed ones of others as drop its mark',
    operation: () => append,
    others: { keyed: 5, plain: 0 },
    budget: budget(1, 0),
  },
  {
    name: 'a change that is several by the time it is repeated',
    operation: () => appendOrBoth,
    others: { keyed: 0, plain: 1 },
    budget: budget(1, 1),
  },
];
