import { expect, test } from 'vitest';
import { officePagesWith } from '../support/office-views.ts';

test('a canceled visit ahead is not next on the page of a client: it stands on its own', () => {
  const page = officePagesWith('Ana Diaz')['client'] ?? '';
  const [, next = '', rest = ''] = /<h3>Next<\/h3>(.*?)<h3>Canceled<\/h3>(.*)/s.exec(page) ?? [];
  const [canceled = ''] = rest.split('<h3>Last</h3>');
  expect(next).toContain('Booked');
  expect(next).not.toContain('Canceled');
  expect(canceled).toContain('Canceled');
  expect(canceled).not.toContain('Booked');
});
