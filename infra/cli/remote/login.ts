import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import type { Command } from 'commander';
import { examples } from '../examples.ts';
import { jsonOption } from '../options.ts';
import { CommandError, formatList, print } from '../output.ts';
import { connectTo } from './connect.ts';
import {
  type RemoteOptions,
  profileName,
  profileOption,
  removeProfile,
  requireRemote,
  saveProfile,
} from './profile.ts';

/** The part of a key that tells which it is, and no secret: `fsk_test_4Vd0kT9mQx2L…`. */
const publicPart = (key: string): string => `${/^(fsk_[a-z]+_|fs_).{12}/.exec(key)?.[0] ?? ''}…`;

/** The key as it is typed, without showing it, or the first line of standard input. */
async function readKey(): Promise<string> {
  if (!process.stdin.isTTY) return (await readText(process.stdin)).split('\n', 1)[0]?.trim() ?? '';
  const silent = new Writable({ write: (_, __, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write('API key: ');
  const key = await terminal.question('');
  terminal.close();
  process.stderr.write('\n');
  return key.trim();
}

async function login({ url, json, ...options }: RemoteOptions & { url: string; json?: boolean }): Promise<void> {
  const key = await readKey();
  if (!key) throw new CommandError('No key was given. Type it, or send it to standard input: fs login … < key.txt');
  const remote = { profile: profileName(options), url: url.replace(/(\/api)?\/*$/, ''), key };
  await (await connectTo(remote)).call('test/echo', {});
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

async function whoami({ json, ...options }: RemoteOptions & { json?: boolean }): Promise<void> {
  const remote = requireRemote(options);
  await (await connectTo(remote)).call('test/echo', {});
  const output = { Profile: remote.profile, Url: remote.url, Key: publicPart(remote.key) };
  print(output, { json, text: formatList(output) });
}

/** `login`, `logout`, `whoami`. */
export function loginCommands(program: Command): void {
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
    .description('Show the address and the public part of the key that are used, after trying them')
    .action(whoami);
}
