import type { Operation } from '../operation.ts';

/** The words of paths that are several words. Generated clients name their functions so: an id never changes. */
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
  serviceagents: 'serviceAgents',
  slotsearch: 'slotSearch',
  startdownload: 'startDownload',
};

const toId = (word: string): string => camelCase[word] ?? word;

/** `contacts.addUpdate` for contacts/addupdate. */
export const operationId = ({ group, operation }: Operation): string => `${toId(group)}.${toId(operation)}`;
