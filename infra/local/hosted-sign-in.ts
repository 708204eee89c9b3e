import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { UserRecord } from '../../lib/entities/users.ts';
import { type Content, Html, html } from '../../lib/pages/html.ts';
import { foreignPage } from './local-callers.ts';
import { type Listening, listen } from './ports.ts';
import { standInPage } from './stand-in-page.ts';

type LocalPerson = Pick<UserRecord, 'Email' | 'Name' | 'Role'>;

interface HostedSignInOptions {
  readonly port: number;
  /** The address of the API. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** The active users of the company. */
  readonly people: () => Promise<readonly LocalPerson[]>;
}

/**
 * The sign-in pages of Amazon Cognito on the local stack, by oidc-provider: OpenID Connect with code flow and PKCE. It
 * asks for no password. Who signs in is chosen from the users of the company, or named by `login_hint`.
 */
export async function startHostedSignIn(options: HostedSignInOptions): Promise<Listening> {
  const { port } = options;
  let provider: ReturnType<typeof makeProvider> | undefined;
  const server = createServer((request, response) => {
    const reason = foreignPage(request, { servesPages: true });
    if (reason !== undefined) return response.writeHead(403, { 'content-type': 'text/plain' }).end(reason);
    // Most starts have no sign-in, which takes a moment to load.
    provider ??= makeProvider(options);
    void provider.then((serve) => serve(request, response));
    return undefined;
  });
  return listen(server, port);
}

/** In seconds. */
const HOUR = 60 * 60;

const INTERACTION = /^\/interaction\/[\w-]+$/;

async function makeProvider({ port, baseUrl, clientId, people }: HostedSignInOptions) {
  const { Provider } = await import('oidc-provider');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        id_token_signed_response_alg: 'ES256',
        redirect_uris: [`${baseUrl}/office/signed-in`],
        post_logout_redirect_uris: [`${baseUrl}/office/sign-in`],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'local' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // Like Cognito, whose ID token has the e-mail address.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (context, form) => {
          context.body = signOutPage(form);
        },
      },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: [clientId] },
    ttl: { Interaction: HOUR, Grant: HOUR, Session: HOUR, AccessToken: HOUR, IdToken: HOUR },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: id, email_verified: true }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId,
        ...(oidc.session?.accountId === undefined ? {} : { accountId: oidc.session.accountId }),
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', baseUrl);
    if (!INTERACTION.test(pathname)) return void (await answer(request, response));
    const { params } = await provider.interactionDetails(request, response);
    const all = await people();
    const wanted = searchParams.get('as') ?? params['login_hint'];
    const person = all.find(({ Email }) => Email === wanted);
    if (person) return provider.interactionFinished(request, response, { login: { accountId: person.Email } });
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(choicePage(pathname, all));
  };
}

/** The page of a title and content. */
const page = (title: string, content: Content): string =>
  standInPage(
    title,
    html`<main>
      <h1>${title}</h1>
      ${content}
    </main>`,
  );

/** `form` is that of the library. */
const signOutPage = (form: string): string =>
  page('Sign out on the local stack', [
    new Html(form),
    html`<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
  ]);

const choicePage = (path: string, people: readonly LocalPerson[]): string =>
  page(
    'Sign in on the local stack',
    html`<ul>
      ${people.map(
        ({ Email, Name, Role }) =>
          html`<li><a href="${path}?as=${encodeURIComponent(Email)}">${Name}</a>, ${Role}, ${Email}</li>`,
      )}
    </ul>`,
  );
