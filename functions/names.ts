import recorded from './operation-names.json' with { type: 'json' };

/** The operations of each group, for hints at misspelt paths, so that the groups need not be loaded. */
export const operationNames: Readonly<Record<string, readonly string[]>> = recorded;

export const groupNames: readonly string[] = Object.keys(operationNames);
