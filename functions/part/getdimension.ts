import { notFound } from '../../lib/api/failure.ts';
import { operation } from '../../lib/api/operation.ts';
import { dimensionOf } from '../../lib/domain/pricebook/dimension-view.ts';
import { Dimension } from '../../lib/resources/dimensions.ts';
import { id, required } from '../../lib/resources/fields.ts';
import { nested } from '../../lib/resources/resource.ts';
import { findBookEntry } from '../../lib/store/book-entries.ts';

export const getdimension = operation({
  name: 'part/getdimension',
  summary: 'A dimension: a measured attribute of parts.',
  access: 'read',
  needs: ['table:read'],
  request: () => ({ DimensionId: required(id()) }),
  response: () => ({ Dimension: nested(Dimension) }),
  failures: ['invalid', 'notFound'],
  example: { DimensionId: 1 },
  async run({ DimensionId }, { caller, table }) {
    const dimension = await findBookEntry(table, caller.accountId, 'dimensions', DimensionId);
    if (!dimension) throw notFound('dimension', 'DimensionId', DimensionId);
    return { Dimension: dimensionOf(dimension) };
  },
});
