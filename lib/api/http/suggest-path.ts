import { nearest } from '../../shared/text/suggestions.ts';

/** Groups by words of other APIs. */
const GROUPS_BY_WORD: Readonly<Record<string, string>> = {
  bills: 'invoice',
  bookings: 'appointments',
  branches: 'organizations',
  clients: 'contacts',
  customers: 'contacts',
  employees: 'serviceagents',
  estimates: 'proposal',
  events: 'datasubscriber',
  jobs: 'appointments',
  leads: 'contacts',
  locations: 'organizations',
  products: 'part',
  quotes: 'proposal',
  slots: 'appointments',
  technicians: 'serviceagents',
  todos: 'task',
  visits: 'appointments',
  webhooks: 'datasubscriber',
  workorders: 'appointments',
};

/** The group that a name means: a word of other APIs in singular or plural, else the nearest name. */
export function suggestGroup(name: string, groups: readonly string[]): string | undefined {
  const word = name.toLowerCase().replaceAll(/[_-]/g, '');
  return [word, `${word}s`].map((each) => ownValue(GROUPS_BY_WORD, each)).find(Boolean) ?? nearest(word, groups);
}

const CREATE = ['create', 'addupdate', 'import', 'book'];
const READ = ['details', 'get', 'find', 'locate', 'query', 'all'];
const LIST = ['query', 'locate', 'find', 'all'];
const UPDATE = ['update', 'addupdate', 'bulkupdate', 'import'];

/** Operations by verbs of other APIs: of several the first that the group has. */
const OPERATIONS_BY_VERB: Readonly<Record<string, readonly string[]>> = {
  add: CREATE,
  approve: ['accept'],
  availability: ['slotsearch'],
  change: UPDATE,
  create: CREATE,
  delete: ['cancel', 'removetags'],
  details: READ,
  edit: UPDATE,
  fetch: READ,
  find: LIST,
  finish: ['complete'],
  get: READ,
  insert: CREATE,
  list: LIST,
  modify: UPDATE,
  new: CREATE,
  patch: UPDATE,
  price: ['quote'],
  query: LIST,
  read: READ,
  remove: ['cancel', 'removetags'],
  reschedule: UPDATE,
  save: ['addupdate', 'import', 'update'],
  schedule: ['book', 'queue'],
  search: LIST,
  show: READ,
  sign: ['accept'],
  slots: ['slotsearch'],
  update: UPDATE,
  upsert: ['addupdate', 'import', 'update'],
  view: READ,
};

/** The operation of a group that a name means: the nearest name, else one that does what the verb says. */
export function suggestOperation(name: string, operations: readonly string[]): string | undefined {
  const word = name.toLowerCase();
  const near = nearest(word, operations);
  return near ?? ownValue(OPERATIONS_BY_VERB, word)?.find((each) => operations.includes(each));
}

const ownValue = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;
