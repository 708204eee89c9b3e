import type { FieldError } from '../../shared/field-errors.ts';

const MAX_CHARACTERS = 2048;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Why a text is no address that may be called back, or `undefined`. What it leads to is asked when it is called, not here: names change their addresses. */
function whyNot(text: string, allowLoopback: boolean): string | undefined {
  if (text.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  if (!URL.canParse(text)) return 'must be an address like https://example.com/told';
  const { protocol, username, password, hostname } = new URL(text);
  if (username || password) return 'must not hold a user name or password';
  if (protocol === 'https:' || (allowLoopback && protocol === 'http:' && LOOPBACK.has(hostname))) return undefined;
  return `must begin with https://${allowLoopback ? ', or with http:// and lead to this machine' : ''}`;
}

/** The faults of the callback addresses given, by their field names; `""` clears one. A local stack may call programs on its own machine. */
export const callbackUrlErrors = (
  input: Readonly<Record<string, string | null | undefined>>,
  { allowLoopback }: { readonly allowLoopback: boolean },
): FieldError[] =>
  Object.entries(input).flatMap(([field, text]) => {
    const why = text?.trim() ? whyNot(text.trim(), allowLoopback) : undefined;
    return why ? [{ field, message: why }] : [];
  });
