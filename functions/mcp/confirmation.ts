import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { randomHandle } from '../../lib/store/dynamodb/records.ts';
import { MINUTE, SECOND } from '../../lib/shared/time/time.ts';

/** How long a preview can be confirmed. */
const VALID_MILLISECONDS = 10 * MINUTE;

/** What a confirmation is for. Two previews of the same are two effects if both are confirmed. */
interface Confirmed {
  /** The whole API key: it signs, so the token is of no use with another key, and no secret is stored. */
  readonly credential: string;
  readonly operation: string;
  readonly request: object;
}

const FORM = /^c-([0-9a-z]{1,8})-([0-9A-Za-z]{6})-([\w-]{8})-([\w-]{22})$/;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

function sign({ credential, operation, request }: Confirmed, parts: string): string {
  const key = digestOf(`confirmation ${credential}`);
  return createHmac('sha256', key)
    .update(`${operation}\n${JSON.stringify(request)}\n${parts}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url');
}

/** The fields of an answer that a person agrees to: money, times and who comes. Ids and moments of storing differ. */
const AGREED = /^(Total|Subtotal|Tax|Amount|Balance|BalanceDue|BasePrice|UnitPrice|DateTime|ServiceAgentId|Duration)$/;

function agreedValues(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(agreedValues);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null
      ? agreedValues(inner)
      : AGREED.test(name)
        ? [`${name} ${String(inner)}`]
        : [],
  );
}

/** What of the effect of a call must be as it was previewed. */
export const effectOf = (answer: unknown): string => digestOf(JSON.stringify(agreedValues(answer))).slice(0, 8);

/** `c-` and the second until which it is valid, a nonce, the effect and a signature: 44 characters. */
export function confirmationToken(confirmed: Confirmed, effect: string, now: Date): string {
  const until = Math.floor((now.getTime() + VALID_MILLISECONDS) / SECOND);
  const parts = `${until.toString(36)}-${randomHandle(6)}-${effect}`;
  return `c-${parts}-${sign(confirmed, parts)}`;
}

type Confirmation =
  | { readonly kind: 'valid'; readonly effect: string }
  | { readonly kind: 'over' }
  | { readonly kind: 'other' };

/** Whether a token is of a preview with this key, operation and request. */
export function readConfirmation(confirmed: Confirmed, token: string, now: Date): Confirmation {
  const [, until = '', nonce = '', effect = '', signature = ''] = FORM.exec(token) ?? [];
  const expected = sign(confirmed, `${until}-${nonce}-${effect}`);
  const isSigned =
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  if (!isSigned) return { kind: 'other' };
  return Number.parseInt(until, 36) * SECOND > now.getTime() ? { kind: 'valid', effect } : { kind: 'over' };
}
