import { group } from '../../lib/api/group.ts';
import { create } from './create.ts';
import { get } from './get.ts';
import { update } from './update.ts';

export const accountingclasses = group(
  'accountingclasses',
  'Accounting classes and sales territories, by postal code.',
  { create, get, update },
);
export const { handler } = accountingclasses;
