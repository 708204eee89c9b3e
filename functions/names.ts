/**
 * The operations of each group by name alone, for the function that answers unknown paths without carrying any group.
 * A test holds them against functions/index.ts.
 */
export const operationNames: Readonly<Record<string, readonly string[]>> = {
  test: ['echo'],
  contacts: ['locate', 'addupdate', 'addnote', 'addtags', 'listtags', 'removetags', 'logcall', 'upload'],
  datasubscriber: ['clear', 'fetch', 'forecasts', 'postalcodes', 'startdownload', 'downloadstatus', 'getdownload'],
  download: ['startdownload', 'downloadstatus', 'getdownload'],
  task: ['create', 'update', 'complete', 'query'],
  blogs: ['find', 'get'],
  cancelreasons: ['all'],
  channels: ['all', 'bulkupdate', 'campaigns'],
  customfields: ['all'],
  settings: [
    'channelcampaigns',
    'channels',
    'features',
    'leadsourcecategories',
    'namedtaxrates',
    'radiuscities',
    'radiuspostalcodes',
  ],
  organizations: ['create', 'update', 'details', 'query', 'cancel'],
  serviceagents: ['all'],
  user: ['all', 'create'],
  users: ['bulkenablemfa', 'bulkdisablemfa', 'bulkresetmfa'],
  accountingclasses: ['create', 'get', 'update'],
  services: ['all', 'details'],
  part: ['details', 'getdimension', 'getpartdimensions'],
  appointments: ['slotsearch', 'book', 'update', 'cancel', 'find', 'query', 'queue', 'quickbook', 'addtip', 'feedback'],
  invoice: ['import', 'get', 'query'],
  payment: ['import', 'query'],
  proposal: ['create', 'update', 'details', 'quote', 'query', 'alltemplates', 'accept', 'upload'],
};

export const groupNames: readonly string[] = Object.keys(operationNames);
