import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContactRow, inBatches } from '../../../../infra/cli/imports/batches.ts';

const row = (line: number, Email = ''): ContactRow => ({ line, contact: { Email } });

async function* each(rows: readonly ContactRow[]): AsyncGenerator<ContactRow> {
  for (const one of rows) {
    await turn();
    yield one;
  }
}

const lines = (batch: readonly ContactRow[]): number[] => batch.map(({ line }) => line);

describe('rows in batches', () => {
  test('a row with the e-mail of an earlier one waits for it, and the rows behind it do not', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => row(index, `p${index % 10 === 9 ? index - 1 : index}`));
    const batches: number[][] = [];
    await inBatches(each(rows), {
      limit: 4,
      async handle(batch) {
        batches.push(lines(batch));
        await turn();
      },
    });
    expect(batches.flat().toSorted((a, b) => a - b)).toEqual(rows.map(({ line }) => line));
    expect(batches[0]).toHaveLength(25);
    expect(batches.length).toBeLessThanOrEqual(6);
  });

  test('rows of one e-mail are handled one after the other, in their order, each once', async () => {
    const emails = fc.array(fc.constantFrom('', 'a', 'b', 'c', 'd', 'e'), { maxLength: 300 });
    const pauses = fc.infiniteStream(fc.nat({ max: 3 }));
    await fc.assert(
      fc.asyncProperty(emails, pauses, fc.integer({ min: 1, max: 5 }), async (given, pausing, limit) => {
        const rows = given.map((email, line) => row(line, email));
        const handled = new Map<string, number[]>();
        const inProgress = new Set<string>();
        let running = 0;
        await inBatches(each(rows), {
          limit,
          async handle(batch) {
            expect(++running).toBeLessThanOrEqual(limit);
            const own = batch.map(({ contact }) => contact.Email ?? '').filter(Boolean);
            expect(new Set(own).size).toBe(own.length);
            for (const email of own) expect(inProgress.has(email)).toBe(false);
            for (const email of own) inProgress.add(email);
            for (const { line, contact } of batch)
              handled.set(contact.Email ?? '', [...(handled.get(contact.Email ?? '') ?? []), line]);
            for (let turns = pausing.next().value ?? 0; turns > 0; turns--) await turn();
            for (const email of own) inProgress.delete(email);
            running--;
          },
        });
        for (const email of new Set(given)) {
          const expected = rows.filter(({ contact }) => contact.Email === email).map(({ line }) => line);
          expect(handled.get(email)).toEqual(expected);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('a batch that fails while the file is read ends the import with its failure', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => row(index));
    const handled: number[] = [];
    const work = inBatches(each(rows), {
      limit: 4,
      async handle(batch) {
        await turn();
        if (batch[0]?.line === 0) throw new Error('the table is lost');
        handled.push(...lines(batch));
      },
    });
    await expect(work).rejects.toThrow('the table is lost');
    expect(handled.length).toBeLessThan(175);
  });
});
