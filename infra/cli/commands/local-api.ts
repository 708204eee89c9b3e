import { usesApi } from '../remote/choose.ts';
import { type Remote, type RemoteOptions, requireRemote } from '../remote/profile.ts';
import { isLocalTarget, openLocalApi } from '../local-stack.ts';

/** The local stack's API if other commands use its table; else that of `--profile`, FS_URL or the login. */
export function requireApi(options: RemoteOptions): Remote {
  if (usesApi(options) || !isLocalTarget()) return requireRemote(options);
  const { baseUrl: url, key } = openLocalApi();
  return { profile: '', url, key };
}
