import { type Meanings, suggest } from '../../shared/text/suggestions.ts';

/** Groups by the words that other APIs use. */
const GROUPS_BY_WORD: Meanings = {
  bills: ['invoice'],
  bookings: ['appointments'],
  branches: ['organizations'],
  clients: ['contacts'],
  customers: ['contacts'],
  employees: ['serviceagents'],
  estimates: ['proposal'],
  events: ['datasubscriber'],
  jobs: ['appointments'],
  leads: ['contacts'],
  locations: ['organizations'],
  products: ['part'],
  quotes: ['proposal'],
  slots: ['appointments'],
  technicians: ['serviceagents'],
  todos: ['task'],
  visits: ['appointments'],
  workorders: ['appointments'],
};

/** A quarter of the letters of a group's name may differ: `unsubscribe` is not `datasubscriber`. */
const GROUP_SHARE = 0.25;

/** The group that a name probably means. */
export const suggestGroup = (name: string, groups: readonly string[]): string | undefined =>
  suggest(name, groups, GROUPS_BY_WORD, { share: GROUP_SHARE });

const CREATE = ['create', 'addupdate', 'import', 'book'];
const READ = ['details', 'get', 'find', 'locate', 'query', 'all'];
const LIST = ['query', 'locate', 'find', 'all'];
const UPDATE = ['update', 'addupdate', 'bulkupdate', 'import'];

/** Operations by the verbs that other APIs use: the first one that the group has. */
const OPERATIONS_BY_VERB: Meanings = {
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

/** The operation of a group that a name probably means. */
export const suggestOperation = (name: string, operations: readonly string[]): string | undefined =>
  suggest(name, operations, OPERATIONS_BY_VERB);
