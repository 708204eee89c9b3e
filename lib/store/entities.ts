import { type Key, layout } from './keys.ts';

/** Names of saved lists contain `#`, at the end of their sort key. */
const matcher = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace('{item}', '.*').replaceAll(/\{\w+\}/g, '[^#]*')}$`);

const matchers = Object.values(layout).map((pattern) => ({
  entity: pattern.entity,
  partition: matcher(pattern.partition),
  sort: matcher(pattern.sort),
}));

/** The name of a kind of item in the table. */
export type EntityName = (typeof matchers)[number]['entity'];

/**
 * The kind of an item according to its key; `undefined` if this version does not know it, such as one of an earlier
 * version.
 */
export const entityAt = ({ PK, SK }: Key): EntityName | undefined =>
  matchers.find(({ partition, sort }) => partition.test(PK) && sort.test(SK))?.entity;
