import type { Group } from '../lib/api/group.ts';
import { accountingclasses } from './accountingclasses/index.ts';
import { appointments } from './appointments/index.ts';
import { blogs } from './blogs/index.ts';
import { cancelreasons } from './cancelreasons/index.ts';
import { channels } from './channels/index.ts';
import { contacts } from './contacts/index.ts';
import { customfields } from './customfields/index.ts';
import { datasubscriber } from './datasubscriber/index.ts';
import { docs } from './docs/index.ts';
import { download } from './download/index.ts';
import { files } from './files/index.ts';
import { invoice } from './invoice/index.ts';
import { mcp } from './mcp/index.ts';
import { leads } from './leads/index.ts';
import { messages } from './messages/index.ts';
import { office } from './office/index.ts';
import { organizations } from './organizations/index.ts';
import { pages } from './pages/index.ts';
import { part } from './part/index.ts';
import { payment } from './payment/index.ts';
import { proposal } from './proposal/index.ts';
import { serviceagents } from './serviceagents/index.ts';
import { services } from './services/index.ts';
import { settings } from './settings/index.ts';
import { task } from './task/index.ts';
import { test } from './test/index.ts';
import { uploads } from './uploads/index.ts';
import { user } from './user/index.ts';
import { users } from './users/index.ts';
import { webhooks } from './webhooks/index.ts';

/**
 * Every group of the interface in the order of the work, and the functions that serve some paths separately; infra, the
 * document and the shared tests loop over it.
 */
export const groups: readonly Group[] = [
  contacts,
  appointments,
  proposal,
  invoice,
  payment,
  messages,
  task,
  datasubscriber,
  webhooks,
  download,
  organizations,
  serviceagents,
  services,
  part,
  channels,
  blogs,
  cancelreasons,
  customfields,
  accountingclasses,
  settings,
  user,
  users,
  test,
  uploads,
  files,
  pages,
  leads,
  mcp,
  office,
  docs,
];
