import {
  type Configuration,
  None,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  discovery,
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

let found: Promise<Configuration> | undefined;

/** The addresses and keys of the pool, read once; a failure is not kept. */
function configuration(): Promise<Configuration> {
  found ??= discover().catch((error: unknown) => {
    found = undefined;
    throw error;
  });
  return found;
}

function discover(): Promise<Configuration> {
  const issuer = new URL(process.env['OFFICE_ISSUER'] ?? 'https://unknown.invalid');
  const execute = issuer.protocol === 'http:' && process.env['STAGE'] === 'local' ? [allowInsecureRequests] : [];
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

/** The page of the pool that ends its own session, which would sign the next person in without a password. */
export async function signOutAddress(returnTo: string): Promise<string> {
  const client = process.env['OFFICE_CLIENT_ID'] ?? '';
  return buildEndSessionUrl(await configuration(), {
    // The names of Amazon Cognito, and those of the standard.
    client_id: client,
    logout_uri: returnTo,
    post_logout_redirect_uri: returnTo,
  }).href;
}
