/** Roles of keys and of users; lib/api/callers/roles.ts defines what each may do. */
export const roles = ['Owner', 'Admin', 'Office', 'ServiceAgent', 'Marketing', 'DataSubscriber', 'ReadOnly'] as const;
export type Role = (typeof roles)[number];
