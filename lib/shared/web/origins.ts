/** Origins of pages that may call from a browser (CORS). */

/** https anywhere; http only for this machine, where pages are developed. */
const ORIGIN = /^(https:\/\/[^*]+|http:\/\/(127\.0\.0\.1|\[::1\]|([a-z0-9-]+\.)*localhost)(:\d+)?)$/;

/** Whether a text is an origin as browsers send it, of a page that nobody can modify in transit. */
export const isOrigin = (text: string): boolean =>
  ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text;

export const ORIGIN_RULE = 'must be origins such as https://app.example.com or http://localhost:5173, without a path';

/** How long a browser caches a preflight; Chromium allows no longer. */
export const PREFLIGHT_HOURS = 2;

interface Allowed {
  readonly methods: readonly string[];
  readonly headers: readonly string[];
}

/** The answer to a preflight of this origin. */
export const preflightHeaders = (origin: string, { methods, headers }: Allowed): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-methods': methods.join(','),
  'access-control-allow-headers': headers.join(','),
  'access-control-max-age': String(PREFLIGHT_HOURS * 3_600),
  vary: 'Origin',
});
