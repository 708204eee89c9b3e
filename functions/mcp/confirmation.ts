import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { requestFingerprint } from '../../lib/shared/objects.ts';
import { MINUTE, SECOND } from '../../lib/shared/time/time.ts';

/** How long a preview can be confirmed. */
const VALID_MILLISECONDS = 10 * MINUTE;

/** What a token confirms. Two previews of the same request have two effects if both are confirmed. */
interface Confirmed {
  /** The whole API key: it signs, so the token is useless with another key, and no secret is stored. */
  readonly credential: string;
  readonly operation: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** Digits and lower-case letters only, so that case does not matter in a token. */
const toText = (bytes: Buffer, length: number): string =>
  BigInt(`0x${bytes.toString('hex')}`)
    .toString(36)
    .padStart(length, '0');

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const [NONCE_LENGTH, EFFECT_LENGTH, SIGNATURE_LENGTH] = [6, 8, 19];
const [EFFECT_BYTES, SIGNATURE_BYTES] = [5, 12];

function sign({ credential, operation, request }: Confirmed, parts: string): string {
  const key = sha256(`confirmation ${credential}`).toString('base64url');
  const signature = createHmac('sha256', key)
    .update(`${requestFingerprint(operation, request)}\n${parts}`)
    .digest();
  return toText(signature.subarray(0, SIGNATURE_BYTES), SIGNATURE_LENGTH);
}

/** The fields of an answer that a person agrees to: money, times and agents. Ids and storage times differ. */
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

/** The part of a call's effect that must match its preview. */
export const effectOf = (answer: unknown): string =>
  toText(sha256(JSON.stringify(agreedValues(answer))).subarray(0, EFFECT_BYTES), EFFECT_LENGTH);

/** `c-`, the second until which it is valid, a nonce, the effect and a signature: 44 characters. */
export function confirmationToken(confirmed: Confirmed, effect: string, now: Date): string {
  const until = Math.floor((now.getTime() + VALID_MILLISECONDS) / SECOND).toString(36);
  const nonce = randomInt(36 ** NONCE_LENGTH)
    .toString(36)
    .padStart(NONCE_LENGTH, '0');
  const parts = `${until}-${nonce}-${effect}`;
  return `c-${parts}-${sign(confirmed, parts)}`;
}

/** The end of its validity, then nonce, effect and signature, each of fixed length. */
const FORM = /c-([0-9a-z]{1,8})-([0-9a-z]{6})-([0-9a-z]{8})-([0-9a-z]{19})/;

/**
 * The token as it was made, found in what an assistant sends: it may add quotes, spaces, words or a final period, or
 * change case and hyphens. `"C‑T9…ZQ".` → `c-t9…zq`.
 */
const tokenIn = (sent: string): RegExpExecArray | null =>
  FORM.exec(
    sent
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/\p{Dash}/gu, '-')
      .replaceAll(/[^0-9a-z-]/g, ''),
  );

type Confirmation =
  | { readonly kind: 'valid'; readonly effect: string; readonly token: string }
  | { readonly kind: 'over' }
  | { readonly kind: 'other' };

/**
 * Checks whether a text is the token of a preview with this key, operation and request, and returns the token as it was
 * made.
 */
export function readConfirmation(confirmed: Confirmed, sent: string, now: Date): Confirmation {
  const [token = '', until = '', nonce = '', effect = '', signature = ''] = tokenIn(sent) ?? [];
  const expected = sign(confirmed, `${until}-${nonce}-${effect}`);
  const isSigned =
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  if (!isSigned) return { kind: 'other' };
  return Number.parseInt(until, 36) * SECOND > now.getTime() ? { kind: 'valid', effect, token } : { kind: 'over' };
}
