import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { parseStages } from '../../infra/stages.ts';
import { readable, synthesizeStages, validationReports } from './synthesized.ts';

const PAGE = 'https://app.example.com';
const DEVELOPED = 'http://localhost:5173';
const STRANGER = 'https://attacker.example';
const VAULT = 'arn:aws:backup:eu-central-1:210987654321:backup-vault:copies';
const alarmEmail = 'night@example.com';
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/1';
const cors = { origins: [PAGE, DEVELOPED] };
// The region of a stage is that of the environment otherwise.
for (const name of ['AWS_REGION', 'CDK_DEFAULT_REGION']) vi.stubEnv(name, '');

const synthesized = await synthesizeStages({
  // A stage has an edge by default.
  near: { alarmEmail, region: 'us-east-1', backup: { copyTo: VAULT }, edge: { blocked: ['203.0.113.0/24'] } },
  both: {
    alarmEmail,
    region: 'us-east-1',
    domain: { name: 'api.example.com', certificateArn },
    edge: { keepOldAddress: true },
  },
  far: {
    alarmEmail,
    region: 'eu-west-1',
    domain: { name: 'api.example.com', certificateArn },
    edge: { waf: true, callsPerAddress: 500 },
  },
  open: { disposable: true, cors },
  'open-edge': { disposable: true, cors, region: 'us-east-1', edge: { waf: true } },
});
const near = readable(synthesized.templateOf('field-service-near'));
const far = readable(synthesized.templateOf('field-service-far'));
const firewall = readable(synthesized.templateOf('field-service-far-firewall'));
const both = readable(synthesized.templateOf('field-service-both'));
const open = readable(synthesized.templateOf('field-service-open'));
const openEdge = readable(synthesized.templateOf('field-service-open-edge'));

type Readable = typeof near;
const ofType = (template: Readable, type: string) =>
  [...template.values()].filter(({ Type }) => Type === type).map(({ Properties }) => Properties);
const json = (value: unknown) => JSON.stringify(value);

describe('a stage with edge', () => {
  it.each([
    ['in us-east-1 in its own stack', near, 30_000],
    ['of another region in a stack in us-east-1', firewall, 500],
  ] as const)(
    'has a firewall %s that blocks an address over its rate, in the form of an operation',
    (_, template, limit) => {
      const [properties = {}, ...others] = ofType(template, 'AWS::WAFv2::WebACL');
      expect(others).toEqual([]);
      expect(properties).toMatchObject({
        Scope: 'CLOUDFRONT',
        DefaultAction: { Allow: {} },
        Rules: [
          {
            Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit: limit, EvaluationWindowSec: 300 } },
            Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
          },
          // Pages for clients, but for the webhook of Stripe, which comes from few addresses.
          {
            Statement: {
              RateBasedStatement: {
                Limit: 3_000,
                ScopeDownStatement: {
                  AndStatement: {
                    Statements: [
                      { ByteMatchStatement: { PositionalConstraint: 'STARTS_WITH', SearchString: '/c/' } },
                      { NotStatement: { Statement: { ByteMatchStatement: { SearchString: '/c/stripe/' } } } },
                    ],
                  },
                },
              },
            },
            Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
          },
          ...(template === near
            ? [{ Statement: { IPSetReferenceStatement: { Arn: 'BlockedNetworks.Arn' } }, Action: { Block: {} } }]
            : []),
        ],
      });
      const bodies = properties['CustomResponseBodies'] as { tooMany: { Content: string } };
      expect(JSON.parse(bodies.tooMany.Content)).toEqual({
        ResultCode: 429,
        Code: 'rate_limited',
        Message: expect.any(String) as string,
      });
    },
  );

  it('is what a stage has, unless it says `"edge": false` or is disposable', () => {
    const settings = { alarmEmail, region: 'us-east-1' };
    const edgeOf = (stage: object) => parseStages({ live: stage }).get('live')?.edge;
    expect(edgeOf(settings)).toEqual({
      waf: true,
      callsPerAddress: 30_000,
      pagesPerAddress: 3_000,
      blocked: [],
      keepOldAddress: false,
    });
    expect(edgeOf({ ...settings, edge: false })).toBeUndefined();
    expect(edgeOf({ disposable: true })).toBeUndefined();
  });

  it('passes the ARN of the firewall between the regions, and deploys it first', () => {
    const manifest = JSON.parse(readFileSync(join(synthesized.outdir, 'manifest.json'), 'utf8')) as {
      artifacts: Record<string, { environment?: string; dependencies?: string[] }>;
    };
    expect(manifest.artifacts['field-service-far-firewall']?.environment).toBe('aws://unknown-account/us-east-1');
    expect(manifest.artifacts['field-service-far']?.environment).toBe('aws://unknown-account/eu-west-1');
    expect(manifest.artifacts['field-service-far']?.dependencies).toContain('field-service-far-firewall');
    expect(manifest.artifacts).not.toHaveProperty('field-service-near-firewall');
    const webAcl = (template: Readable) =>
      json(
        ofType(template, 'AWS::CloudFront::Distribution').map(
          ({ DistributionConfig }) => (DistributionConfig as { WebACLId: unknown }).WebACLId,
        ),
      );
    expect(webAcl(near)).toBe('["Firewall.Arn"]');
    expect(webAcl(far)).toContain('ExportsReader');
  });

  it.each([near, far])(
    'is CloudFront over HTTPS that passes every call on and keeps nothing but scripts',
    (template) => {
      const [{ DistributionConfig } = {}] = ofType(template, 'AWS::CloudFront::Distribution');
      const config = DistributionConfig as Record<string, unknown>;
      const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
      const ALL_VIEWER_EXCEPT_HOST = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';
      expect(config).toMatchObject({
        DefaultCacheBehavior: {
          CachePolicyId: CACHING_DISABLED,
          OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST,
          ViewerProtocolPolicy: 'https-only',
        },
        CacheBehaviors: [{ PathPattern: '/docs/*' }],
      });
      const errors = config['CustomErrorResponses'] as { ErrorCode: number; ErrorCachingMinTTL: number }[];
      expect(errors.map(({ ErrorCode }) => ErrorCode)).toEqual([400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]);
      expect(new Set(errors.map(({ ErrorCachingMinTTL }) => ErrorCachingMinTTL))).toEqual(new Set([0]));
    },
  );

  it('tells the functions its address, and the header with the address of the caller', () => {
    const environment = (template: Readable) => template.get('contacts')?.Properties['Environment'];
    expect(environment(near)).toMatchObject({
      Variables: { BASE_URL: 'https://Edge.DomainName', VIEWER_ADDRESS_HEADER: 'x-viewer-address' },
    });
    expect(environment(far)).toMatchObject({ Variables: { BASE_URL: 'https://api.example.com' } });
    const [code] = ofType(near, 'AWS::CloudFront::Function').map(({ FunctionCode }) => String(FunctionCode));
    const request = { headers: { 'x-viewer-address': { value: 'made up' } } };
    runInNewContext(`${code}; handler(event)`, { event: { viewer: { ip: '203.0.113.7' }, request } });
    expect(request).toEqual({ headers: { 'x-viewer-address': { value: '203.0.113.7' } } });
  });

  it.each([near, far])('has an API that refuses calls without the secret of CloudFront, on every route', (template) => {
    const routes = ofType(template, 'AWS::ApiGatewayV2::Route');
    expect(routes.length).toBeGreaterThan(25);
    const authorizers = new Set(
      routes.map(({ AuthorizationType, AuthorizerId }) => [AuthorizationType, AuthorizerId].join()),
    );
    expect(authorizers.size).toBe(1);
    expect([...authorizers][0]).toMatch(/^CUSTOM,./);
    expect(ofType(template, 'AWS::ApiGatewayV2::Authorizer')).toMatchObject([
      {
        AuthorizerType: 'REQUEST',
        IdentitySource: ['$request.header.x-origin-secret'],
        EnableSimpleResponses: true,
        AuthorizerResultTtlInSeconds: 300,
      },
    ]);
    const origins = json(ofType(template, 'AWS::CloudFront::Distribution'));
    expect(origins).toContain('{{resolve:secretsmanager:OriginSecret:SecretString:::}}');
    const check = template.get('origin-check')?.Properties;
    expect(json(check?.['Environment'])).toContain('"ORIGIN_SECRET":"OriginSecret"');
    expect(json(check)).not.toContain('{{resolve:');
    expect(json(template.get('origin-check-role')?.Properties)).toContain(
      '"Action":"secretsmanager:GetSecretValue","Effect":"Allow","Resource":"OriginSecret"',
    );
    // CloudFront calls the API by its own address.
    expect(template.get('Api')?.Properties['DisableExecuteApiEndpoint']).not.toBe(true);
    expect(template.has('Domain')).toBe(false);
  });

  it('is called by IPv4 alone: a key of an IPv4 network would refuse its own caller, and WAF counts each address', () => {
    const [{ DistributionConfig } = {}] = ofType(near, 'AWS::CloudFront::Distribution');
    expect(DistributionConfig).toMatchObject({ IPV6Enabled: false });
  });

  it('blocks networks, and has an alarm on blocks in the region of the firewall', () => {
    expect(ofType(near, 'AWS::WAFv2::IPSet')).toMatchObject([
      { Scope: 'CLOUDFRONT', IPAddressVersion: 'IPV4', Addresses: ['203.0.113.0/24'] },
    ]);
    for (const [template, stack] of [
      [near, 'field-service-near'],
      [firewall, 'field-service-far-firewall'],
    ] as const) {
      const [metric] = ofType(template, 'AWS::WAFv2::WebACL').map(({ VisibilityConfig }) => VisibilityConfig);
      expect(metric).toMatchObject({ MetricName: stack });
      expect(template.get('firewall-blocks-alarm')?.Properties).toMatchObject({
        Namespace: 'AWS/WAFV2',
        MetricName: 'BlockedRequests',
        Threshold: 300,
        AlarmActions: ['Alarms'],
      });
    }
    expect(far.has('firewall-blocks-alarm')).toBe(false);
    const refused = { alarmEmail, region: 'us-east-1', edge: { blocked: ['everybody'] } };
    expect(() => parseStages({ live: refused })).toThrow('live.edge.blocked.0: must be a network such as');
  });

  it('with keepOldAddress serves the address of before too, and knows which calls came through CloudFront', () => {
    expect(both.get('Domain')?.Properties).toMatchObject({ DomainName: 'api.example.com' });
    expect(both.get('Api')?.Properties['DisableExecuteApiEndpoint']).not.toBe(true);
    const [authorizer = {}] = ofType(both, 'AWS::ApiGatewayV2::Authorizer');
    expect([authorizer['IdentitySource'], authorizer['AuthorizerResultTtlInSeconds']]).toEqual([[], 0]);
    expect(json(both.get('origin-check')?.Properties['Environment'])).toContain('"OPEN_TO_ALL":"1"');
    const elsewhere = {
      region: 'eu-west-1',
      edge: { keepOldAddress: true },
      domain: { name: 'a.example.com', certificateArn },
    };
    expect(() => parseStages({ live: { alarmEmail, ...elsewhere } })).toThrow('must have an oldCertificateArn');
  });

  it('passes cdk-nag, exceptions with their reasons aside', () => {
    expect(validationReports(synthesized.outdir)).toEqual([]);
  });

  it.each([
    ['without its region', { edge: { waf: true } }, 'live.region: must be the region of the stage'],
    [
      'with a certificate elsewhere',
      {
        region: 'eu-west-1',
        edge: { waf: true },
        domain: { name: 'api.example.com', certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/1' },
      },
      'live.domain: must have a certificate in us-east-1',
    ],
    ['without a firewall', { region: 'eu-west-1', edge: { waf: false } }, 'live.edge: must be false, or have calls'],
    [
      'with backups to nowhere',
      { backup: { copyTo: 'copies' } },
      'live.backup.copyTo: must be the ARN of a backup vault',
    ],
  ])('is refused %s', (_, settings, words) => {
    expect(() => parseStages({ live: { alarmEmail, ...settings } })).toThrow(words);
  });
});

describe('a stage with backup', () => {
  it('backs table and bucket up each day, and copies the backups into the other vault', () => {
    const [{ BackupPlan } = {}] = ofType(near, 'AWS::Backup::BackupPlan');
    expect(BackupPlan).toMatchObject({
      BackupPlanRule: [
        {
          ScheduleExpression: 'cron(0 5 * * ? *)',
          Lifecycle: { DeleteAfterDays: 7 },
          CopyActions: [{ DestinationBackupVaultArn: VAULT, Lifecycle: { DeleteAfterDays: 35 } }],
        },
      ],
    });
    expect(ofType(near, 'AWS::Backup::BackupSelection')).toMatchObject([
      { BackupSelection: { Resources: ['Table.Arn', 'Bucket.Arn'], IamRoleArn: 'Backup-role.Arn' } },
    ]);
    expect(ofType(near, 'AWS::Backup::BackupVault')).toMatchObject([
      {
        // In 50 characters: readable() shows the id of the stack, of which it is the last part.
        BackupVaultName: 'field-service-AWS::StackId',
        EncryptionKeyArn: 'BackupKey.Arn',
        Notifications: { BackupVaultEvents: ['BACKUP_JOB_FAILED', 'COPY_JOB_FAILED'], SNSTopicArn: 'Alarms' },
      },
    ]);
    expect(json(near.get('Alarms/Policy'))).toContain('"Service":"backup.amazonaws.com"');
    expect([near.get('BackupVault')?.DeletionPolicy, near.get('BackupKey')?.DeletionPolicy]).toEqual([
      'RetainExceptOnCreate',
      'RetainExceptOnCreate',
    ]);
  });

  it('is the only one that has a vault', () => {
    expect(ofType(far, 'AWS::Backup::BackupVault')).toEqual([]);
  });
});

describe('a stage with origins of pages', () => {
  /** What the clients and assistants send, and what they read. */
  const SENT = ['authorization', 'content-type', 'idempotency-key', 'x-api-key', 'x-list'];
  const READ = ['retry-after', 'x-list', 'x-next-skip', 'x-request-id'];

  it.each([near, far])('is the only one that lets pages of another origin call', (closed) => {
    expect(closed.get('Api')?.Properties).toHaveProperty('ProtocolType');
    expect(closed.get('Api')?.Properties).not.toHaveProperty('CorsConfiguration');
    expect(closed.get('Bucket')?.Properties).toHaveProperty('BucketEncryption');
    expect(closed.get('Bucket')?.Properties).not.toHaveProperty('CorsConfiguration');
  });

  it.each([open, openEdge])('has API Gateway allow the pages of these origins what the clients need', (template) => {
    const { CorsConfiguration } = template.get('Api')?.Properties ?? {};
    expect(CorsConfiguration).toMatchObject({
      AllowOrigins: [PAGE, DEVELOPED],
      AllowMethods: ['GET', 'HEAD', 'POST'],
      AllowHeaders: expect.arrayContaining(SENT) as string[],
      ExposeHeaders: expect.arrayContaining(READ) as string[],
      MaxAge: 7_200,
    });
    expect(CorsConfiguration).not.toHaveProperty('AllowCredentials');
  });

  it('has the bucket allow them to read and send files', () => {
    expect(open.get('Bucket')?.Properties).toMatchObject({
      CorsConfiguration: {
        CorsRules: [
          {
            AllowedOrigins: [PAGE, DEVELOPED],
            AllowedMethods: ['GET', 'HEAD', 'PUT'],
            AllowedHeaders: ['content-type'],
          },
        ],
      },
    });
  });

  it('has CloudFront answer their preflights, which the authorizer of API Gateway would get', () => {
    const [code] = ofType(openEdge, 'AWS::CloudFront::Function').map(({ FunctionCode }) => String(FunctionCode));
    const handle = (method: string, headers: object) =>
      runInNewContext(`${code}; handler(event)`, {
        event: { viewer: { ip: '203.0.113.7' }, request: { method, headers } },
      }) as { statusCode?: number; headers: Record<string, { value: string }> };
    const { statusCode, headers } = handle('OPTIONS', { origin: { value: DEVELOPED } });
    expect([statusCode, headers['access-control-allow-origin']?.value]).toEqual([204, DEVELOPED]);
    expect(headers['access-control-allow-headers']?.value.split(',')).toEqual(expect.arrayContaining(SENT));
    for (const passed of [
      handle('OPTIONS', { origin: { value: STRANGER } }),
      handle('OPTIONS', {}),
      handle('POST', { origin: { value: PAGE } }),
    ]) {
      expect(passed).not.toHaveProperty('statusCode');
      expect(passed.headers['x-viewer-address']?.value).toBe('203.0.113.7');
    }
  });

  it.each([
    '*',
    'app.example.com',
    'https://app.example.com/',
    'http://app.example.com',
    'null',
    'https://*.example.com',
  ])('is refused for the origin %s', (origin) => {
    expect(() => parseStages({ live: { disposable: true, cors: { origins: [PAGE, origin] } } })).toThrow(
      'live.cors.origins.1: must be origins such as https://app.example.com',
    );
  });
});
