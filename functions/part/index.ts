import { group } from '../../lib/api/group.ts';
import { details } from './details.ts';
import { getdimension } from './getdimension.ts';
import { getpartdimensions } from './getpartdimensions.ts';

export const part = group('part', 'Parts of the price book, and the dimensions in which they are measured.', {
  details,
  getdimension,
  getpartdimensions,
});
export const { handler } = part;
