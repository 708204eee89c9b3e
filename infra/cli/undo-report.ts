import type { UndoReport } from '../../lib/workflows/imports/undo-import.ts';
import type { CompanyUndo } from './company-file/undo.ts';

/** An entry of a company file by its name, because a file has no ids. */
interface NamedEntry {
  readonly Kind: string;
  readonly Name: string;
}

/** What an undo did to records, and to entries of company files. */
interface RunUndo extends Omit<UndoReport, 'Left'> {
  readonly Left: readonly (UndoReport['Left'][number] | (NamedEntry & { readonly Why: string }))[];
  /** Entries that the import made and that can no longer be chosen. */
  readonly Retired?: Readonly<Record<string, number>>;
  /** Entries that the import made and that stay, because other records may refer to them. */
  readonly Kept?: readonly NamedEntry[];
  readonly Remarks?: readonly string[];
}

const countKinds = (entries: readonly NamedEntry[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(entries, ({ Kind }) => Kind)].map(([kind, own]) => [kind, own.length]));

export function withEntries(records: UndoReport, { outcomes, remarks }: CompanyUndo): RunUndo {
  const of = (wanted: (typeof outcomes)[number]['kind']) => outcomes.filter(({ kind }) => kind === wanted);
  return {
    ...records,
    Restored: { ...records.Restored, ...countKinds(of('restored')) },
    Retired: countKinds(of('retired')),
    Kept: of('kept').map(({ Kind, Name }) => ({ Kind, Name })),
    Left: [...records.Left, ...of('left').map(({ Kind, Name, why }) => ({ Kind, Name, Why: why }))],
    Remarks: remarks,
  };
}

/** The most records that are printed; `--json` lists all of them. */
const MAX_PRINTED = 50;

const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([kind, count]) => `${kind} ${count.toLocaleString('en-US')}`)
    .join(', ') || 'nothing';

function formatLines(title: string, lines: readonly string[]): string[] {
  const rest = lines.length - MAX_PRINTED;
  return [
    ...(lines.length ? [`${title}: ${lines.length}.`] : []),
    ...lines.slice(0, MAX_PRINTED).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  … and ${rest} more; --json lists them all`] : []),
  ];
}

export function formatUndo(run: number, undo: RunUndo, dryRun: boolean): string {
  const { Removed, Restored, Retired = {}, Kept = [], Left, KeptRefusals, Remarks = [] } = undo;
  const left = Left.map((each) => `${each.Kind} ${'Name' in each ? each.Name : each.Id} ${each.Why}`);
  const kept = Kept.map(({ Kind, Name }) => `${Kind} ${Name}`);
  return [
    `${dryRun ? 'Dry run: run' : 'Run'} ${run}`,
    `Removed: ${formatCounts(Removed)}.`,
    `As before: ${formatCounts(Restored)}.`,
    ...(Object.keys(Retired).length ? [`Stays, but is not used any more: ${formatCounts(Retired)}.`] : []),
    ...(KeptRefusals
      ? [`${KeptRefusals} of these contacts keep that they refuse messages. An undo never takes that back.`]
      : []),
    ...formatLines('Stays, because other records may name it', kept),
    ...formatLines('Left', left),
    ...Remarks,
    ...(Left.length && !dryRun ? [`Run fs import --undo ${run} again once they may go.`] : []),
  ].join('\n');
}
