import { Duration, Fn, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnIPSet, CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { FailureCode } from '../lib/shared/failure-codes.ts';
import { preflightHeaders } from '../lib/shared/web/origins.ts';
import { ALLOWED_HEADERS, API_METHODS } from './cors.ts';
import { type Deployed, type FunctionSettings, makeFunction } from './functions.ts';
import { readSecretStatement } from './grants.ts';
import type { StageSettings } from './stages.ts';
import { firewallMetric, makeFirewallAlarm, makeTopic } from './watch/alarms.ts';

/** WAF keeps rules for CloudFront in this region, wherever the stage is. */
export const FIREWALL_REGION = 'us-east-1';

type EdgeSettings = NonNullable<StageSettings['edge']>;

/** The header that proves to the API that a call came through CloudFront. */
const ORIGIN_SECRET_HEADER = 'x-origin-secret';
/** The caller's address, with which CloudFront overwrites whatever the caller sent. */
export const VIEWER_ADDRESS_HEADER = 'x-viewer-address';

/** An answer in the format of operations, for an address above its rate. */
const TOO_MANY = JSON.stringify({
  ResultCode: 429,
  Code: 'rate_limited' satisfies FailureCode,
  Message: 'Too many calls from this address. Try again in 5 minutes.',
});

const visible = (metricName: string) => ({ metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true });

const startsWith = (searchString: string): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'STARTS_WITH',
    searchString,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

/** Pages for clients; Stripe's webhook comes from few addresses and has a rate on its route. */
const PAGES: CfnWebACL.StatementProperty = {
  andStatement: { statements: [startsWith('/c/'), { notStatement: { statement: startsWith('/c/stripe/') } }] },
};

/** Blocks an address while it exceeds the limit of calls in 5 minutes. */
const rateRule = (
  name: string,
  priority: number,
  limit: number,
  scopeDownStatement?: CfnWebACL.StatementProperty,
): CfnWebACL.RuleProperty => ({
  name,
  priority,
  statement: {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      limit,
      evaluationWindowSec: 300,
      ...(scopeDownStatement && { scopeDownStatement }),
    },
  },
  action: {
    block: {
      customResponse: {
        responseCode: 429,
        customResponseBodyKey: 'tooMany',
        responseHeaders: [{ name: 'Retry-After', value: '300' }],
      },
    },
  },
  visibilityConfig: visible(name),
});

/** Blocks calls from networks. */
function blockRule(scope: Construct, priority: number, addresses: string[]): CfnWebACL.RuleProperty {
  const networks = new CfnIPSet(scope, 'BlockedNetworks', { scope: 'CLOUDFRONT', ipAddressVersion: 'IPV4', addresses });
  const name = 'blocked-networks';
  const statement = { ipSetReferenceStatement: { arn: networks.attrArn } };
  return { name, priority, statement, action: { block: {} }, visibilityConfig: visible(name) };
}

/** Rules that block an address while it exceeds the stage's limits. Returns the ARN of the firewall. */
export function makeFirewall(scope: Construct, { callsPerAddress, pagesPerAddress, blocked }: EdgeSettings): string {
  const firewall = new CfnWebACL(scope, 'Firewall', {
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: visible(firewallMetric(scope)),
    customResponseBodies: { tooMany: { contentType: 'APPLICATION_JSON', content: TOO_MANY } },
    rules: [
      rateRule('rate-by-address', 0, callsPerAddress),
      rateRule('pages-by-address', 1, pagesPerAddress, PAGES),
      ...(blocked.length ? [blockRule(scope, 2, blocked)] : []),
    ],
  });
  return firewall.attrArn;
}

/** The firewall of a stage outside WAF's region for CloudFront. */
export class FirewallStack extends Stack {
  readonly firewallArn: string;

  constructor(
    scope: Construct,
    id: string,
    { edge, alarmEmail, alarms }: Pick<StageSettings, 'alarmEmail' | 'alarms'> & { readonly edge: EdgeSettings },
    properties: StackProps,
  ) {
    super(scope, id, { ...properties, env: { region: FIREWALL_REGION }, crossRegionReferences: true });
    this.firewallArn = makeFirewall(this, edge);
    // An alarm needs a topic in its own region for e-mails.
    if (alarmEmail) makeFirewallAlarm(this, makeTopic(this, alarmEmail), alarms.blocked);
  }
}

/** The stage's parts at the edge. */
export interface Edge {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The target of the DNS record for the custom domain. */
  readonly domainTarget: string;
  readonly originSecret: Secret;
}

function makeOriginSecret(scope: Construct): Secret {
  const originSecret = new Secret(scope, 'OriginSecret', {
    description: 'CloudFront sends it to the API, which refuses calls without it',
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  });
  Validations.of(originSecret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'It opens no more than the way around the firewall: every call needs its key as well.',
  });
  return originSecret;
}

/**
 * Answers a preflight of an allowed origin. API Gateway would call the authorizer first, because the routes accept any
 * method, and would then no longer answer by itself.
 */
function preflightCode({ origins }: NonNullable<StageSettings['cors']>): string {
  const headers = preflightHeaders('', { methods: API_METHODS, headers: ALLOWED_HEADERS });
  const values = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]));
  return `  var origin = event.request.headers.origin;
  if (event.request.method === 'OPTIONS' && origin && ${JSON.stringify(origins)}.includes(origin.value)) {
    var headers = ${JSON.stringify(values)};
    headers['access-control-allow-origin'] = { value: origin.value };
    return { statusCode: 204, statusDescription: 'No Content', headers: headers };
  }
`;
}

/** Tells the API the caller's address, which it does not see itself. */
const makeAddressFunction = (scope: Construct, cors: StageSettings['cors']): EdgeFunction =>
  new EdgeFunction(scope, 'ViewerAddress', {
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(
      `function handler(event) {
${cors ? preflightCode(cors) : ''}  event.request.headers['${VIEWER_ADDRESS_HEADER}'] = { value: event.viewer.ip };
  return event.request;
}`,
    ),
  });

/** CloudFront in front of the API. Only the documentation's scripts are cached, whose names contain a hash. */
export function makeEdge(
  scope: Construct,
  api: HttpApi,
  { domain, cors, firewallArn }: Pick<StageSettings, 'domain' | 'cors'> & { readonly firewallArn: string },
): Edge {
  const originSecret = makeOriginSecret(scope);
  const origin = new HttpOrigin(Fn.select(2, Fn.split('/', api.apiEndpoint)), {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    // API Gateway itself ends a call after 30 s.
    readTimeout: Duration.seconds(35),
    // CloudFormation resolves it during the deployment; the template only has a reference.
    customHeaders: { [ORIGIN_SECRET_HEADER]: originSecret.secretValue.unsafeUnwrap() },
  });
  const addressOfViewer = makeAddressFunction(scope, cors);
  const behavior = {
    origin,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    functionAssociations: [{ function: addressOfViewer, eventType: FunctionEventType.VIEWER_REQUEST }],
  };
  const distribution = new Distribution(scope, 'Edge', {
    comment: Stack.of(scope).stackName,
    defaultBehavior: {
      ...behavior,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    },
    additionalBehaviors: { '/docs/*': { ...behavior, cachePolicy: CachePolicy.CACHING_OPTIMIZED } },
    // CloudFront would cache a 404 for 10 s, even for callers with another key.
    errorResponses: [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((httpStatus) => ({
      httpStatus,
      ttl: Duration.seconds(0),
    })),
    httpVersion: HttpVersion.HTTP2_AND_3,
    // A key's `--from` names its caller's IPv4 network, and WAF counts each of the many addresses in an IPv6 network
    // separately.
    enableIpv6: false,
    webAclId: firewallArn,
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    ...(domain && {
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(scope, 'EdgeCertificate', domain.certificateArn),
    }),
  });
  const reasons = {
    'AwsSolutions-CFR1': 'Field workers call from wherever they are; the API has no content for one country.',
    'AwsSolutions-CFR3': 'The access log of the API has a line for each call, and WAF counts what it blocks.',
    ...(domain ? {} : { 'AwsSolutions-CFR4': 'The name of CloudFront itself has a certificate of CloudFront.' }),
  };
  for (const [id, reason] of Object.entries(reasons)) Validations.of(distribution).acknowledge({ id, reason });
  const name = distribution.distributionDomainName;
  return { baseUrl: `https://${domain?.name ?? name}`, domainTarget: name, originSecret };
}

/** The function that refuses calls that did not come through CloudFront, and its authorizer for every route. */
export function makeOriginCheck(
  scope: Construct,
  settings: FunctionSettings,
  { originSecret }: Edge,
  { keepOldAddress }: EdgeSettings,
): { readonly deployed: Deployed; readonly authorizer: HttpLambdaAuthorizer } {
  const deployed = makeFunction(scope, 'origin-check', settings, {
    bundle: 'workers/origin-check',
    description: 'Refuses calls that did not come through CloudFront',
    timeout: Duration.seconds(10),
    statements: [readSecretStatement(originSecret)],
    environment: { ORIGIN_SECRET: originSecret.secretArn, ...(keepOldAddress ? { OPEN_TO_ALL: '1' } : {}) },
  });
  const authorizer = new HttpLambdaAuthorizer('OriginCheck', deployed.target, {
    responseTypes: [HttpLambdaResponseType.SIMPLE],
    ...(keepOldAddress
      ? // Called for each request: those to the old address lack the header.
        { identitySource: [], resultsCacheTtl: Duration.seconds(0) }
      : // One run in 5 minutes for all calls; without the header API Gateway refuses by itself.
        { identitySource: [`$request.header.${ORIGIN_SECRET_HEADER}`], resultsCacheTtl: Duration.minutes(5) }),
  });
  return { deployed, authorizer };
}
