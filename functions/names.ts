import { groups } from './index.ts';

const operations = groups.flatMap((group) => group.operations);

export const groupNames: readonly string[] = [...new Set(operations.map(({ group }) => group))];

/**
 * The operations of each group by name. The bundle of the function that answers unknown paths has these names and no
 * group (infra/bundle/names-alone.ts).
 */
export const operationNames: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  groupNames.map((name) => [name, operations.filter(({ group }) => group === name).map(({ operation }) => operation)]),
);
