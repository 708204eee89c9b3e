import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What Amazon Cognito documents of the sign-in pages of a user pool: metadata and keys under the issuer, whose path is
 * the id of the pool; the pages themselves and the token endpoint on a domain of their own; an ID token by RS256 with
 * `cognito:username` and `email_verified`; and a logout endpoint that takes `client_id` and `logout_uri`.
 */

const POOL_ID = 'eu-west-1_a1B2c3D4e';
export const CLIENT_ID = '1example23456789';

/** What a test has other than Cognito has it. */
export interface Variation {
  /** Claims of the ID token. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** Whether the token is signed by a key that the pool does not have. */
  readonly isForged?: boolean;
  /** Whether the metadata names the logout endpoint, as that of pools since 2024 does. */
  readonly namesLogout?: boolean;
}

const keys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Attempt {
  readonly challenge: string;
  readonly nonce: string;
}

export class CognitoPages {
  readonly #server: Server;
  readonly #key = keys();
  readonly #other = keys();
  readonly #attempts = new Map<string, Attempt>();
  readonly #redirectUri: string;
  variation: Variation = {};

  private constructor(redirectUri: string) {
    this.#redirectUri = redirectUri;
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const { status, json } = this.#answer(new URL(request.url ?? '/', this.domain), new URLSearchParams(body));
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
      });
    });
  }

  static async start(redirectUri: string): Promise<CognitoPages> {
    const pages = new CognitoPages(redirectUri);
    await new Promise<void>((resolve) => pages.#server.listen(0, resolve));
    return pages;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}/${POOL_ID}`;
  }

  /** Of the pages: another one than that of the issuer. */
  get domain(): string {
    return `http://localhost:${this.#port}`;
  }

  /** What the pages do once somebody has signed in at the address: they send the browser back with a code. */
  signIn(address: string): URL {
    const { origin, pathname, searchParams } = new URL(address);
    if (origin + pathname !== `${this.domain}/oauth2/authorize`) throw new Error(`no sign-in page at ${address}`);
    const asked = (name: string) => searchParams.get(name) ?? '';
    const isKnown = asked('client_id') === CLIENT_ID && asked('redirect_uri') === this.#redirectUri;
    if (!isKnown || asked('response_type') !== 'code') throw new Error('redirect_mismatch');
    const code = randomUUID();
    this.#attempts.set(code, { challenge: asked('code_challenge'), nonce: asked('nonce') });
    const back = new URL(this.#redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked('state'));
    return back;
  }

  #answer({ pathname }: URL, sent: URLSearchParams): { readonly status: number; readonly json: object } {
    if (pathname === `/${POOL_ID}/.well-known/openid-configuration`) return { status: 200, json: this.#metadata() };
    if (pathname === `/${POOL_ID}/.well-known/jwks.json`) {
      const key = { ...this.#key.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
      return { status: 200, json: { keys: [key] } };
    }
    return pathname === '/oauth2/token' ? this.#exchange(sent) : { status: 404, json: {} };
  }

  #metadata(): object {
    const { domain, issuer } = this;
    return {
      authorization_endpoint: `${domain}/oauth2/authorize`,
      ...(this.variation.namesLogout ? { end_session_endpoint: `${domain}/logout` } : {}),
      id_token_signing_alg_values_supported: ['RS256'],
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      response_types_supported: ['code', 'token'],
      revocation_endpoint: `${domain}/oauth2/revoke`,
      scopes_supported: ['openid', 'email', 'phone', 'profile'],
      subject_types_supported: ['public'],
      token_endpoint: `${domain}/oauth2/token`,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      userinfo_endpoint: `${domain}/oauth2/userInfo`,
    };
  }

  #exchange(sent: URLSearchParams) {
    const attempt = this.#attempts.get(sent.get('code') ?? '');
    this.#attempts.delete(sent.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    if (!attempt || challenge !== attempt.challenge || sent.get('client_id') !== CLIENT_ID)
      return { status: 400, json: { error: 'invalid_grant' } };
    const tokens = { id_token: this.#idToken(attempt), access_token: 'access', refresh_token: 'refresh' };
    return { status: 200, json: { ...tokens, expires_in: 3600, token_type: 'Bearer' } };
  }

  #idToken({ nonce }: Attempt): string {
    const { claims, header, isForged } = this.variation;
    const now = Math.floor(Date.now() / 1_000);
    const content = `${encode({ kid: 'one', alg: 'RS256', ...header })}.${encode({
      sub: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
      email_verified: true,
      iss: this.issuer,
      'cognito:username': 'olive',
      nonce,
      origin_jti: randomUUID(),
      aud: CLIENT_ID,
      event_id: randomUUID(),
      token_use: 'id',
      auth_time: now,
      exp: now + 3_600,
      iat: now,
      jti: randomUUID(),
      email: 'olive@example.com',
      ...claims,
    })}`;
    const { privateKey } = isForged ? this.#other : this.#key;
    return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`;
  }
}
