import type { CloudFormationCustomResourceEvent, Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { handler as fallback } from '../../functions/fallback/index.ts';
import { groups } from '../../functions/index.ts';
import { firstCall } from '../../functions/workers/first-call.ts';
import { entries } from '../../infra/bundle/bundle.ts';
import { type AwsAnswer, startAws } from '../support/aws-stand-in.ts';
import { startOwnStack } from '../support/stack/start-stack.ts';
import { testStack, testTable } from '../support/stack/stack.ts';

type Handler = (event: never, context: Context) => Promise<unknown>;

const worker = async (file: string): Promise<Handler> =>
  ((await import(`../../${file}`)) as { handler: Handler }).handler;

/** The handlers of all functions that have an alias. */
const ofRoutes: readonly [string, Handler][] = [
  ['fallback', fallback as Handler],
  ...groups.map(({ name, handler }): [string, Handler] => [name, handler as Handler]),
];
const workerFiles = Object.entries(entries)
  .filter(([name]) => name.startsWith('workers/') && !['workers/canary', 'workers/first-call'].includes(name))
  .map(([name, file]): [string, string] => [name.replace('workers/', ''), file]);

/** What Lambda does with a version that is called. */
let version: Handler;
let answers: { Status: string; Reason?: string; type: unknown }[] = [];
/** The names and numbers of called versions, in order. */
let called: string[] = [];
let atOnce = 0;
let mostAtOnce = 0;
let refusals = 0;

const answerOfLambda = async (payload: string): Promise<AwsAnswer> => {
  try {
    const context = { getRemainingTimeInMillis: () => 30_000, awsRequestId: 'test' } as Context;
    const answer = await version(JSON.parse(payload) as never, context);
    return { body: JSON.stringify(answer ?? null) };
  } catch (error) {
    const body = JSON.stringify({ errorMessage: String(error), errorType: 'Error' });
    return { headers: { 'x-amz-function-error': 'Unhandled' }, body };
  }
};

const throttled: AwsAnswer = {
  status: 429,
  headers: { 'x-amzn-errortype': 'TooManyRequestsException' },
  body: JSON.stringify({ message: 'Rate Exceeded.', Reason: 'ConcurrentInvocationLimitExceeded' }),
};

let aws: Awaited<ReturnType<typeof startAws>>;
let stopStack: () => Promise<void>;
beforeAll(async () => {
  // Without the contact that the canary makes in the stack of the run.
  stopStack = await startOwnStack();
  aws = await startAws(async ({ operation, headers, body }) => {
    if (operation === 'PUT /answer') {
      answers.push({ ...(JSON.parse(body) as { Status: string }), type: headers['content-type'] });
      return { body: '' };
    }
    if (operation === 'GetSecretValue') return { body: JSON.stringify({ SecretString: 's'.repeat(48) }) };
    const [, name] = /\/functions\/[^/]*function:([^/]*)\/invocations$/.exec(decodeURIComponent(operation)) ?? [];
    if (!name) return undefined;
    if (refusals-- > 0) return throttled;
    called.push(name);
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    const answer = await answerOfLambda(body);
    atOnce--;
    return answer;
  });
  const { TableName, DynamoDBEndpoint, BaseUrl, AwsEndpoint } = testStack();
  testTable();
  Object.assign(process.env, {
    TABLE_NAME: TableName,
    BASE_URL: BaseUrl,
    AWS_ENDPOINT_URL_DYNAMODB: DynamoDBEndpoint,
    AWS_ENDPOINT_URL_S3: AwsEndpoint,
    AWS_ENDPOINT_URL_LAMBDA: aws.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.endpoint,
    ORIGIN_SECRET: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Origin',
    LOG_LEVEL: 'silent',
    STAGE: 'local',
  });
});
afterEach(() => {
  [answers, called, mostAtOnce, refusals] = [[], [], 0, 0];
});
afterAll(async () => {
  await aws.stop();
  await stopStack();
});

const arns = (versions: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(versions).map(([name, number]) => [
      name,
      `arn:aws:lambda:us-east-1:000000000000:function:${name}:${number}`,
    ]),
  );

/** What CloudFormation learns of a deployment. */
async function deploy(handler: Handler, event: object, milliseconds = 60_000) {
  version = handler;
  const request = { ResponseURL: `${aws.endpoint}/answer`, StackId: 's', RequestId: 'r', LogicalResourceId: 'l' };
  const context = { getRemainingTimeInMillis: () => milliseconds } as Context;
  const run = firstCall({ pauseMilliseconds: 1 });
  await run({ ...request, ...event } as CloudFormationCustomResourceEvent, context);
  expect(answers).toEqual([
    expect.objectContaining({ StackId: 's', RequestId: 'r', LogicalResourceId: 'l', type: '' }),
  ]);
  return answers[0];
}

const made = (versions: Readonly<Record<string, number>>) => ({
  RequestType: 'Create',
  ResourceProperties: { Versions: arns(versions) },
});
const updated = (before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) => ({
  RequestType: 'Update',
  OldResourceProperties: { Versions: arns(before) },
  ResourceProperties: { Versions: arns(after) },
});
const good: Handler = () => Promise.resolve({ statusCode: 200 });

describe('the first call of a new version', () => {
  test.each(ofRoutes)('lets %s go on, which answers it', async (name, handler) => {
    let status: number | undefined;
    const watched: Handler = async (event, context) => {
      const answer = (await handler(event, context)) as { statusCode?: number };
      status = answer.statusCode;
      return answer;
    };
    expect(await deploy(watched, made({ [name]: 7 }))).toMatchObject({ Status: 'SUCCESS' });
    // Without a record of the canary, a file, a form, an Owner's key, and here the made page, the others refuse.
    const others: Record<string, number> = {
      download: 400,
      messages: 404,
      part: 400,
      users: 403,
      docs: 404,
      files: 404,
      pages: 404,
      leads: 404,
      uploads: 400,
    };
    expect([name, status]).toEqual([name, others[name] ?? 200]);
  });

  test.each(workerFiles)('lets the worker %s go on, which does nothing', async (name, file) => {
    expect(await deploy(await worker(file), made({ [name]: 7 }))).toMatchObject({ Status: 'SUCCESS' });
    expect(called).toEqual([`${name}:7`]);
  });

  test.each([
    [
      'does not load',
      () => Promise.reject(new Error('Cannot find module pdfkit')),
      /^contacts failed at its first call: .*Cannot find module pdfkit/,
    ],
    [
      'answers 500',
      () => Promise.resolve({ statusCode: 500, body: 'Why' }),
      /^contacts answered 500 to its first call: Why$/,
    ],
    ['answers nothing', () => Promise.resolve(), /^contacts answered undefined to its first call: $/],
  ])('ends the deployment of a version that %s, and says which', async (_, handler, words) => {
    const { Status, Reason } = (await deploy(handler, made({ contacts: 7, invoice: 7 }))) ?? {};
    expect([Status, Reason]).toEqual(['FAILED', expect.stringMatching(words)]);
    expect(called).toEqual(Array.from({ length: 10 }, () => 'contacts:7'));
  });

  test('ends a deployment in time whose version does not answer', async () => {
    let answer = (): void => undefined;
    const hanging: Handler = () => new Promise<void>((resolve) => (answer = resolve));
    // Half a minute is for the answer.
    const { Status, Reason } = (await deploy(hanging, made({ contacts: 7 }), 30_500)) ?? {};
    answer();
    expect([Status, Reason]).toEqual(['FAILED', 'contacts did not answer its first call in time.']);
  });

  test('is repeated where a key or a permission is not known yet', async () => {
    const later: Handler = () => Promise.resolve({ statusCode: called.length < 3 ? 401 : 200 });
    expect(await deploy(later, made({ contacts: 7 }))).toMatchObject({ Status: 'SUCCESS' });
    expect(called).toHaveLength(3);
  });

  test('is made one after another, whatever an account may run at once', async () => {
    const slow: Handler = () => new Promise((resolve) => setTimeout(resolve, 5, { statusCode: 200 }));
    const all = Object.fromEntries(ofRoutes.map(([name]) => [name, 7]));
    expect(await deploy(slow, made(all))).toMatchObject({ Status: 'SUCCESS' });
    expect(called).toHaveLength(ofRoutes.length);
    expect(mostAtOnce).toBe(1);
  });

  test('waits where the account has no run free', async () => {
    refusals = 2;
    expect(await deploy(good, made({ contacts: 7 }))).toMatchObject({ Status: 'SUCCESS' });
    expect(called).toEqual(['contacts:7']);
  });

  test('is made of what is new', async () => {
    const before = { contacts: 7, invoice: 7, payment: 9 };
    await deploy(good, updated(before, { contacts: 7, invoice: 10, payment: 10, task: 1 }));
    expect(called).toEqual(['invoice:10', 'payment:10', 'task:1']);
  });

  test.each([
    ['goes back', updated({ contacts: 8 }, { contacts: 7 })],
    ['goes back to before first calls', { ...made({ contacts: 8 }), RequestType: 'Delete' }],
  ])('does not keep a deployment from ending that %s', async (_, event) => {
    const bad: Handler = () => Promise.reject(new Error('The table is away'));
    expect(await deploy(bad, event)).toMatchObject({ Status: 'SUCCESS' });
    expect(called).toEqual([]);
  });
});
