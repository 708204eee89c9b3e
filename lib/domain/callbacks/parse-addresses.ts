import type { FieldError } from '../../shared/failure.ts';
import { parseCallbackAddress } from '../../shared/web/web-addresses.ts';

interface CallbackAddresses<Name extends string> {
  /** As the URL standard writes them. */
  readonly addresses: Partial<Record<Name, string>>;
  readonly errors: readonly FieldError[];
}

/**
 * The callback addresses of a request by field name; `""` clears one. What a host's name resolves to is checked at each
 * call, not here: names change their addresses.
 */
export function parseCallbackAddresses<Name extends string>(
  input: Readonly<Partial<Record<Name, string | null | undefined>>>,
  options: { readonly allowLoopback: boolean },
): CallbackAddresses<Name> {
  const addresses: Partial<Record<Name, string>> = {};
  const errors: FieldError[] = [];
  for (const [field, value] of Object.entries(input) as [Name, string | null | undefined][]) {
    if (value === undefined) continue;
    const text = value?.trim() ?? '';
    const result = text === '' ? { ok: true as const, address: '' } : parseCallbackAddress(text, options);
    if (result.ok) addresses[field] = result.address;
    else errors.push({ field, code: 'format', message: result.error });
  }
  return { addresses, errors };
}
