import { setTimeout as pause } from 'node:timers/promises';
import {
  CodeDeployClient,
  GetDeploymentCommand,
  PutLifecycleEventHookExecutionStatusCommand,
} from '@aws-sdk/client-codedeploy';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { errorFields, writeLogLine } from '../../lib/api/log-lines.ts';
import { InternalError } from '../../lib/shared/failure.ts';
import { SECOND } from '../../lib/shared/time/time.ts';
import { writeCanaryKeys } from '../../lib/store/administration/canary.ts';
import { openTable } from '../../lib/store/dynamodb/table.ts';
import { firstCallOf } from './first-call-events.ts';

interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

/** What CodeDeploy is about to do. */
interface NewVersion {
  /** Of the deployment group, which is that of the function in the stack. */
  readonly name: string;
  readonly functionName: string;
  readonly version: string;
}

/** A new key, and a new permission, may be unknown for a moment. */
const TRIES = 5;

const codeDeploy = new CodeDeployClient({});
const lambda = new LambdaClient({});
let key: Promise<string> | undefined;

/** A key of the canary's account, one a container. */
const canaryKey = (): Promise<string> =>
  (key ??= writeCanaryKeys(openTable(), new Date()).then(({ ofAccount }) => ofAccount));

async function findVersion(deploymentId: string): Promise<NewVersion> {
  const { deploymentInfo } = await codeDeploy.send(new GetDeploymentCommand({ deploymentId }));
  const { revision, deploymentGroupName: name = '' } = deploymentInfo ?? {};
  const text = revision?.appSpecContent?.content ?? revision?.string?.content ?? '';
  const [, functionName] = /"Name"\s*:\s*"([^"]+)"/.exec(text) ?? [];
  const [, version] = /"TargetVersion"\s*:\s*"([^"]+)"/.exec(text) ?? [];
  if (!functionName || !version) throw new InternalError(`Deployment ${deploymentId} names no function and version.`);
  return { name, functionName, version };
}

/** Calls a version once. Throws where it fails, or answers 401 or from 500. */
async function callOnce({ name, functionName, version }: NewVersion): Promise<void> {
  const { event, isHttp } = firstCallOf(name, await canaryKey());
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({ FunctionName: functionName, Qualifier: version, Payload: JSON.stringify(event) }),
  );
  const text = Payload?.transformToString() ?? '';
  if (FunctionError) throw new InternalError(`${name} failed at its first call: ${text.slice(0, 500)}`);
  const { statusCode } = (JSON.parse(text || 'null') ?? {}) as { statusCode?: number };
  if (isHttp && (statusCode === undefined || statusCode >= 500 || statusCode === 401))
    throw new InternalError(`${name} answered ${statusCode} to its first call.`);
}

async function callUntilGood(version: NewVersion, pauseMilliseconds: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await callOnce(version);
    } catch (error) {
      if (attempt === TRIES) throw error;
      await pause(pauseMilliseconds);
    }
  }
}

/** Calls a new version once, and tells CodeDeploy whether it is good. */
export const firstCall =
  ({ pauseMilliseconds }: { readonly pauseMilliseconds: number }) =>
  async ({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<void> => {
    const failure = await findVersion(DeploymentId)
      .then((version) => callUntilGood(version, pauseMilliseconds))
      .catch((error: unknown) => error);
    writeLogLine({
      Worker: 'first-call',
      DeploymentId,
      Level: failure ? 'error' : 'info',
      ...(failure ? errorFields(failure) : {}),
    });
    await codeDeploy.send(
      new PutLifecycleEventHookExecutionStatusCommand({
        deploymentId: DeploymentId,
        lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
        status: failure ? 'Failed' : 'Succeeded',
      }),
    );
  };

/**
 * CodeDeploy calls it before a new version gets calls. It calls that version once; where that fails the deployment
 * ends, and CloudFormation restores the whole stack.
 */
export const handler = firstCall({ pauseMilliseconds: 2 * SECOND });
