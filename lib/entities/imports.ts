import { type RecordOf, entity } from './declaration/entity.ts';
import { bytes, id, moment, number, numbers, opaque, text, texts } from './declaration/fields.ts';

/** Lines of a file that were imported in one transaction. */
export const importedLinesEntity = entity('ImportedLines', { Lines: numbers() });

/** One import, which can be undone as a whole. */
export const importRunEntity = entity('ImportRun', {
  Id: id(),
  /** `contacts`, `company`, or the name of the other system. */
  Kind: text(),
  /** Names of its files, without folders. */
  Files: texts(),
  StartedAt: moment({ required: true }),
  /** Absent while it runs, or if it was killed. */
  FinishedAt: moment({ optional: true }),
  Created: number(),
  Updated: number(),
  /** When it was undone, as far as possible, and how many of its records stayed. */
  UndoneAt: moment({ optional: true }),
  Left: number(),
});
export type ImportRun = RecordOf<typeof importRunEntity>;

/** A change that an import is about to make to a record. */
export const importedRecordEntity = entity('ImportedRecord', {
  Kind: text({ required: true }),
  Id: id(),
  /** The version that it changes; 0 for a record that it makes. */
  Before: number(),
  /** The request that wrote that version. */
  By: text(),
  /** The previous values of the fields that it changes. */
  Was: opaque<Readonly<Record<string, unknown>>>(),
  /** The fields that it adds. */
  Added: texts(),
  /** The key of the record, if its kind and id do not determine it. */
  Place: opaque<{ readonly PK: string; readonly SK: string }>(),
});
export type ImportedRecord = RecordOf<typeof importedRecordEntity>;

/** A part of a company file entry that an import changes: its fields before and after, as compressed JSON. */
export const importedEntryEntity = entity('ImportedEntry', {
  /** Number of parts of the entry. */
  Parts: number({ required: true }),
  Bytes: bytes({ required: true }),
});
