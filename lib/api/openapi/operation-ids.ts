import type { Operation } from '../operation.ts';

/**
 * Paths that consist of several words. Generated clients name their functions after operation ids, so an id never
 * changes.
 */
const camelCase: Readonly<Record<string, string>> = {
  accountingclasses: 'accountingClasses',
  addnote: 'addNote',
  addtags: 'addTags',
  addtip: 'addTip',
  addupdate: 'addUpdate',
  alltemplates: 'allTemplates',
  bulkdisablemfa: 'bulkDisableMfa',
  bulkenablemfa: 'bulkEnableMfa',
  bulkresetmfa: 'bulkResetMfa',
  bulkupdate: 'bulkUpdate',
  cancelreasons: 'cancelReasons',
  channelcampaigns: 'channelCampaigns',
  customfields: 'customFields',
  datasubscriber: 'dataSubscriber',
  downloadstatus: 'downloadStatus',
  getdimension: 'getDimension',
  getdownload: 'getDownload',
  getpartdimensions: 'getPartDimensions',
  leadsourcecategories: 'leadSourceCategories',
  listtags: 'listTags',
  logcall: 'logCall',
  namedtaxrates: 'namedTaxRates',
  postalcodes: 'postalCodes',
  quickbook: 'quickBook',
  radiuscities: 'radiusCities',
  radiuspostalcodes: 'radiusPostalCodes',
  removetags: 'removeTags',
  rotatesecret: 'rotateSecret',
  serviceagents: 'serviceAgents',
  slotsearch: 'slotSearch',
  startdownload: 'startDownload',
};

/** Names of groups for people. */
const GROUP_TITLES: Readonly<Record<string, string>> = {
  contacts: 'Contacts',
  appointments: 'Appointments',
  proposal: 'Proposals',
  invoice: 'Invoices',
  payment: 'Payments',
  task: 'Tasks',
  datasubscriber: 'Events',
  webhooks: 'Webhooks',
  download: 'Downloads',
  organizations: 'Organizations',
  serviceagents: 'Service agents',
  services: 'Services',
  part: 'Parts',
  channels: 'Marketing channels',
  blogs: 'Articles',
  cancelreasons: 'Cancel reasons',
  customfields: 'Custom fields',
  accountingclasses: 'Accounting classes',
  settings: 'Settings',
  user: 'Users',
  users: 'Two-factor authentication',
  test: 'Test',
};

export const groupTitle = (group: string): string => GROUP_TITLES[group] ?? capital(group);

const toId = (word: string): string => camelCase[word] ?? word;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Operations that return a list, so that their names are plural. */
const LISTS = new Set(['all', 'find', 'locate', 'query', 'list', 'calls', 'duplicates']);

/** The plural of a group's name; some are plural already. */
const plural = (group: string): string => (group.endsWith('s') ? group : `${group}s`);
const singular = (group: string): string => group.replace(/(?<=ss)es$|s$/, '');

/** `BookAppointment` for appointments/book, `QueryInvoices` for invoice/query: the base name of its components. */
export function operationTitle({ group, operation }: Operation): string {
  const [noun, verb] = [toId(group), capital(toId(operation))];
  if (group === 'settings') return `${verb}Settings`;
  const name = capital(LISTS.has(operation) ? plural(noun) : singular(noun));
  return verb.toLowerCase().endsWith(name.toLowerCase()) ? verb : verb + name;
}

/** `contacts.addUpdate` for contacts/addupdate. */
export const operationId = ({ group, operation }: Operation): string => `${toId(group)}.${toId(operation)}`;
