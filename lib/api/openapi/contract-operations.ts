/** The operations of the published contract, by group. The document marks all others `x-extension`. */
const operations: Readonly<Record<string, string>> = {
  accountingclasses: 'create get update',
  appointments: 'addtip book cancel feedback find query queue quickbook slotsearch update',
  blogs: 'find get',
  cancelreasons: 'all',
  channels: 'all bulkupdate campaigns',
  contacts: 'addnote addtags addupdate listtags locate logcall removetags upload',
  customfields: 'all',
  datasubscriber: 'clear downloadstatus fetch forecasts getdownload postalcodes startdownload',
  download: 'downloadstatus getdownload startdownload',
  invoice: 'get import query',
  organizations: 'cancel create details query update',
  part: 'details getdimension getpartdimensions',
  payment: 'import query',
  proposal: 'accept alltemplates create details query quote update upload',
  serviceagents: 'all',
  services: 'all details',
  settings: 'channelcampaigns channels features leadsourcecategories namedtaxrates radiuscities radiuspostalcodes',
  task: 'complete create query update',
  test: 'echo',
  user: 'all create',
  users: 'bulkdisablemfa bulkenablemfa bulkresetmfa',
};

export const isOfContract = ({ group, operation }: { readonly group: string; readonly operation: string }): boolean =>
  operations[group]?.split(' ').includes(operation) ?? false;
