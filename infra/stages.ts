import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { ORIGIN_RULE, isOrigin } from './cors.ts';

const RETENTION_DAYS = Object.values(RetentionDays).filter((days) => typeof days === 'number');

const isStreamOf = (tableName: string | undefined, streamArn: string | undefined): boolean =>
  tableName === undefined
    ? streamArn === undefined
    : /^arn:[^:]+:dynamodb:[^:]+:[^:]+:table\/([^/]+)\/stream\/./.exec(streamArn ?? '')?.[1] === tableName;

/** Calls a second and at once. */
const rates = (rate: number, burst: number) =>
  z.strictObject({ rate: z.int().positive(), burst: z.int().positive() }).default({ rate, burst });

/** Rates of paths that anyone may call without a key: a flood of one leaves the others, and the operations, alone. */
const openPaths = () =>
  z
    .strictObject({
      /** /docs with its scripts, and /openapi.json: five requests show the page. */
      docs: rates(20, 100),
      /** /files: signed addresses, and those that redirect to them. */
      files: rates(100, 200),
      /** Pages for clients, each path by itself. */
      pages: rates(100, 200),
      /** The webhook of Stripe. */
      stripe: rates(50, 100),
      health: rates(20, 40),
      /** Every path that leads nowhere. */
      unknown: rates(20, 40),
    })
    .prefault({});

/** An alarm is on from so many percent of all calls or runs, and from so many of them: one of ten is no outage. */
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

/** When alarms are on. */
const alarms = () =>
  z
    .strictObject({
      /** Calls that return 500 or 503, in 5 minutes. */
      faults: ratio(0.1, 5),
      /** The same in an hour: one operation that always fails is a small part of a large stage's calls. */
      lastingFaults: ratio(0.01, 20),
      /** The same in a minute: ends a deployment. */
      deploymentFaults: ratio(0.1, 2),
      /** Runs of a worker that fail as a whole or in part, in 5 minutes; in an hour of one that runs by the clock. */
      workerFaults: ratio(5, 3),
      /** Calls that return 401, 403 or 429, in 5 minutes, by status. */
      refused: ratio(1, 300),
      /** Throttled runs and requests to the table, in 5 minutes. */
      throttles: ratio(0.1, 10),
      /** Changes that a worker could not handle, in 5 minutes. */
      parked: z.int().positive().default(1),
      /** Calls that the firewall blocks, in 5 minutes. */
      blocked: z.int().positive().default(300),
      /** How late a worker of the stream, and of a queue, may be. */
      streamLateMinutes: z.int().positive().default(5),
      queueLateMinutes: z.int().positive().default(15),
    })
    .prefault({});

/** Of an address in 5 minutes; WAF takes no fewer than 10. */
const callsPerAddress = (preset: number) => z.int().min(10).max(2_000_000_000).default(preset);

/** CloudFront in front, with a firewall that blocks an address over its rates. */
const edge = () =>
  z.strictObject({
    waf: z.literal(true).default(true),
    /** A key may make 15,000, and an office has one address. */
    callsPerAddress: callsPerAddress(30_000),
    /** Of pages for clients, which need no key: 1,000 people of one network open three things each. */
    pagesPerAddress: callsPerAddress(3_000),
    /** Networks that get 403. CloudFront is called by IPv4 alone. */
    blocked: z.array(z.cidrv4('must be a network such as 203.0.113.0/24')).default([]),
    /** The previous address serves as well, around the firewall, until this is taken out. */
    keepOldAddress: z.boolean().default(false),
  });

const EDGE_RULE =
  'must be false, or have calls of an address in 5 minutes, 10 at least: {"callsPerAddress": …, "pagesPerAddress": …}, ' +
  'networks such as {"blocked": ["203.0.113.0/24"]}, or {"keepOldAddress": true}';

/** Pages of other origins that may call the API from a browser. */
const cors = () => z.strictObject({ origins: z.array(z.string().refine(isOrigin, ORIGIN_RULE)).min(1) });

/** An AWS Backup plan that copies table and bucket each day into a vault of another account or region. */
const backup = () =>
  z.strictObject({
    copyTo: z.string().regex(/^arn:[\w-]+:backup:[\w-]+:\d{12}:backup-vault:.+$/, 'must be the ARN of a backup vault'),
    /** Days that a copy is kept. */
    days: z.int().min(7).default(35),
  });

/** A user pool of Amazon Cognito that has the users of an account; people sign in by their e-mail addresses. */
const signIn = () =>
  z.strictObject({
    userPoolId: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d_[\dA-Za-z]+$/, 'must be the id of a user pool: us-east-1_a1B2c3D4e'),
    account: z.string().min(1, 'must be the id of the account whose users the pool has: npx fs account list'),
  });

/** Settings of a stage, from `stages` in cdk.json. None is secret. docs/operations-reference.md explains them. */
const fields = () =>
  z.strictObject({
    /** With true, `cdk destroy` deletes the table and the bucket; otherwise both outlive the stack. */
    disposable: z.boolean().default(false),
    /** An existing table, restored from a backup for instance, instead of one that the stack makes. */
    tableName: z
      .string()
      .regex(/^[\w.-]{3,255}$/)
      .optional(),
    /** Its stream, which has the table's ARN in it. */
    tableStreamArn: z.string().optional(),
    /** Receives alarms, after confirming the subscription that AWS sends. */
    alarmEmail: z.email().optional(),
    /** An SNS topic that you have, which gets the alarms instead of `alarmEmail`. */
    alarmTopicArn: z
      .string()
      .regex(/^arn:[\w-]+:sns:/, 'must be the ARN of an SNS topic')
      .optional(),
    /** The API's own domain; its certificate must be in the stage's region. */
    domain: z
      .strictObject({
        name: z.hostname(),
        certificateArn: z.string().startsWith('arn:'),
        /** The certificate in the stage's region, for `keepOldAddress` where that is not us-east-1. */
        oldCertificateArn: z.string().startsWith('arn:').optional(),
      })
      .optional(),
    /** `error` omits the log line, and its metrics, of successful calls. */
    logLevel: z.enum(['info', 'error']).default('info'),
    /** Days that CloudWatch keeps logs. */
    logDays: z
      .int()
      .refine((days) => RETENTION_DAYS.includes(days), `must be one of ${RETENTION_DAYS.join(', ')}`)
      .optional(),
    /** With false, the deployment serves neither the documentation page nor the OpenAPI document. */
    docs: z.boolean().default(true),
    /** Where the stage is; with `edge`, CDK must know it. Else the environment of the deployment decides. */
    region: z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/)
      .optional(),
    edge: z.union([z.literal(false), edge()], { error: EDGE_RULE }).optional(),
    cors: cors().optional(),
    backup: backup().optional(),
    signIn: signIn().optional(),
    /** Calls a second and at once over all keys, which limits the bill. Each key has its own, lower rate. */
    throttle: rates(1000, 2000),
    openPaths: openPaths(),
    /**
     * Concurrent runs reserved for each worker of the stream, which are also its maximum; with it, workers of queues
     * and of the clock have what they use at most. AWS keeps 100 runs of an account back and refuses the rest.
     */
    workerConcurrency: z.int().nonnegative().default(0),
    /** Dollars an hour that calls may cost before an alarm. */
    costAlarm: z.number().positive().default(1),
    alarms: alarms(),
    /** With true, X-Ray traces the functions. */
    tracing: z.boolean().default(false),
    /** A CloudWatch dashboard. */
    dashboard: z.boolean().optional(),
    /** A function that makes a change every 5 minutes and waits for its event. */
    canary: z.boolean().optional(),
    /**
     * With true, a new version serves a tenth of the calls for 5 minutes before all, and is rolled back on errors.
     */
    gradual: z.boolean().optional(),
  });

type StageFields = z.output<ReturnType<typeof fields>>;

/** What a stage has as a rule; one that is disposable has less. */
function withDefaults({ edge: wanted, logDays, dashboard, canary, gradual, ...settings }: StageFields) {
  const careful = !settings.disposable;
  const ofStage = wanted === undefined && careful ? edge().parse({}) : wanted || undefined;
  return {
    ...settings,
    edge: ofStage,
    // Of the environment that deploys; CDK's own variable knows the profile as well.
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
    .transform(withDefaults)
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

/** What outlives its stack does not outlive a first deployment that fails: the next one makes it again. */
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
