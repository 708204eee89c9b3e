import { setTimeout as pause } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse, Context } from 'aws-lambda';
import { errorFields, writeLogLine } from '../../lib/api/log-lines.ts';
import { InternalError } from '../../lib/shared/failure.ts';
import { SECOND } from '../../lib/shared/time/time.ts';
import { writeCanaryKeys } from '../../lib/store/administration/canary.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { firstCallOf } from './first-call-events.ts';

/** The FirstCalls property of the stack: ARNs of versions, which end with a number, by the names of their functions. */
type Versions = Readonly<Record<string, string>>;

/** The name of a function in the stack, and its version. */
type Version = readonly [name: string, arn: string];

interface Tries {
  readonly pauseMilliseconds: number;
  /** Aborted when it is time to answer. */
  readonly signal: AbortSignal;
}

/** A new key, and in a first deployment each role, may be unknown for some seconds. */
const TRIES = 10;
/**
 * Leaves time to answer CloudFormation before Lambda ends the run; the SDK waits up to 20 s before it repeats a
 * request.
 */
const TIME_TO_ANSWER = 30 * SECOND;
/** CloudFormation accepts answers of up to 4,096 bytes. */
const REASON_LENGTH = 1_000;

// With other callers running, an account with low concurrency may refuse a call for a minute.
const lambda = new LambdaClient({ maxAttempts: 10 });

const numberOf = (arn: string | undefined): number => Number(arn?.split(':').at(-1) ?? 0);

/** Versions that have not been called yet: numbers only grow, and a rollback names lower ones. */
function newVersionsOf(event: CloudFormationCustomResourceEvent): Version[] {
  if (event.RequestType === 'Delete') return [];
  const versions = event.ResourceProperties['Versions'] as Versions;
  const before = event.RequestType === 'Update' ? (event.OldResourceProperties['Versions'] as Versions) : {};
  return Object.entries(versions).filter(([name, arn]) => numberOf(arn) > numberOf(before[name]));
}

/** Calls a version once. Throws if the call fails, or answers 401, or 500 and above. */
async function callOnce([name, arn]: Version, key: string, abortSignal: AbortSignal): Promise<void> {
  const { event, isHttp } = firstCallOf(name, key);
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({ FunctionName: arn, Payload: JSON.stringify(event) }),
    { abortSignal },
  );
  const text = Payload?.transformToString() ?? '';
  if (FunctionError) throw new InternalError(`${name} failed at its first call: ${text}`);
  const { statusCode, body = '' } = (JSON.parse(text || 'null') ?? {}) as { statusCode?: number; body?: string };
  if (isHttp && (statusCode === undefined || statusCode >= 500 || statusCode === 401))
    throw new InternalError(`${name} answered ${statusCode} to its first call: ${body}`);
}

/** Repeats a failed first call while time is left. */
async function tryAgain(name: string, call: () => Promise<void>, { pauseMilliseconds, signal }: Tries): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted) throw new InternalError(`${name} did not answer its first call in time.`);
      if (attempt === TRIES) throw error;
      await pause(pauseMilliseconds);
    }
  }
}

/** Calls versions one after another, so that accounts with low concurrency can deploy. */
async function callInTurn(versions: readonly Version[], tries: Tries): Promise<void> {
  let key: string | undefined;
  for (const version of versions)
    await tryAgain(
      version[0],
      async () => {
        key ??= (await writeCanaryKeys(openTable(), new Date())).ofAccount;
        await callOnce(version, key, tries.signal);
      },
      tries,
    );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * CloudFormation waits for the answer at a URL that it signed. If it does not accept the answer, Lambda repeats the
 * whole run.
 */
async function answer(event: CloudFormationCustomResourceEvent, failure: unknown): Promise<void> {
  const { StackId, RequestId, LogicalResourceId, ResponseURL } = event;
  const result = { StackId, RequestId, LogicalResourceId, PhysicalResourceId: 'first-calls' };
  const response: CloudFormationCustomResourceResponse = failure
    ? { ...result, Status: 'FAILED', Reason: messageOf(failure).slice(0, REASON_LENGTH) }
    : { ...result, Status: 'SUCCESS' };
  // The URL is signed with an empty content type.
  const headers = { 'content-type': '' };
  const { ok, status } = await fetch(ResponseURL, { method: 'PUT', headers, body: JSON.stringify(response) });
  if (!ok) throw new InternalError(`CloudFormation answered ${status}.`);
}

/** Calls each new version once, and tells CloudFormation whether all of them work. */
export const firstCall =
  ({ pauseMilliseconds }: { readonly pauseMilliseconds: number }) =>
  async (event: CloudFormationCustomResourceEvent, context: Context): Promise<void> => {
    const versions = newVersionsOf(event);
    const signal = AbortSignal.timeout(context.getRemainingTimeInMillis() - TIME_TO_ANSWER);
    const failure = await callInTurn(versions, { pauseMilliseconds, signal }).catch((error: unknown) => error);
    writeLogLine({
      Worker: 'first-call',
      Versions: versions.length,
      Level: failure ? 'error' : 'info',
      ...(failure ? errorFields(failure) : {}),
    });
    await answer(event, failure);
  };

/**
 * CloudFormation calls it in each deployment, before aliases move to new versions. If a version fails, CloudFormation
 * rolls back the whole stack.
 */
export const handler = firstCall({ pauseMilliseconds: 2 * SECOND });
