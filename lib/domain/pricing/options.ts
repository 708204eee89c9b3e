import type { Standing } from './assemblies.ts';

/** Whether a line's option lets it count: it has none, or a selected one. */
export const isSelected = ({ optionId }: Standing, selected: ReadonlySet<number>): boolean =>
  optionId === null || selected.has(optionId);

/** The options that lines have, in the order of their ids. */
export const optionIds = (standing: readonly Standing[]): number[] =>
  [...new Set(standing.flatMap(({ optionId }) => optionId ?? []))].sort((one, other) => one - other);
