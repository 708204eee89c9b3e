import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { ORIGIN_RULE, isOrigin } from '../lib/shared/web/origins.ts';

const RETENTION_DAYS = Object.values(RetentionDays).filter((days) => typeof days === 'number');

const isStreamOf = (tableName: string | undefined, streamArn: string | undefined): boolean =>
  tableName === undefined
    ? streamArn === undefined
    : /^arn:[^:]+:dynamodb:[^:]+:[^:]+:table\/([^/]+)\/stream\/./.exec(streamArn ?? '')?.[1] === tableName;

/** Calls a second, and the burst. */
const rates = (rate: number, burst: number) =>
  z.strictObject({ rate: z.int().positive(), burst: z.int().positive() }).default({ rate, burst });

/** Rates of paths that anyone may call without a key: a flood on one does not affect the others and the operations. */
const openPaths = () =>
  z
    .strictObject({
      /** /docs with its scripts, and /openapi.json: the page takes five requests. */
      docs: rates(20, 100),
      /** /files: signed addresses, and the redirects to them. */
      files: rates(100, 200),
      /** Pages for clients, each path separately. */
      pages: rates(100, 200),
      /** Forms of other sites: the addresses of all companies together. */
      leads: rates(50, 100),
      /** Stripe's webhook. */
      stripe: rates(50, 100),
      health: rates(20, 40),
      /** Every unknown path. */
      unknown: rates(20, 40),
    })
    .prefault({});

/** An alarm requires both a percentage of all calls or runs and a number of them: one of ten is not an outage. */
const ratio = (percent: number, count: number) =>
  z
    .strictObject({
      percent: z.number().positive().max(100).default(percent),
      count: z.int().positive().default(count),
    })
    .prefault({});

export type Rate = z.output<ReturnType<typeof rates>>;
export type OpenPaths = z.output<ReturnType<typeof openPaths>>;

export type Ratio = z.output<ReturnType<typeof ratio>>;

/** The thresholds of alarms. */
const alarms = () =>
  z
    .strictObject({
      /** Calls that return 500 or 503, in 5 minutes. */
      faults: ratio(0.1, 5),
      /** The same in an hour: an operation that always fails is a small part of a large stage's calls. */
      lastingFaults: ratio(0.01, 20),
      /** The same in a minute; ends a deployment. */
      deploymentFaults: ratio(0.1, 2),
      /** Runs of a worker that fail as a whole or in part, in 5 minutes; in an hour for a scheduled one. */
      workerFaults: ratio(5, 3),
      /** Calls that return 401, 403 or 429, in 5 minutes, by status. */
      refused: ratio(1, 300),
      /** Throttled runs and requests to the table, in 5 minutes. */
      throttles: ratio(0.1, 10),
      /** Changes that a worker could not handle, in 5 minutes. */
      parked: z.int().positive().default(1),
      /** Calls that the firewall blocks, in 5 minutes. */
      blocked: z.int().positive().default(300),
      /** How late a worker on the stream, or on a queue, may be. */
      streamLateMinutes: z.int().positive().default(5),
      queueLateMinutes: z.int().positive().default(15),
    })
    .prefault({});

/** Calls per address in 5 minutes; WAF requires at least 10. */
const callsPerAddress = (preset: number) => z.int().min(10).max(2_000_000_000).default(preset);

/** CloudFront in front, with a firewall that blocks an address above its rates. */
const edge = () =>
  z.strictObject({
    waf: z.literal(true).default(true),
    /** A key may make 15,000, and an office shares one address. */
    callsPerAddress: callsPerAddress(30_000),
    /** Calls of pages for clients, which need no key: 1,000 people in one network who open three things each. */
    pagesPerAddress: callsPerAddress(3_000),
    /** Networks that get 403. CloudFront can only be called by IPv4. */
    blocked: z.array(z.cidrv4('must be a network such as 203.0.113.0/24')).default([]),
    /** Whether the previous address works too, bypassing the firewall, until this is removed. */
    keepOldAddress: z.boolean().default(false),
  });

const EDGE_RULE =
  'must be false, or have calls of an address in 5 minutes, 10 at least: ' +
  '{"callsPerAddress": …, "pagesPerAddress": …}, ' +
  'networks such as {"blocked": ["203.0.113.0/24"]}, or {"keepOldAddress": true}';

/** Pages of other origins that may call the API from a browser. */
const cors = () => z.strictObject({ origins: z.array(z.string().refine(isOrigin, ORIGIN_RULE)).min(1) });

/** An AWS Backup plan that copies table and bucket daily into a vault of another account or region. */
const backup = () =>
  z.strictObject({
    copyTo: z.string().regex(/^arn:[\w-]+:backup:[\w-]+:\d{12}:backup-vault:.+$/, 'must be the ARN of a backup vault'),
    /** How many days a copy is kept. */
    days: z.int().min(7).default(35),
  });

/** A user pool of Amazon Cognito for the users of an account, who sign in by their e-mail addresses. */
const signIn = () =>
  z.strictObject({
    userPoolId: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d_[\dA-Za-z]+$/, 'must be the id of a user pool: us-east-1_a1B2c3D4e'),
    account: z.string().min(1, 'must be the id of the account whose users the pool has: npx fs account list'),
  });

const TEXT_ORIGIN_RULE = 'must be the id of a phone number or pool of AWS End User Messaging: phone-…, pool-…';

/** Messages to clients: a domain of the company, and what texts come from. */
const messages = () =>
  z.strictObject({
    domain: z.hostname('must be a domain whose DNS you control: mail.example.com'),
    texts: z
      .strictObject({
        originationIdentity: z.string(TEXT_ORIGIN_RULE).regex(/^(phone|pool)-[\da-z]+$/, TEXT_ORIGIN_RULE),
      })
      .optional(),
  });

/** Drive times by real roads, and the places of addresses. */
const routes = () => z.strictObject({ provider: z.literal('amazon-location') });

/** Settings of a stage, from `stages` in cdk.json. None is secret. docs/operations-reference.md explains them. */
const fields = () =>
  z.strictObject({
    /** If true, `cdk destroy` deletes the table and the bucket; otherwise both outlive the stack. */
    disposable: z.boolean().default(false),
    /** An existing table, for example restored from a backup, instead of one that the stack creates. */
    tableName: z
      .string()
      .regex(/^[\w.-]{3,255}$/)
      .optional(),
    /** Its stream, which contains the table's ARN. */
    tableStreamArn: z.string().optional(),
    /** Receives alarms once the subscription that AWS sends is confirmed. */
    alarmEmail: z.email().optional(),
    /** An existing SNS topic that gets the alarms instead of `alarmEmail`. */
    alarmTopicArn: z
      .string()
      .regex(/^arn:[\w-]+:sns:/, 'must be the ARN of an SNS topic')
      .optional(),
    /** The API's custom domain; its certificate must be in the stage's region. */
    domain: z
      .strictObject({
        name: z.hostname(),
        certificateArn: z.string().startsWith('arn:'),
        /** The certificate in the stage's region, for `keepOldAddress` outside us-east-1. */
        oldCertificateArn: z.string().startsWith('arn:').optional(),
      })
      .optional(),
    /** `error` omits the log lines of successful calls, and their metrics. */
    logLevel: z.enum(['info', 'error']).default('info'),
    /** How many days CloudWatch keeps logs. */
    logDays: z
      .int()
      .refine((days) => RETENTION_DAYS.includes(days), `must be one of ${RETENTION_DAYS.join(', ')}`)
      .optional(),
    /** If false, the deployment serves neither the documentation page nor the OpenAPI document. */
    docs: z.boolean().default(true),
    /** The region of the stage; with `edge`, CDK must know it. Otherwise the environment of the deployment decides. */
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/)
      .optional(),
    edge: z.union([z.literal(false), edge()], { error: EDGE_RULE }).optional(),
    cors: cors().optional(),
    backup: backup().optional(),
    signIn: signIn().optional(),
    /** If true, the users of `signIn` work with the pages of the office. */
    office: z.boolean().default(false),
    messages: messages().optional(),
    routes: routes().optional(),
    /** Calls a second, and the burst, over all keys, which limits the bill. Each key has its own, lower rate. */
    throttle: rates(1000, 2000),
    openPaths: openPaths(),
    /**
     * Concurrent runs reserved for each worker on the stream, which are also its maximum; workers on queues and
     * schedules then get their own maximum. AWS holds back 100 runs of an account and refuses the rest.
     */
    workerConcurrency: z.int().nonnegative().default(0),
    /** The cost of calls in dollars an hour above which the alarm is on. */
    costAlarm: z.number().positive().default(1),
    alarms: alarms(),
    /** If true, X-Ray traces the functions. */
    tracing: z.boolean().default(false),
    /** A CloudWatch dashboard. */
    dashboard: z.boolean().optional(),
    /** A function that makes a change every 5 minutes and waits for its event. */
    canary: z.boolean().optional(),
    /**
     * If true, a new version serves a tenth of the calls for 5 minutes, then all of them, and is rolled back on errors.
     */
    gradual: z.boolean().optional(),
  });

type StageFields = z.output<ReturnType<typeof fields>>;

/** The defaults of a stage; a disposable one has less. */
function withDefaults({ edge: wanted, logDays, dashboard, canary, gradual, ...settings }: StageFields) {
  const careful = !settings.disposable;
  const ofStage = wanted === undefined && careful ? edge().parse({}) : wanted || undefined;
  return {
    ...settings,
    edge: ofStage,
    // From the environment of the deployment; CDK's own variable also covers the profile.
    region: settings.region ?? (ofStage && (process.env['CDK_DEFAULT_REGION'] || process.env['AWS_REGION'])),
    logDays: (logDays ?? (careful ? RetentionDays.ONE_YEAR : RetentionDays.ONE_MONTH)) as RetentionDays,
    dashboard: dashboard ?? careful,
    canary: canary ?? careful,
    gradual: gradual ?? careful,
  };
}

const regionOf = (arn: string): string | undefined => arn.split(':')[3];

/** The certificate with which API Gateway serves the domain. */
export const oldCertificate = ({ certificateArn, oldCertificateArn }: NonNullable<StageFields['domain']>): string =>
  oldCertificateArn ?? certificateArn;

const stage = () =>
  fields()
    .refine(({ disposable, alarmEmail, alarmTopicArn }) => disposable || alarmEmail || alarmTopicArn, {
      path: ['alarmEmail'],
      error: 'must be the address that receives the alarms, unless the stage is disposable',
    })
    .refine(({ tableName, tableStreamArn }) => isStreamOf(tableName, tableStreamArn), {
      path: ['tableStreamArn'],
      error: 'must be the stream of tableName: aws dynamodb describe-table … --query Table.LatestStreamArn',
    })
    .refine(({ tableName, disposable }) => !tableName || !disposable, {
      path: ['tableName'],
      error: 'is for stages that are not disposable: deploying it would delete the table that the stack made',
    })
    .refine(({ office, signIn: pool }) => !office || pool, {
      path: ['office'],
      error: 'is for stages with `signIn`, whose users work there',
    })
    .transform(withDefaults)
    .refine(({ office, signIn: pool, region }) => !office || !region || pool?.userPoolId.startsWith(`${region}_`), {
      path: ['office'],
      error: 'is for a user pool in the region of the stage',
    })
    .refine(({ edge, region }) => !edge || region, {
      path: ['region'],
      error:
        'must be the region of the stage, or AWS_REGION of the environment: the firewall of `edge` is in us-east-1',
    })
    .refine(({ edge, domain }) => !edge || !domain || regionOf(domain.certificateArn) === 'us-east-1', {
      path: ['domain'],
      error:
        'must have a certificate in us-east-1 with `edge`, because CloudFront takes no other; else set `edge` to false',
    })
    .refine(
      ({ edge, domain, region }) => !edge?.keepOldAddress || !domain || regionOf(oldCertificate(domain)) === region,
      { path: ['domain'], error: 'must have an oldCertificateArn of the region of the stage for `keepOldAddress`' },
    );

const stages = () => z.record(z.string().regex(/^[a-z][a-z0-9-]{0,30}$/), stage());

export type StageSettings = z.output<ReturnType<typeof stage>>;

/** What outlives its stack does not outlive a failed first deployment, because the next one creates it again. */
export const removalPolicyOf = (disposable: boolean): RemovalPolicy =>
  disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** Invalid stages in the context. The message is for a person and needs no stack trace. */
export class StagesError extends Error {
  override readonly name = 'StagesError';
}

/**
 * The stages of the context, by name.
 * @throws StagesError with every invalid setting.
 */
export const parseStages = (context: unknown): ReadonlyMap<string, StageSettings> => {
  const parsed = stages().safeParse(typeof context === 'string' ? JSON.parse(context) : context);
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'stages'}: ${message}`);
    throw new StagesError(
      `The stages in cdk.json are invalid. ${errors.join('; ')}. docs/operations-reference.md explains them.`,
    );
  }
  return new Map(Object.entries(parsed.data));
};
