import { assistant } from './assistant.ts';
import { calendars } from './calendars.ts';
import { callbacks } from './callbacks.ts';
import { clientsProof } from './clients.ts';
import { containers } from './containers.ts';
import { dayplan } from './dayplan/index.ts';
import { docs } from './docs.ts';
import { docsPage } from './docs-page.ts';
import { dynamodb } from './dynamodb.ts';
import { downloads } from './downloads/index.ts';
import { imports } from './imports.ts';
import { lists } from './lists.ts';
import { messages } from './messages.ts';
import { office } from './office/index.ts';
import { pages } from './pages/index.ts';
import { privateEvents } from './private-events.ts';
import { programs } from './programs.ts';
import { random } from './random.ts';
import { speed } from './speed.ts';
import { starts } from './starts.ts';
import { stripe } from './stripe.ts';
import { versions } from './versions/index.ts';
import { weekdays } from './weekdays.ts';

/**
 * Proofs that take longer than the tests may: each prints what it found and says whether all of it is as it must be.
 */
const proofs: Record<string, (options: readonly string[]) => Promise<boolean>> = {
  assistant,
  calendars,
  callbacks,
  clients: clientsProof,
  containers,
  dayplan,
  docs,
  'docs-page': docsPage,
  downloads,
  dynamodb,
  imports,
  lists,
  messages,
  office,
  pages,
  'private-events': privateEvents,
  programs,
  random,
  speed,
  starts,
  stripe,
  versions,
  weekdays,
};

const [name, ...options] = process.argv.slice(2);
const selected = name === undefined ? Object.values(proofs) : [proofs[name]];
let passed = true;
for (const prove of selected) {
  if (!prove) {
    process.stderr.write(`There is no proof ${name}; there are ${Object.keys(proofs).join(', ')}.\n`);
    process.exit(2);
  }
  passed = (await prove(options)) && passed;
}
process.exit(passed ? 0 : 1);
