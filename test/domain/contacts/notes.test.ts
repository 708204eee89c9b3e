import { describe, expect, test } from 'vitest';
import { applyNoteInputs } from '../../../lib/domain/contacts/apply-input.ts';

describe('notes', () => {
  const gate = { Id: 1, Title: 'Gate', Body: '4711' };
  const dog = { Id: 2, Title: 'Dog', Body: 'friendly' };
  const old = { Id: 9, Title: 'Old', Body: 'long ago' };

  test('without Id are added, with Id are changed: absent stays, null clears', () => {
    expect(
      applyNoteInputs([gate, dog], [], [{ Body: ' New ' }, { Id: 1, Body: '1234' }, { Id: 2, Title: null }]),
    ).toEqual({
      notes: [
        { ...gate, Body: '1234' },
        { ...dog, Title: '' },
      ],
      added: [{ Title: '', Body: 'New' }],
      errors: [],
    });
  });

  test('sent back unchanged change nothing, on older pages too', () => {
    expect(applyNoteInputs([gate, dog], [old], [old, gate, dog])).toEqual({
      notes: [gate, dog],
      added: [],
      errors: [],
    });
  });

  test('without text, with an unknown Id, or changed though too old are invalid, by their place', () => {
    const { errors, notes } = applyNoteInputs(
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
