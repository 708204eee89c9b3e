import { expect, test } from 'vitest';
import { readers, sources } from '../support/text-readers.ts';

/** Files that make patterns of texts of their own, and a reader that reads through them. */
const made: Readonly<Record<string, string>> = {
  'lib/api/aws-messages.ts': 'staticMessage',
  'lib/domain/imports/cells.ts': 'readTimes',
  'lib/shared/time/time.ts': 'parseDuration',
  'lib/shared/text/text.ts': 'isEmail',
  'lib/shared/time/read-moments.ts': 'parseMoment',
};
/** Keys of the table, whose parts between two separators hold none: at most 3 KB. */
const ofKeys = ['lib/store/entities.ts'];
/** Words of one contact, each quoted, by which the command-line tool erases it: no caller's text is read by them. */
const ofErasure = [
  'lib/domain/contacts/person.ts',
  'lib/domain/contacts/person-words.ts',
  'lib/workflows/erasure/erase-copies.ts',
];
/** The script of a page, which reads class names that the page itself writes. */
const ofScripts = ['lib/pages/office/drag-script.ts'];

test('patterns made of texts are read through a reader that is tried with long texts', () => {
  const files = sources.filter(({ text }) => text.includes('new RegExp(')).map(({ file }) => file);
  expect(files.toSorted()).toEqual([...Object.keys(made), ...ofKeys, ...ofErasure, ...ofScripts].toSorted());
  expect(Object.values(made).filter((name) => !(name in readers))).toEqual([]);
});
