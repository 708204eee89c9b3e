/** Roles of keys and users, in the order of the interface; lib/api/callers/keys.ts defines what each may do. */
export const rolesLeastFirst = [
  'ReadOnly',
  'DataSubscriber',
  'Marketing',
  'ServiceAgent',
  'Office',
  'Admin',
  'Owner',
] as const;
export type Role = (typeof rolesLeastFirst)[number];

/** In the order people expect: the most powerful role first. */
export const roles: readonly Role[] = rolesLeastFirst.toReversed();
