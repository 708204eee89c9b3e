import { Dimension } from '../../lib/entities/price-book.ts';
import { operation } from '../../lib/api/operation.ts';
import { dimensionToResource, hasDimension } from '../../lib/domain/pricebook/part-to-resource.ts';
import { described, id, many, text } from '../../lib/resources/fields.ts';
import { notFound } from '../../lib/shared/failure.ts';
import { findPart } from '../../lib/store/pricebook/parts.ts';
import { listBookEntries } from '../../lib/store/pricebook/price-book.ts';

export const getpartdimensions = operation({
  title: 'List dimensions of a part',
  summary: 'Lists the dimensions of a part, or all of the account, by id.',
  rules: ['A part has the dimensions that name it and those of every part.'],
  access: 'read',
  request: () => ({ PartId: id() }),
  response: () => ({
    Dimensions: described(text(), 'The ids of the dimensions, comma-separated.'),
    Matches: many(Dimension),
  }),
  example: { PartId: 1 },
  async run({ PartId }, { store }) {
    const [part, all] = await Promise.all([
      PartId ? findPart(store, PartId) : undefined,
      listBookEntries(store, 'dimensions'),
    ]);
    if (PartId && !part) throw notFound('part', 'PartId', PartId);
    const dimensions = [...all.values()].filter((dimension) => !PartId || hasDimension(dimension, PartId));
    return { Dimensions: dimensions.map(({ Id }) => Id).join(','), Matches: dimensions.map(dimensionToResource) };
  },
});
