import { type RequestListener, createServer } from 'node:http';
import type { Router } from 'cognito-local/lib/server/Router.js';
import type { Services } from 'cognito-local/lib/services/index.js';
import { LOCAL_POOL } from './data-folder.ts';
import { foreignPage } from './local-callers.ts';
import { type Listening, listen } from './ports.ts';

interface SignInOptions {
  /** Contains the people, their passwords and their factors. */
  readonly folder: string;
  readonly port: number;
  /** Origins of web pages elsewhere that may call. */
  readonly origins: readonly string[];
  /** Called for each e-mail and text message, which are not sent here. */
  readonly onMessage: (line: string) => void;
}

/** Suppresses what cognito-local logs. */
const quiet = {
  ...Object.fromEntries(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => [level, () => undefined]),
  ),
  level: 'silent',
  levels: { values: {} },
  bindings: () => ({}),
  child: () => quiet,
};
const context = { logger: quiet } as unknown as Parameters<Services['cognito']['listUserPools']>[0];

/**
 * Amazon Cognito of the local stack, by cognito-local: a user pool whose people sign in by their e-mail addresses.
 * Loaded only here, because most starts have no sign-in.
 */
export async function startSignIn({ folder, port, origins, onMessage }: SignInOptions): Promise<Listening> {
  // cognito-local loads version 2 of the SDK, which warns at each start that it is old.
  process.env['AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE'] = '1';
  const services = await openServices(folder, onMessage);
  if (!(await services.cognito.listUserPools(context)).length)
    await services.cognito.createUserPool(context, { Id: LOCAL_POOL, ...POOL });
  const [{ createServer: createCognito }, { Router: routerOf }] = await Promise.all([
    import('cognito-local'),
    import('cognito-local/lib/server/Router.js'),
  ]);
  const router = withAdminCalls(services, routerOf(services));
  const { application } = createCognito(router, context.logger as never, {}, services) as {
    application: RequestListener;
  };
  const server = createServer((request, response) => {
    const reason = foreignPage(request, { servesPages: true, origins });
    if (reason === undefined) return application(request, response);
    response.writeHead(403, { 'content-type': 'text/plain' }).end(reason);
  });
  return listen(server, port);
}

const POOL = {
  UsernameAttributes: ['email'],
  MfaConfiguration: 'OPTIONAL',
  UsernameConfiguration: { CaseSensitive: false },
};

/** As in cognito-local's `createDefaultServer`, but in our folder and without a mail program. */
async function openServices(folder: string, onMessage: (line: string) => void): Promise<Services> {
  const [services, cognito, pools, stores, delivery, { otp }, tokens, { CryptoService }, { DefaultConfig }] =
    await Promise.all([
      import('cognito-local/lib/services/index.js'),
      import('cognito-local/lib/services/cognitoService.js'),
      import('cognito-local/lib/services/userPoolService.js'),
      import('cognito-local/lib/services/dataStore/stormDb.js'),
      import('cognito-local/lib/services/messageDelivery/messageDelivery.js'),
      import('cognito-local/lib/services/otp.js'),
      import('cognito-local/lib/services/tokenGenerator.js'),
      import('cognito-local/lib/services/crypto.js'),
      import('cognito-local/lib/server/config.js'),
    ]);
  const clock = new services.DateClock();
  const files = new stores.StormDBDataStoreFactory(folder);
  const poolFactory = new pools.UserPoolServiceFactoryImpl(clock, files);
  const people = await new cognito.CognitoServiceFactoryImpl(folder, files, poolFactory).create(context, POOL);
  // No trigger is configured, so no function is ever called.
  const triggers = new services.TriggersService(
    clock,
    people,
    new services.LambdaService({}, {} as never),
    new CryptoService(),
  );
  type Send = (
    of: unknown,
    user: unknown,
    to: string,
    message: { readonly __code?: string | undefined },
  ) => Promise<void>;
  const send: Send = async (_of, _user, to, { __code: code = '' }) => onMessage(`Sign-in, to ${to}: ${code}`);
  const messages = new services.MessagesService(
    triggers,
    new delivery.MessageDeliveryService({ sendEmail: send, sendSms: send } as never),
  );
  const tokenGenerator = new tokens.JwtTokenGenerator(clock, triggers, {});
  return { clock, cognito: people, config: DefaultConfig, messages, otp, tokenGenerator, triggers };
}

interface Setting {
  readonly Enabled?: boolean;
  readonly PreferredMfa?: boolean;
}

interface MfaRequest {
  readonly UserPoolId: string;
  readonly Username: string;
  readonly SoftwareTokenMfaSettings?: Setting;
  readonly SMSMfaSettings?: Setting;
  readonly EmailMfaSettings?: Setting;
  readonly MessageAction?: string;
}

/**
 * Calls that cognito-local lacks: an administrator sets a person's factors, signs them out, and sends an invitation
 * again.
 */
function withAdminCalls({ cognito, messages }: Services, route: Router): Router {
  const load = async ({ UserPoolId, Username }: MfaRequest) => {
    const { InvalidParameterError, UserNotFoundError } = await import('cognito-local/lib/errors.js');
    const pool = await cognito.getUserPool(context, UserPoolId);
    const user = await pool.getUserByUsername(context, Username);
    if (!user) throw new UserNotFoundError('User does not exist.');
    return { pool, user, refused: (message: string) => new InvalidParameterError(message) };
  };
  const calls: Readonly<Record<string, (of: unknown, request: MfaRequest) => Promise<object>>> = {
    async AdminSetUserMFAPreference(_of, request) {
      const { pool, user, refused } = await load(request);
      const { SoftwareTokenMfaSettings: app, SMSMfaSettings: sms, EmailMfaSettings: email } = request;
      if (app?.Enabled && !user.SoftwareTokenMfaConfiguration?.Verified)
        throw refused('User does not have delivery config set to turn on SOFTWARE_TOKEN_MFA');
      const settings = { SOFTWARE_TOKEN_MFA: app, SMS_MFA: sms, EMAIL_OTP: email };
      const factors = Object.entries(settings).flatMap(([factor, setting]) =>
        (setting?.Enabled ?? user.UserMFASettingList?.includes(factor)) ? [factor] : [],
      );
      const preferred = Object.entries(settings).find(([, setting]) => setting?.PreferredMfa)?.[0];
      const { PreferredMfaSetting: _former, ...others } = user;
      const preference = preferred === undefined ? {} : { PreferredMfaSetting: preferred };
      await pool.saveUser(context, { ...others, UserMFASettingList: factors, ...preference });
      return {};
    },
    async AdminCreateUser(of, request) {
      if (request.MessageAction !== 'RESEND') return route('AdminCreateUser')(of as never, request as never);
      const { user } = await load(request);
      const to = user.Attributes.find(({ Name }) => Name === 'email')?.Value ?? '';
      const mail = { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: to } as const;
      await messages.deliver(context, 'AdminCreateUser', null, request.UserPoolId, user, user.Password, {}, mail);
      return {};
    },
    async AdminUserGlobalSignOut(_of, request) {
      const { pool, user } = await load(request);
      await pool.saveUser(context, { ...user, RefreshTokens: [] });
      return {};
    },
  };
  return (target) => calls[target] ?? route(target);
}
