import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { FieldServiceError } from '../../../lib/client/errors.ts';
import type { OwnKey } from '../../../lib/resources/keys.ts';
import { examples } from '../examples.ts';
import { jsonOption } from '../options.ts';
import { CommandError, formatList, print } from '../output.ts';
import { version } from '../version.ts';
import { type Api, connectTo } from './connect.ts';
import { type Remote, type RemoteOptions, type RequireApi, profileOption } from './profile.ts';

interface Health {
  readonly Version: string;
  readonly Stage: string;
}

/** The answer of `/health`, which requires no key. */
async function readHealth({ url }: Remote): Promise<Health> {
  const answer = await fetch(`${url}/health`).catch(() => undefined);
  const health = (await answer?.json().catch(() => undefined)) as Partial<Health> | undefined;
  if (typeof health?.Version === 'string') return { Version: health.Version, Stage: health.Stage ?? '' };
  throw new CommandError(`Nothing serves at ${url}. A local stack is started with npm start.`);
}

/** Lists whose answers include the number of records. */
const COUNTED = {
  Appointments: 'appointments/query',
  Proposals: 'proposal/query',
  Invoices: 'invoice/query',
  Payments: 'payment/query',
  OpenTasks: 'task/query',
};

/** `null` if the key may not read them. */
async function count(fs: Api, operation: string): Promise<number | null> {
  try {
    return Number((await fs.call(operation, { Take: 1 }))['Count']);
  } catch (error) {
    if (error instanceof FieldServiceError && error.status === 403) return null;
    throw error;
  }
}

async function status(requireApi: RequireApi, { json, ...options }: RemoteOptions & { json?: boolean }): Promise<void> {
  const remote = requireApi(options);
  const { Version, Stage } = await readHealth(remote);
  const fs = await connectTo(remote);
  const own = (await fs.call('test/whoami', {})) as unknown as OwnKey;
  const counts = await Promise.all(
    Object.entries(COUNTED).map(async ([name, operation]) => [name, await count(fs, operation)] as const),
  );
  const output = {
    Url: remote.url,
    Version,
    Stage,
    Tool: version,
    Account: own.AccountId,
    Organization: own.Organization?.Name ?? null,
    ...Object.fromEntries(counts),
  };
  print(output, { json, text: formatList(output) });
}

/** Programs that open an address. */
const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer.exe' };

/** Whether a program could be started; without a screen there may be none. */
const openInBrowser = (url: string): Promise<boolean> =>
  new Promise((done) => {
    const program = process.env['BROWSER'] || (openers[process.platform] ?? 'xdg-open');
    const browser = spawn(program, [url], { detached: true, stdio: 'ignore' });
    browser.once('error', () => done(false));
    browser.once('spawn', () => {
      browser.unref();
      done(true);
    });
  });

async function open(requireApi: RequireApi, { json, ...options }: RemoteOptions & { json?: boolean }): Promise<void> {
  const remote = requireApi(options);
  await readHealth(remote);
  const Url = `${remote.url}/docs`;
  const Opened = await openInBrowser(Url);
  print({ Url, Opened }, { json, text: Opened ? Url : `Open ${Url} in a browser: none could be started here.` });
}

/** `status` and `open`. */
export function statusCommands(program: Command, requireApi: RequireApi): void {
  jsonOption(profileOption(program.command('status')))
    .description('Show what serves, its version, and how many records the key sees')
    .action((options: RemoteOptions) => status(requireApi, options));
  examples(jsonOption(profileOption(program.command('open'))), 'npx fs open')
    .description('Open the documentation in a browser')
    .action((options: RemoteOptions) => open(requireApi, options));
}
