import { expect, test } from 'vitest';
import type { Company } from '../../lib/pages/frame.ts';
import { deadEnd } from '../support/dead-ends.ts';
import { pageStates } from '../support/page-states.ts';

const company: Company = {
  name: 'Evergreen Richmond',
  address: 'PO Box 6840, Richmond, VA 23230',
  phone: '(804) 555-0100',
  email: 'richmond@example.com',
  website: '',
  color: '',
  logo: '',
};

test.each(['en', 'es'] as const)('every state of every page has a heading and a way on, in %s', (language) => {
  const mute = { ...company, phone: '', email: '' };
  const deadEnds = [company, { ...company, phone: '' }, mute].flatMap((of) =>
    Object.entries(pageStates(language, of)).flatMap(([name, html]) => {
      const why = deadEnd(html);
      return why ? [`${name}: ${why}`] : [];
    }),
  );
  expect(deadEnds).toEqual([]);
});
