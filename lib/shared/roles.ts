/** Roles of keys and of users, in the order of the interface; lib/api/callers/keys.ts defines what each may do. */
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

/** As people read them: the one that may do most comes first. */
export const roles: readonly Role[] = rolesLeastFirst.toReversed();
