import { describe, expect, test } from 'vitest';
import { mergeNotes } from '../../../lib/domain/contacts/notes.ts';

describe('notes', () => {
  const gate = { Id: 1, Title: 'Gate', Body: '4711' };
  const dog = { Id: 2, Title: 'Dog', Body: 'friendly' };
  const old = { Id: 9, Title: 'Old', Body: 'long ago' };

  test('without Id are added, with Id changed: absent stays, null clears', () => {
    expect(mergeNotes([gate, dog], [], [{ Body: ' New ' }, { Id: 1, Body: '1234' }, { Id: 2, Title: null }])).toEqual({
      notes: [
        { ...gate, Body: '1234' },
        { ...dog, Title: '' },
      ],
      added: [{ Title: '', Body: 'New' }],
      errors: [],
    });
  });

  test('sent back as they are change nothing, those on older pages neither', () => {
    expect(mergeNotes([gate, dog], [old], [old, gate, dog])).toEqual({ notes: [gate, dog], added: [], errors: [] });
  });

  test('of nothing, of an unknown Id, or too old to be changed are at fault, by their place', () => {
    const { errors, notes } = mergeNotes(
      [gate],
      [old],
      [{ Title: ' ' }, { Id: 77, Body: 'x' }, { Id: 9, Body: 'new' }, { Id: 1, Title: null, Body: '' }],
    );
    expect([errors.map(({ field }) => field), notes]).toEqual([
      ['Notes[0].Body', 'Notes[1].Id', 'Notes[2]', 'Notes[3].Body'],
      [gate],
    ]);
  });
});
