import { Dimension } from '../../lib/entities/price-book.ts';
import { operation } from '../../lib/api/operation.ts';
import { dimensionToResource } from '../../lib/domain/pricebook/part-to-resource.ts';
import { id, nested, required } from '../../lib/resources/fields.ts';
import { orNotFound } from '../../lib/shared/failure.ts';
import { findBookEntry } from '../../lib/store/pricebook/price-book.ts';

export const getdimension = operation({
  title: 'Get a dimension',
  summary: 'Returns a dimension, which is a measured attribute of parts.',
  access: 'read',
  request: () => ({ DimensionId: required(id()) }),
  response: () => ({ Dimension: nested(Dimension) }),
  example: { DimensionId: 1 },
  async run({ DimensionId }, { store }) {
    const dimension = await findBookEntry(store, 'dimensions', DimensionId);
    return { Dimension: dimensionToResource(orNotFound(dimension, 'dimension', 'DimensionId', DimensionId)) };
  },
});
