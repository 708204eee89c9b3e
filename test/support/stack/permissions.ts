import type { Access } from '../../../lib/api/operation.ts';
import type { Role } from '../../../lib/shared/roles.ts';

/**
 * Who may call what, written by hand from docs/interface.md, "Keys and roles", and not computed from
 * lib/api/callers/keys.ts: `yes` or `-` for each operation of the contract and each role. AgentKey is a key of role
 * ServiceAgent that belongs to one agent: `visits` for what reaches only contacts of the agent's visits and what is
 * theirs, `company` for lists of the company without persons.
 */
const table = `
  operation                      access  Owner  Admin  Office  ServiceAgent  Marketing  DataSubscriber  ReadOnly  AgentKey
  accountingclasses/create       write   yes    yes    -       -             -          -               -         -
  accountingclasses/get          read    yes    yes    yes     yes           -          yes             yes       -
  accountingclasses/update       write   yes    yes    -       -             -          -               -         -
  appointments/addtip            write   yes    yes    yes     yes           -          -               -         visits
  appointments/book              write   yes    yes    yes     -             -          -               -         -
  appointments/cancel            write   yes    yes    yes     -             -          -               -         -
  appointments/dayplan           read    yes    yes    yes     yes           -          yes             yes       -
  appointments/feedback          write   yes    yes    yes     yes           -          -               -         visits
  appointments/find              read    yes    yes    yes     yes           -          yes             yes       visits
  appointments/query             read    yes    yes    yes     yes           -          yes             yes       visits
  appointments/queue             write   yes    yes    yes     -             -          -               -         -
  appointments/quickbook         write   yes    yes    yes     -             -          -               -         -
  appointments/slotsearch        read    yes    yes    yes     yes           -          yes             yes       visits
  appointments/update            write   yes    yes    yes     yes           -          -               -         visits
  blogs/find                     read    yes    yes    yes     yes           yes        yes             yes       -
  blogs/get                      read    yes    yes    yes     yes           yes        yes             yes       -
  cancelreasons/all              read    yes    yes    yes     yes           -          yes             yes       company
  channels/all                   read    yes    yes    yes     yes           yes        yes             yes       -
  channels/bulkupdate            write   yes    yes    -       -             yes        -               -         -
  channels/campaigns             read    yes    yes    yes     yes           yes        yes             yes       -
  contacts/addnote               write   yes    yes    yes     yes           yes        -               -         visits
  contacts/addtags               write   yes    yes    yes     -             yes        -               -         -
  contacts/addupdate             write   yes    yes    yes     -             yes        -               -         -
  contacts/duplicates            read    yes    yes    yes     yes           yes        yes             yes       -
  contacts/listtags              read    yes    yes    yes     yes           yes        yes             yes       visits
  contacts/locate                read    yes    yes    yes     yes           yes        yes             yes       visits
  contacts/logcall               write   yes    yes    yes     yes           yes        -               -         visits
  contacts/merge                 write   yes    yes    -       -             -          -               -         -
  contacts/messages              read    yes    yes    yes     yes           yes        yes             yes       visits
  contacts/removetags            write   yes    yes    yes     -             yes        -               -         -
  contacts/unmerge               write   yes    yes    -       -             -          -               -         -
  contacts/upload                write   yes    yes    yes     yes           yes        -               -         visits
  customfields/all               read    yes    yes    yes     yes           -          yes             yes       company
  datasubscriber/clear           write   yes    yes    -       -             -          yes             -         -
  datasubscriber/downloadstatus  read    yes    yes    -       -             -          yes             -         -
  datasubscriber/fetch           read    yes    yes    -       -             -          yes             -         -
  datasubscriber/forecasts       read    yes    yes    -       -             -          yes             -         -
  datasubscriber/getdownload     read    yes    yes    -       -             -          yes             -         -
  datasubscriber/postalcodes     read    yes    yes    -       -             -          yes             -         -
  datasubscriber/startdownload   write   yes    yes    -       -             -          yes             -         -
  download/downloadstatus        read    yes    yes    -       -             -          yes             -         -
  download/getdownload           read    yes    yes    -       -             -          yes             -         -
  download/startdownload         write   yes    yes    -       -             -          yes             -         -
  invoice/get                    read    yes    yes    yes     yes           -          yes             yes       visits
  invoice/import                 write   yes    yes    yes     -             -          -               -         -
  invoice/query                  read    yes    yes    yes     yes           -          yes             yes       visits
  messages/preview               read    yes    yes    yes     -             -          -               -         -
  messages/send                  write   yes    yes    yes     -             -          -               -         -
  organizations/cancel           admin   yes    -      -       -             -          -               -         -
  organizations/create           admin   yes    -      -       -             -          -               -         -
  organizations/details          read    yes    yes    yes     yes           -          yes             yes       -
  organizations/figures          read    yes    yes    yes     yes           -          yes             yes       -
  organizations/query            read    yes    yes    yes     yes           -          yes             yes       -
  organizations/update           write   yes    yes    -       -             -          -               -         -
  part/details                   read    yes    yes    yes     yes           -          yes             yes       company
  part/getdimension              read    yes    yes    yes     yes           -          yes             yes       company
  part/getpartdimensions         read    yes    yes    yes     yes           -          yes             yes       company
  payment/import                 write   yes    yes    yes     -             -          -               -         -
  payment/query                  read    yes    yes    yes     yes           -          yes             yes       visits
  proposal/accept                write   yes    yes    yes     -             -          -               -         -
  proposal/alltemplates          read    yes    yes    yes     yes           -          yes             yes       company
  proposal/create                write   yes    yes    yes     -             -          -               -         -
  proposal/details               read    yes    yes    yes     yes           -          yes             yes       visits
  proposal/query                 read    yes    yes    yes     yes           -          yes             yes       visits
  proposal/quote                 read    yes    yes    yes     yes           -          yes             yes       visits
  proposal/update                write   yes    yes    yes     -             -          -               -         -
  proposal/upload                write   yes    yes    yes     -             -          -               -         -
  serviceagents/all              read    yes    yes    yes     yes           -          yes             yes       company
  services/all                   read    yes    yes    yes     yes           -          yes             yes       company
  services/details               read    yes    yes    yes     yes           -          yes             yes       company
  settings/channelcampaigns      read    yes    yes    yes     yes           yes        yes             yes       -
  settings/channels              read    yes    yes    yes     yes           yes        yes             yes       -
  settings/features              read    yes    yes    yes     yes           yes        yes             yes       company
  settings/leadsourcecategories  read    yes    yes    yes     yes           yes        yes             yes       -
  settings/namedtaxrates         read    yes    yes    yes     yes           yes        yes             yes       company
  settings/radiuscities          read    yes    yes    yes     yes           yes        yes             yes       -
  settings/radiuspostalcodes     read    yes    yes    yes     yes           yes        yes             yes       -
  task/complete                  write   yes    yes    yes     yes           -          -               -         visits
  task/create                    write   yes    yes    yes     -             -          -               -         -
  task/query                     read    yes    yes    yes     yes           -          yes             yes       visits
  task/update                    write   yes    yes    yes     yes           -          -               -         visits
  test/echo                      read    yes    yes    yes     yes           yes        yes             yes       company
  test/whoami                    read    yes    yes    yes     yes           yes        yes             yes       company
  user/all                       read    yes    yes    yes     yes           -          yes             yes       -
  user/create                    write   yes    yes    -       -             -          -               -         -
  users/bulkdisablemfa           admin   yes    -      -       -             -          -               -         -
  users/bulkenablemfa            admin   yes    -      -       -             -          -               -         -
  users/bulkresetmfa             admin   yes    -      -       -             -          -               -         -
  webhooks/calls                 read    yes    yes    -       -             -          -               -         -
  webhooks/create                write   yes    yes    -       -             -          -               -         -
  webhooks/delete                write   yes    yes    -       -             -          -               -         -
  webhooks/list                  read    yes    yes    -       -             -          -               -         -
  webhooks/replay                write   yes    yes    -       -             -          -               -         -
  webhooks/rotatesecret          write   yes    yes    -       -             -          -               -         -
  webhooks/test                  write   yes    yes    -       -             -          -               -         -
  webhooks/update                write   yes    yes    -       -             -          -               -         -
`;

interface Permission {
  readonly name: string;
  readonly access: Access;
  readonly roles: readonly Role[];
  readonly agentKey: 'visits' | 'company' | '-';
}

const [header = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const columns = header.slice(2, -1) as Role[];

/** A row of the table: an operation, and the roles that may call it. */
export const permissions: readonly Permission[] = rows.map(([name = '', access = '', ...cells]) => ({
  name,
  access: access as Access,
  roles: columns.filter((_, index) => cells[index] === 'yes'),
  agentKey: cells.at(-1) as Permission['agentKey'],
}));

/** Whether a key of the role may call the operation, by the table. */
export function mayCall(role: Role, name: string): boolean {
  const permission = permissions.find((row) => row.name === name);
  if (!permission) throw new Error(`The table of permissions has no row for ${name}.`);
  return permission.roles.includes(role);
}
