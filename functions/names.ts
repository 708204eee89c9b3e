/**
 * The names of the groups of operations alone, for the function that answers unknown paths without carrying any group.
 * A test holds it against functions/index.ts.
 */
export const groupNames = [
  'test',
  'contacts',
  'datasubscriber',
  'download',
  'task',
  'blogs',
  'cancelreasons',
  'channels',
  'customfields',
  'settings',
  'organizations',
  'serviceagents',
  'user',
  'users',
  'accountingclasses',
  'services',
  'part',
  'appointments',
  'invoice',
  'payment',
  'proposal',
] as const;
