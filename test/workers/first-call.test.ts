import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { handler as fallback } from '../../functions/fallback/index.ts';
import { groups } from '../../functions/index.ts';
import { firstCall } from '../../functions/workers/first-call.ts';
import { entries } from '../../infra/bundle/bundle.ts';
import { type AwsAnswer, startAws } from '../support/aws-stand-in.ts';
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

/** What Lambda does with the version that is called. */
let version: Handler;
let statuses: string[] = [];
let calls = 0;

const answerOfLambda = async (payload: string): Promise<AwsAnswer> => {
  calls++;
  try {
    const context = { getRemainingTimeInMillis: () => 30_000, awsRequestId: 'test' } as Context;
    const answer = await version(JSON.parse(payload) as never, context);
    return { body: JSON.stringify(answer ?? null) };
  } catch (error) {
    const body = JSON.stringify({ errorMessage: String(error), errorType: 'Error' });
    return { headers: { 'x-amz-function-error': 'Unhandled' }, body };
  }
};

let aws: Awaited<ReturnType<typeof startAws>>;
beforeAll(async () => {
  aws = await startAws(({ operation, url, body }) => {
    if (operation === 'GetDeployment') {
      const { deploymentId } = JSON.parse(body) as { deploymentId: string };
      const Properties = { Name: 'deployed-name', Alias: 'live', CurrentVersion: '6', TargetVersion: '7' };
      const content = JSON.stringify({
        version: 0.0,
        Resources: [{ made: { Type: 'AWS::Lambda::Function', Properties } }],
      });
      const revision = { revisionType: 'AppSpecContent', appSpecContent: { content } };
      return { body: JSON.stringify({ deploymentInfo: { deploymentGroupName: deploymentId, revision } }) };
    }
    if (operation === 'PutLifecycleEventHookExecutionStatus') {
      statuses.push((JSON.parse(body) as { status: string }).status);
      return { body: '{}' };
    }
    if (operation === 'GetSecretValue') return { body: JSON.stringify({ SecretString: 's'.repeat(48) }) };
    const isVersion =
      operation.endsWith('/functions/deployed-name/invocations') && url.searchParams.get('Qualifier') === '7';
    return isVersion ? answerOfLambda(body) : undefined;
  });
  const { TableName, DynamoDBEndpoint, BaseUrl, AwsEndpoint } = testStack();
  testTable();
  Object.assign(process.env, {
    TABLE_NAME: TableName,
    BASE_URL: BaseUrl,
    AWS_ENDPOINT_URL_DYNAMODB: DynamoDBEndpoint,
    AWS_ENDPOINT_URL_S3: AwsEndpoint,
    AWS_ENDPOINT_URL_LAMBDA: aws.endpoint,
    AWS_ENDPOINT_URL_CODEDEPLOY: aws.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.endpoint,
    ORIGIN_SECRET: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Origin',
    LOG_LEVEL: 'silent',
    STAGE: 'local',
  });
});
afterEach(() => {
  [statuses, calls] = [[], 0];
});
afterAll(() => aws.stop());

/** What CodeDeploy learns of a new version of a function. */
async function deploy(name: string, handler: Handler): Promise<string | undefined> {
  version = handler;
  await firstCall({ pauseMilliseconds: 1 })({ DeploymentId: name, LifecycleEventHookExecutionId: 'hook' });
  return statuses[0];
}

describe('the first call of a new version', () => {
  test.each(ofRoutes)('lets %s go on, which answers it', async (name, handler) => {
    const answers: { statusCode?: number }[] = [];
    const watched: Handler = async (event, context) => {
      const answer = (await handler(event, context)) as { statusCode?: number };
      answers.push(answer);
      return answer;
    };
    expect(await deploy(name, watched)).toBe('Succeeded');
    // Without a record of the canary, a file, a form, an Owner's key, and here the made page, the others refuse.
    const others: Record<string, number> = {
      download: 400,
      part: 400,
      users: 403,
      docs: 404,
      files: 404,
      pages: 404,
      uploads: 400,
    };
    expect([name, answers.at(-1)?.statusCode]).toEqual([name, others[name] ?? 200]);
  });

  test.each(workerFiles)('lets the worker %s go on, which does nothing', async (name, file) => {
    expect(await deploy(name, await worker(file))).toBe('Succeeded');
    expect(calls).toBe(1);
  });

  test.each([
    ['does not load', () => Promise.reject(new Error('Cannot find module pdfkit'))],
    ['answers 500', () => Promise.resolve({ statusCode: 500 })],
    ['answers nothing', () => Promise.resolve()],
  ])('ends the deployment of a version that %s', async (_, handler) => {
    expect(await deploy('contacts', handler)).toBe('Failed');
    expect(calls).toBe(5);
  });

  test('is repeated where a key or a permission is not known yet', async () => {
    const later: Handler = () => Promise.resolve({ statusCode: calls < 3 ? 401 : 200 });
    expect(await deploy('contacts', later)).toBe('Succeeded');
    expect(calls).toBe(3);
  });
});
