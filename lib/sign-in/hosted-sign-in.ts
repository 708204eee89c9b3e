import {
  type Configuration,
  None,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';

/** Sign-in on the pages of the user pool: OpenID Connect with code flow and PKCE, without a client secret. */

/** What the browser keeps until the pool sends it back. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The person who signed in, by the pool's own name and by e-mail address; `''` for an address that is not verified. */
export interface SignedIn {
  readonly id: string;
  readonly email: string;
}

/** By issuer, because a local user pool has its own address. */
const found = new Map<string, Promise<Configuration>>();

/** The addresses and keys of the pool, read once; a failure is not kept. */
function configuration(): Promise<Configuration> {
  const issuer = process.env['OFFICE_ISSUER'] ?? 'https://unknown.invalid';
  const reading =
    found.get(issuer) ??
    discover(new URL(issuer)).catch((error: unknown) => {
      found.delete(issuer);
      throw error;
    });
  found.set(issuer, reading);
  return reading;
}

function discover(issuer: URL): Promise<Configuration> {
  const isLocal = issuer.protocol === 'http:' && process.env['STAGE'] === 'local';
  // The signature of an ID token is checked, although it comes from the pool itself.
  const execute = [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])];
  return discovery(issuer, process.env['OFFICE_CLIENT_ID'] ?? '', undefined, None(), { execute });
}

/** The page of the pool where a person signs in, with the hint as the e-mail address, and what finishes the attempt. */
export async function beginSignIn(
  redirectUri: string,
  loginHint: string | undefined,
): Promise<{ address: string; attempt: SignInAttempt }> {
  const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const address = buildAuthorizationUrl(await configuration(), {
    redirect_uri: redirectUri,
    scope: 'openid email',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
    ...(loginHint ? { login_hint: loginHint } : {}),
  });
  return { address: address.href, attempt };
}

/** Who signed in, by the address to which the pool sent the browser back. Throws if the attempt is another. */
export async function finishSignIn(returned: URL, { state, nonce, verifier }: SignInAttempt): Promise<SignedIn> {
  const tokens = await authorizationCodeGrant(await configuration(), returned, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  const isVerified = claims?.['email_verified'] === true || claims?.['email_verified'] === 'true';
  return {
    id: String(claims?.['cognito:username'] ?? claims?.sub ?? ''),
    email: isVerified ? String(claims['email'] ?? '') : '',
  };
}

/**
 * The page of the pool that ends its own session, which would sign the next person in without a password. Amazon
 * Cognito has it at `/logout` of the domain of its sign-in pages; not all of its metadata names it.
 */
export async function signOutAddress(returnTo: string): Promise<string> {
  const { end_session_endpoint: named, authorization_endpoint: pages } = (await configuration()).serverMetadata();
  const address = new URL(named ?? '/logout', pages);
  // The names of Amazon Cognito, and those of the standard.
  address.searchParams.set('client_id', process.env['OFFICE_CLIENT_ID'] ?? '');
  address.searchParams.set('logout_uri', returnTo);
  address.searchParams.set('post_logout_redirect_uri', returnTo);
  return address.href;
}
