/**
 * The operations of each group by name alone, for the function that answers unknown paths without carrying any group.
 * A test holds them against functions/index.ts.
 */
export const operationNames: Readonly<Record<string, readonly string[]>> = {
  contacts: ['locate', 'addupdate', 'addnote', 'addtags', 'listtags', 'removetags', 'logcall', 'upload'],
  appointments: ['slotsearch', 'book', 'update', 'cancel', 'find', 'query', 'queue', 'quickbook', 'addtip', 'feedback'],
  proposal: ['create', 'update', 'details', 'quote', 'query', 'alltemplates', 'accept', 'upload'],
  invoice: ['import', 'get', 'query'],
  payment: ['import', 'query'],
  task: ['create', 'update', 'complete', 'query'],
  datasubscriber: ['clear', 'fetch', 'forecasts', 'postalcodes', 'startdownload', 'downloadstatus', 'getdownload'],
  webhooks: ['create', 'list', 'update', 'rotatesecret', 'test', 'calls', 'replay', 'delete'],
  download: ['startdownload', 'downloadstatus', 'getdownload'],
  organizations: ['create', 'update', 'details', 'query', 'cancel'],
  serviceagents: ['all'],
  services: ['all', 'details'],
  part: ['details', 'getdimension', 'getpartdimensions'],
  channels: ['all', 'bulkupdate', 'campaigns'],
  blogs: ['find', 'get'],
  cancelreasons: ['all'],
  customfields: ['all'],
  accountingclasses: ['create', 'get', 'update'],
  settings: [
    'channelcampaigns',
    'channels',
    'features',
    'leadsourcecategories',
    'namedtaxrates',
    'radiuscities',
    'radiuspostalcodes',
  ],
  user: ['all', 'create'],
  users: ['bulkenablemfa', 'bulkdisablemfa', 'bulkresetmfa'],
  test: ['echo', 'whoami'],
};

export const groupNames: readonly string[] = Object.keys(operationNames);
