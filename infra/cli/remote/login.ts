import { text as readText } from 'node:stream/consumers';
import type { Command } from 'commander';
import { FieldServiceError } from '../../../lib/client/errors.ts';
import type { OwnKey } from '../../../lib/resources/keys.ts';
import { askSecretly } from '../confirm.ts';
import { examples } from '../examples.ts';
import { jsonOption } from '../options.ts';
import { CommandError, formatList, print } from '../output.ts';
import { connectTo } from './connect.ts';
import {
  type Remote,
  type RemoteOptions,
  type RequireApi,
  profileName,
  profileOption,
  removeProfile,
  saveProfile,
} from './profile.ts';

/** The part of a key that identifies it and is not secret: `fsk_test_4Vd0kT9mQx2L…`. */
const publicPart = (key: string): string => `${/^(fsk_[a-z]+_|fs_).{12}/.exec(key)?.[0] ?? ''}…`;

/** The key, typed without echo, or from the first line of standard input. */
async function readKey(): Promise<string> {
  if (!process.stdin.isTTY) return (await readText(process.stdin)).split('\n', 1)[0]?.trim() ?? '';
  return askSecretly('API key: ');
}

/** What the API says about the key; `undefined` from an earlier version, which only says that the key is valid. */
async function findOwnKey(remote: Remote): Promise<OwnKey | undefined> {
  const fs = await connectTo(remote);
  try {
    const { ResultCode: _, Message: __, ...own } = await fs.call('test/whoami', {});
    return own as OwnKey;
  } catch (error) {
    if (!(error instanceof FieldServiceError) || error.code !== 'unknown_path') throw error;
    await fs.call('test/echo', {});
    return undefined;
  }
}

const formatNamed = ({ Id, Name }: { readonly Id: number; readonly Name: string }): string => `${Name} (${Id})`;

/** Describes the key for people. */
const toLines = (own: OwnKey) => ({
  Name: own.Name,
  Account: own.AccountId,
  Organization: own.Organization ? formatNamed(own.Organization) : 'all of the account',
  Role: own.Role,
  ...(own.Agent ? { Agent: `visits of ${formatNamed(own.Agent)} only` } : {}),
  Operations: `${own.Allow.join(', ') || 'all that the role may call'}${own.ReadOnly ? ', only those that read' : ''}`,
  Assistants: own.Assistant === 'write' ? 'read, and change what a person confirms' : 'only read',
  From: own.From.join(', ') || 'any address',
  Rate: `${own.Rate} calls a second, ${own.Burst} at once after a pause, ${own.InFlight} at the same time`,
  Subscriber: own.Subscriber,
  Expires: own.ExpiresAt ?? 'never',
});

async function login({ url, json, ...options }: RemoteOptions & { url: string; json?: boolean }): Promise<void> {
  const key = await readKey();
  if (!key) throw new CommandError('No key was given. Type it, or send it to standard input: fs login … < key.txt');
  const remote = { profile: profileName(options), url: url.replace(/(\/api)?\/*$/, ''), key };
  await findOwnKey(remote);
  const File = saveProfile(remote);
  const output = { Profile: remote.profile, Url: remote.url, Key: publicPart(key), File };
  print(output, { json, text: formatList(output) });
}

function logout({ json, ...options }: RemoteOptions & { json?: boolean }): void {
  const Profile = profileName(options);
  if (!removeProfile(Profile)) throw new CommandError(`There is no profile ${Profile}.`);
  print(
    { Profile, Removed: true },
    { json, text: `Profile ${Profile} is removed. Its key stays valid until revoked.` },
  );
}

async function whoami(requireApi: RequireApi, { json, ...options }: RemoteOptions & { json?: boolean }): Promise<void> {
  const remote = requireApi(options);
  const own = await findOwnKey(remote);
  const output = { Profile: remote.profile, Url: remote.url, Key: publicPart(remote.key) };
  print({ ...output, ...own }, { json, text: formatList({ ...output, ...(own ? toLines(own) : {}) }) });
}

/** `login`, `logout`, `whoami`. */
export function loginCommands(program: Command, requireApi: RequireApi): void {
  examples(
    jsonOption(profileOption(program.command('login'))),
    'npx fs login --url https://api.example.com',
    'npx fs login --url https://api.example.com --profile test < key.txt',
  )
    .description('Keep an address and a key, which is typed or read from standard input, after trying them')
    .requiredOption('--url <address>', 'address of the API')
    .action(login);
  jsonOption(profileOption(program.command('logout')))
    .description('Forget the address and key of a login')
    .action(logout);
  jsonOption(profileOption(program.command('whoami')))
    .description('Show the address that is used, and what its key is and may do')
    .action((options: RemoteOptions) => whoami(requireApi, options));
}
