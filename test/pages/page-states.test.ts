import { expect, test } from 'vitest';
import { deadEnd } from '../support/dead-ends.ts';
import { evergreen, pageStates } from '../support/page-states.ts';

test.each(['en', 'es'] as const)('every state of every page has a heading and a way on, in %s', (language) => {
  const mute = { ...evergreen, phone: '', email: '' };
  const deadEnds = [evergreen, { ...evergreen, phone: '' }, mute].flatMap((of) =>
    Object.entries(pageStates(language, of)).flatMap(([name, html]) => {
      const why = deadEnd(html);
      return why ? [`${name}: ${why}`] : [];
    }),
  );
  expect(deadEnds).toEqual([]);
});
