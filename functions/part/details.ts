import { PartDetailed } from '../../lib/entities/parts.ts';
import { operation } from '../../lib/api/operation.ts';
import { partToDetailedResource } from '../../lib/domain/pricebook/part-to-resource.ts';
import { id, nested, required } from '../../lib/resources/fields.ts';
import { orNotFound } from '../../lib/shared/failure.ts';
import { findPart } from '../../lib/store/pricebook/parts.ts';

export const details = operation({
  title: 'Get a part',
  summary: 'Returns a part with all its settings.',
  rules: ['An inactive part is returned too.', 'Parts belong to the account: every organization sees them.'],
  access: 'read',
  request: () => ({ Id: required(id()) }),
  response: () => ({ Part: nested(PartDetailed) }),
  example: { Id: 1 },
  async run({ Id }, { store }) {
    const part = orNotFound(await findPart(store, Id), 'part', 'Id', Id);
    return { Part: partToDetailedResource(part) };
  },
});
