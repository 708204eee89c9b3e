import { Duration, Validations } from 'aws-cdk-lib';
import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  type CfnStage,
  CorsHttpMethod,
  type CorsPreflightOptions,
  type IHttpRouteAuthorizer,
  DomainName,
  HttpApi,
  HttpIntegrationType,
  HttpMethod,
  HttpRoute,
  HttpRouteIntegration,
  type HttpRouteIntegrationConfig,
  HttpRouteKey,
  HttpStage,
  IntegrationCredentials,
  LogGroupLogDestination,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Group } from '../lib/api/group.ts';
import { PREFLIGHT_HOURS } from '../lib/shared/web/origins.ts';
import { ALLOWED_HEADERS, API_METHODS, EXPOSED_HEADERS } from './cors.ts';
import { type Deployed, type FunctionSettings, makeFunction, makeLogGroup } from './functions.ts';
import { formerStatements } from './former-grants.ts';
import { type Resources, filePatternsOf, pipelineStatements, statementsOf, variablesOf } from './grants.ts';
import { type OpenPaths, type Rate, type StageSettings, oldCertificate } from './stages.ts';

/** API Gateway ends a call after 30 s; one second earlier, the function can still respond itself. */
const timeout = Duration.seconds(29);

export interface Endpoint {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  /** The access log. */
  readonly logGroup: LogGroup;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The target of the DNS record for the custom domain. */
  readonly domainTarget?: string;
}

/** The HTTP API without routes, because functions need its address, and routes need the functions. */
export const makeEndpoint = (scope: Construct, settings: StageSettings): Endpoint => {
  const { domain: ownDomain, throttle, edge, cors } = settings;
  // CloudFront has the domain and calls the API by its own address.
  const domain = edge && !edge.keepOldAddress ? undefined : ownDomain;
  // With a custom domain, only that one can be called: its throttles, name and certificate cannot be bypassed.
  const api = new HttpApi(scope, 'Api', {
    createDefaultStage: false,
    disableExecuteApiEndpoint: Boolean(domain) && !edge,
    ...(cors && { corsPreflight: corsOf(cors) }),
  });
  const logGroup = makeLogGroup(scope, 'Api-logs', settings);
  const domainName =
    domain &&
    new DomainName(scope, 'Domain', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(scope, 'Certificate', oldCertificate(domain)),
    });
  const stage = new HttpStage(scope, 'Stage', {
    httpApi: api,
    autoDeploy: true,
    throttle: { rateLimit: throttle.rate, burstLimit: throttle.burst },
    accessLogSettings: { destination: new LogGroupLogDestination(logGroup), format: accessLog },
    ...(domainName && { domainMapping: { domainName } }),
  });
  if (!domainName) return { api, stage, logGroup, baseUrl: api.apiEndpoint };
  return { api, stage, logGroup, baseUrl: `https://${domainName.name}`, domainTarget: domainName.regionalDomainName };
};

/** API Gateway answers preflights itself, and adds the headers to the functions' answers. */
const corsOf = ({ origins }: NonNullable<StageSettings['cors']>): CorsPreflightOptions => ({
  allowOrigins: origins,
  allowMethods: API_METHODS.map((method) => CorsHttpMethod[method]),
  allowHeaders: [...ALLOWED_HEADERS],
  exposeHeaders: [...EXPOSED_HEADERS],
  maxAge: Duration.hours(PREFLIGHT_HOURS),
});

/** One line per request, even if it reaches no function; without headers, which may contain a key. */
const accessLog = AccessLogFormat.custom(
  JSON.stringify({
    RequestId: AccessLogField.contextRequestId(),
    Source: AccessLogField.contextIdentitySourceIp(),
    // CloudFront calls API Gateway's own address, as earlier callers may: only origin-check tells them apart.
    Domain: '$context.domainName',
    FromEdge: '$context.authorizer.isFromEdge',
    At: AccessLogField.contextRequestTimeEpoch(),
    Route: '$context.routeKey',
    Method: AccessLogField.contextHttpMethod(),
    Status: AccessLogField.contextStatus(),
    Milliseconds: AccessLogField.contextResponseLatency(),
    Bytes: AccessLogField.contextResponseLength(),
    Error: '$context.integrationErrorMessage',
  }),
);

/** The rate of a path without a key; operations have the rate of the stage and that of their key. */
function openPathOf(path: string): keyof OpenPaths | undefined {
  if (path.startsWith('/api/leads/')) return 'leads';
  if (path.startsWith('/api/') || path === '/mcp') return undefined;
  if (/^\/(docs(\/.*)?|openapi\.json|llms(-full)?\.txt)$/.test(path)) return 'docs';
  if (path === '/health') return 'health';
  if (path.startsWith('/c/stripe/')) return 'stripe';
  return path.startsWith('/files/') ? 'files' : 'pages';
}

interface LimitedRoute {
  readonly route: HttpRoute;
  /** `ANY /docs`, or `$default`. */
  readonly key: string;
  readonly rate: Rate;
}

/** Limits routes individually. API Gateway refuses limits for a route that does not exist yet. */
function limitRoutes(stage: HttpStage, routes: readonly LimitedRoute[]): void {
  const settings = routes.map(({ key, rate }) => [
    key,
    { ThrottlingRateLimit: rate.rate, ThrottlingBurstLimit: rate.burst },
  ]);
  (stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries(settings);
  stage.node.addDependency(...routes.map(({ route }) => route));
}

interface RouteInput {
  readonly api: HttpApi;
  /** Called before every request. */
  readonly authorizer: IHttpRouteAuthorizer | undefined;
  /** Undefined for every path without a route. */
  readonly path: string | undefined;
  readonly id: string;
  readonly integration: HttpRouteIntegration;
  readonly isPublic: boolean;
}

function makeRoute(
  scope: Construct,
  { api, authorizer, path, id, integration, isPublic }: RouteInput,
): Pick<LimitedRoute, 'route' | 'key'> {
  const routeKey = path === undefined ? HttpRouteKey.DEFAULT : HttpRouteKey.with(path, HttpMethod.ANY);
  const route = new HttpRoute(scope, `${id}-route`, {
    httpApi: api,
    routeKey,
    ...(authorizer && { authorizer }),
    integration,
  });
  Validations.of(route).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: isPublic
      ? 'Describes the interface, which is the same in every deployment; the function has no access to data.'
      : 'Callers send an API key in the header or in the body; the function checks it, and the role, on each call.',
  });
  return { route, key: routeKey.key };
}

/**
 * The role by which API Gateway calls the functions. It names them by the functions and not by their aliases, so that
 * it exists minutes before the first route uses it: IAM takes seconds to spread a new role.
 */
const makeCallRole = (scope: Construct, functions: readonly Deployed[]): Role =>
  new Role(scope, 'Routes-role', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: {
      statements: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ['lambda:InvokeFunction'],
            resources: functions.map(({ function: { functionArn }, alias }) =>
              alias ? `${functionArn}:${alias.aliasName}` : functionArn,
            ),
          }),
        ],
      }),
    },
  });

/** A function called by a role. CDK's HttpLambdaIntegration makes a permission for each function, a resource each. */
class CalledByRole extends HttpRouteIntegration {
  readonly #config: HttpRouteIntegrationConfig;

  constructor({ id, target }: Deployed, role: Role) {
    super(`${id}-integration`);
    this.#config = {
      type: HttpIntegrationType.AWS_PROXY,
      uri: target.functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
      credentials: IntegrationCredentials.fromRole(role),
    };
  }

  override bind(): HttpRouteIntegrationConfig {
    return this.#config;
  }
}

/**
 * A function and a route for each group, and a function for /health and all other paths, which returns 404 and 405 in
 * our format.
 */
export const makeRoutes = (
  scope: Construct,
  {
    api,
    stage,
    groups,
    settings,
    resources,
    openPaths,
    authorizer,
  }: {
    api: HttpApi;
    stage: HttpStage;
    groups: readonly Group[];
    settings: FunctionSettings;
    resources: Resources;
    openPaths: OpenPaths;
    /** Called before every request. */
    authorizer?: IHttpRouteAuthorizer | undefined;
  },
): readonly Deployed[] => {
  const fallback = makeFunction(scope, 'fallback', settings, {
    bundle: 'fallback',
    description: 'Responds on /health and on every path without a group',
    timeout,
    statements: [],
  });
  const served = groups.map(({ name, operations, paths, needs, isPublic = false, isForClients = false }) => {
    const callStatements = isForClients ? [] : pipelineStatements(resources.table, needs);
    const handler = makeFunction(scope, name, settings, {
      bundle: name,
      description: `${paths.join(', ')}: ${operations.map(({ operation }) => operation).join(', ')}`.slice(0, 256),
      timeout,
      environment: variablesOf(needs, resources),
      statements: isPublic
        ? []
        : [...callStatements, ...statementsOf(needs, resources), ...formerStatements(name, resources)],
      filePatterns: filePatternsOf(needs, resources.bucket),
    });
    return { name, paths, isPublic, handler };
  });
  const functions = [fallback, ...served.map(({ handler }) => handler)];
  const role = makeCallRole(scope, functions);
  const limited: LimitedRoute[] = [];
  const route = (path: string | undefined, id: string, integration: HttpRouteIntegration, isPublic: boolean) => {
    const made = makeRoute(scope, { api, authorizer, path, id, integration, isPublic });
    const open = path === undefined ? 'unknown' : openPathOf(path);
    if (open) limited.push({ ...made, rate: openPaths[open] });
  };
  const others = new CalledByRole(fallback, role);
  route(undefined, 'fallback', others, true);
  route('/health', 'health', others, true);
  for (const { name, paths, isPublic, handler } of served) {
    const integration = new CalledByRole(handler, role);
    for (const [index, path] of paths.entries()) route(path, index ? `${name}-${index}` : name, integration, isPublic);
  }
  limitRoutes(stage, limited);
  return functions;
};
