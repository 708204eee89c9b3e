import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { CommandError } from '../output.ts';
import { OWNER_ONLY } from '../output-file.ts';

/** The address of an API, and a key for it. */
export interface Remote {
  /** `''` if it comes from the environment. */
  readonly profile: string;
  readonly url: string;
  readonly key: string;
}

export interface RemoteOptions {
  readonly profile?: string;
}

const DEFAULT_PROFILE = 'default';
const Profiles = z.record(z.string(), z.object({ url: z.string(), key: z.string() }));
type Profiles = z.infer<typeof Profiles>;

/** `profiles.json` in the user's configuration folder. */
function profilesFile(): string {
  const { XDG_CONFIG_HOME: xdg, APPDATA: windows } = process.env;
  return join(xdg || windows || join(homedir(), '.config'), 'field-service', 'profiles.json');
}

function readProfiles(): Profiles {
  const file = profilesFile();
  if (!existsSync(file)) return {};
  try {
    return Profiles.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new CommandError(`${file} cannot be read. Remove it, and log in again.`);
  }
}

/** Only the user may read it, because it contains keys. */
function writeProfiles(profiles: Profiles): void {
  const file = profilesFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}.new`;
  writeFileSync(beside, `${JSON.stringify(profiles, null, 2)}\n`, { mode: OWNER_ONLY });
  renameSync(beside, file);
}

export const profileName = ({ profile }: RemoteOptions): string =>
  profile || process.env['FS_PROFILE'] || DEFAULT_PROFILE;

export function saveProfile({ profile, url, key }: Remote): string {
  writeProfiles({ ...readProfiles(), [profile]: { url, key } });
  return profilesFile();
}

/** Returns whether there was one. */
export function removeProfile(name: string): boolean {
  const { [name]: removed, ...others } = readProfiles();
  if (removed) writeProfiles(others);
  return removed !== undefined;
}

/** The API of `--profile`, else of FS_URL and FS_KEY, else of the last login's profile. */
export function findRemote(options: RemoteOptions): Remote | undefined {
  const { FS_URL: url, FS_KEY: key } = process.env;
  if (!options.profile && url) {
    if (!key) throw new CommandError('FS_URL is set, and FS_KEY is not. Set both, or log in with fs login.');
    return { profile: '', url, key };
  }
  const profile = profileName(options);
  const found = readProfiles()[profile];
  if (!found && (options.profile || process.env['FS_PROFILE']))
    throw new CommandError(`There is no profile ${profile}. fs login --profile ${profile} makes it.`);
  return found && { profile, ...found };
}

export function requireRemote(options: RemoteOptions): Remote {
  const remote = findRemote(options);
  if (remote) return remote;
  throw new CommandError('No address and key. Log in with fs login --url <address>, or set FS_URL and FS_KEY.');
}

/** Returns the API that a command calls, or throws. */
export type RequireApi = (options: RemoteOptions) => Remote;

export const profileOption = (command: Command): Command =>
  command.option('--profile <name>', 'address and key of fs login (default: FS_URL and FS_KEY, or "default")');
