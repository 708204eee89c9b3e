import type { Change } from './dynamodb/changes.ts';
import type { TableReader } from './dynamodb/client.ts';
import { layout } from './keys.ts';

/** How long an imported line is remembered: a file imported again after that is new. */
const REMEMBERED_SECONDS = 30 * 24 * 60 * 60;

/** A file being imported into an account; `hash` tells it from every other. */
export interface ImportedFile {
  readonly account: string;
  readonly hash: string;
}

/**
 * The change that remembers lines of a file as imported, for the same transaction as what they bring: each is imported
 * once, whenever the run ends. It fails where another run of the same file was first.
 */
export const writeImportedLines = ({ account, hash }: ImportedFile, lines: readonly number[], now: Date): Change => ({
  put: {
    ...layout.importedLines.key({ account, hash, line: lines[0] ?? 0 }),
    Lines: lines,
    TTL: Math.floor(now.getTime() / 1000) + REMEMBERED_SECONDS,
  },
  if: 'absent',
});

/** The lines of a file that have been imported. */
export async function findImportedLines(table: TableReader, { account, hash }: ImportedFile): Promise<Set<number>> {
  const lines = new Set<number>();
  let after: string | undefined;
  do {
    const page = await table.query({ partition: layout.importedLines.of({ account, hash }), after, consistent: true });
    for (const item of page.items) for (const line of item['Lines'] as number[]) lines.add(line);
    after = page.next;
  } while (after !== undefined);
  return lines;
}
