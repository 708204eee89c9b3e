import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginSignIn, finishSignIn, signOutAddress } from '../../lib/sign-in/hosted-sign-in.ts';
import { CLIENT_ID, CognitoPages, type Variation } from '../support/cognito-pages.ts';

const RETURN = 'https://api.example.com/office/signed-in';
const SIGN_IN = 'https://api.example.com/office/sign-in';

let pages: CognitoPages;
beforeEach(async () => {
  pages = await CognitoPages.start(RETURN);
  Object.assign(process.env, { OFFICE_ISSUER: pages.issuer, OFFICE_CLIENT_ID: CLIENT_ID, STAGE: 'local' });
});
afterEach(() => pages.stop());

/** Who has signed in on pages that vary from those of Cognito. */
async function signedIn(variation: Variation = {}) {
  pages.variation = variation;
  const { address, attempt } = await beginSignIn(RETURN, undefined);
  return finishSignIn(pages.signIn(address), attempt);
}

describe('the sign-in pages of Amazon Cognito', () => {
  test('are found by the issuer of the pool, on a domain of their own, and say who signed in', async () => {
    const { address, attempt } = await beginSignIn(RETURN, 'olive@example.com');
    const { origin, searchParams } = new URL(address);
    expect(origin).toBe(pages.domain);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: CLIENT_ID,
      scope: 'openid email',
      code_challenge_method: 'S256',
      login_hint: 'olive@example.com',
    });
    const person = await finishSignIn(pages.signIn(address), attempt);
    expect(person).toEqual({ id: 'olive', email: 'olive@example.com' });
  });

  test('name the person by the name in the pool, not by its subject', async () => {
    const username = 'google_1234567890';
    expect((await signedIn({ claims: { 'cognito:username': username } })).id).toBe(username);
  });

  test.each([
    [true, 'olive@example.com'],
    ['true', 'olive@example.com'],
    [false, ''],
    ['false', ''],
    [undefined, ''],
    [1, ''],
  ])('tell an address that is verified (%j) from others', async (email_verified, email) => {
    expect((await signedIn({ claims: { email_verified } })).email).toBe(email);
  });

  test.each([true, false])(
    'end their session at /logout by client_id and logout_uri; named in metadata: %j',
    async (namesLogout) => {
      pages.variation = { namesLogout };
      const { origin, pathname, searchParams } = new URL(await signOutAddress(SIGN_IN));
      expect(`${origin}${pathname}`).toBe(`${pages.domain}/logout`);
      expect([searchParams.get('client_id'), searchParams.get('logout_uri')]).toEqual([CLIENT_ID, SIGN_IN]);
    },
  );
});

describe('a token is refused', () => {
  const past = Math.floor(Date.now() / 1_000) - 600;
  test.each<readonly [string, Variation]>([
    ['that another key signed', { isForged: true }],
    ['without a signature', { header: { alg: 'none' } }],
    ['of another issuer', { claims: { iss: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_other' } }],
    ['for another client', { claims: { aud: 'another' } }],
    ['that has expired', { claims: { exp: past, iat: past - 10 } }],
    ['of another attempt', { claims: { nonce: 'x'.repeat(43) } }],
    ['without a nonce', { claims: { nonce: undefined } }],
  ])('%s', async (_, variation) => {
    await expect(signedIn(variation)).rejects.toThrow();
    expect((await signedIn()).id).toBe('olive');
  });

  test('when the browser comes back with the state of another attempt, or the verifier is another', async () => {
    const { address, attempt } = await beginSignIn(RETURN, undefined);
    const other = { ...attempt, state: 'x'.repeat(43) };
    await expect(finishSignIn(pages.signIn(address), other)).rejects.toThrow();
    const verifier = { ...attempt, verifier: 'y'.repeat(43) };
    await expect(finishSignIn(pages.signIn(address), verifier)).rejects.toThrow();
    expect((await finishSignIn(pages.signIn(address), attempt)).id).toBe('olive');
  });
});
