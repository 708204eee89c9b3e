import { type RecordOf, entity } from './declaration/entity.ts';
import { bytes, id, moment, number, numbers, opaque, text, texts } from './declaration/fields.ts';

/** Lines of a file that were imported in one transaction. */
export const importedLinesEntity = entity('ImportedLines', { Lines: numbers() });

/** One import: what a person may take back as a whole. */
export const importRunEntity = entity('ImportRun', {
  Id: id(),
  /** `contacts`, `company`, or the other system. */
  Kind: text(),
  /** Names of its files, without their folders. */
  Files: texts(),
  StartedAt: moment({ required: true }),
  /** Absent for one that runs or was killed. */
  FinishedAt: moment({ optional: true }),
  Created: number(),
  Updated: number(),
  /** When it was taken back, as far as that was possible; and how many of its records stayed. */
  UndoneAt: moment({ optional: true }),
  Left: number(),
});
export type ImportRun = RecordOf<typeof importRunEntity>;

/** A change that an import is about to make of a record. */
export const importedRecordEntity = entity('ImportedRecord', {
  Kind: text({ required: true }),
  Id: id(),
  /** The version that it changes; 0 for a record that it makes. */
  Before: number(),
  /** The request that wrote that version. */
  By: text(),
  /** The fields that it changes, as they were. */
  Was: opaque<Readonly<Record<string, unknown>>>(),
  /** The fields that it adds. */
  Added: texts(),
  /** Where the record is, if its kind and id do not say so. */
  Place: opaque<{ readonly PK: string; readonly SK: string }>(),
});
export type ImportedRecord = RecordOf<typeof importedRecordEntity>;

/** A part of an entry of a company file that an import changes: its fields before and after, as compressed JSON. */
export const importedEntryEntity = entity('ImportedEntry', {
  /** Of the entry. */
  Parts: number({ required: true }),
  Bytes: bytes({ required: true }),
});
