/** Ids in their order. Records are made in another one: each container gives ids of blocks of its own. */
export const ascending = (ids: readonly number[]): number[] => ids.toSorted((one, other) => one - other);
