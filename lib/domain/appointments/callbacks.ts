import type { FieldError } from '../../shared/field-errors.ts';

const MAX_CHARACTERS = 2048;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The errors of callback URLs by field name; `""` clears a URL. A local stack may call programs on its own machine.
 * The address of the host is checked at each call, not here: names change their addresses.
 */
export const callbackUrlErrors = (
  input: Readonly<Record<string, string | null | undefined>>,
  { allowLoopback }: { readonly allowLoopback: boolean },
): FieldError[] =>
  Object.entries(input).flatMap(([field, url]) => {
    const message = url?.trim() ? urlError(url.trim(), allowLoopback) : undefined;
    return message ? [{ field, message }] : [];
  });

function urlError(url: string, allowLoopback: boolean): string | undefined {
  if (url.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  if (!URL.canParse(url)) return 'must be a URL such as https://example.com/callback';
  const { protocol, username, password, hostname } = new URL(url);
  if (username || password) return 'must not contain a user name or password';
  if (protocol === 'https:' || (allowLoopback && protocol === 'http:' && LOOPBACK.has(hostname))) return undefined;
  return `must begin with https://${allowLoopback ? ', or with http:// and a host on this machine' : ''}`;
}
