import { join } from 'node:path';
import { type Duration, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  Code,
  Function,
  type IFunction,
  type IVersion,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { BundleName } from './bundle/bundle.ts';
import { type StageSettings, removalPolicyOf } from './stages.ts';

export interface FunctionSettings {
  /** The folder that contains a folder for each bundle. */
  readonly bundles: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stage: Pick<StageSettings, 'disposable' | 'workerConcurrency' | 'tracing'>;
  /** Shared by all functions: the name of a log stream contains that of its function. */
  readonly logGroup: LogGroup;
}

export interface FunctionOptions {
  readonly bundle: BundleName;
  readonly description: string;
  readonly timeout: Duration;
  /** Everything that the function may do, except for its own logs and traces. */
  readonly statements: readonly PolicyStatement[];
  /** The resources in `statements` that name the files under a prefix; see filesUnder in grants.ts. */
  readonly filePatterns?: readonly string[];
  /** Other resources with a wildcard in `statements`, as cdk-nag names them, and the reason. */
  readonly patterns?: { readonly resources: readonly string[]; readonly reason: string };
  /** Beyond what all functions have. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether it is called without an alias in every stage. */
  readonly atOnce?: boolean;
  /** Concurrent runs reserved for the function, which are also its maximum; 0 reserves none. */
  readonly reservedConcurrency?: number;
  /** Whether it may send messages that cause its own runs. Otherwise Lambda stops such a chain after 16 runs. */
  readonly sendsToItself?: boolean;
}

/** A function, and what is called: the alias that deployments move to a new version, unless the stage is disposable. */
export interface Deployed {
  readonly id: string;
  readonly function: Function;
  readonly target: IFunction;
  readonly alias?: Alias;
}

/** Logs outlive the stack unless the stage is disposable. */
export const makeLogGroup = (
  scope: Construct,
  id: string,
  { disposable, logDays }: Pick<StageSettings, 'disposable' | 'logDays'>,
): LogGroup => new LogGroup(scope, id, { retention: logDays, removalPolicy: removalPolicyOf(disposable) });

/**
 * A function with its own role, without managed policies. 1,024 MB come with 0.6 of a processor, which decides how long
 * a cold start takes.
 */
export const makeFunction = (
  scope: Construct,
  id: string,
  { bundles, environment, stage, logGroup }: FunctionSettings,
  options: FunctionOptions,
): Deployed => {
  const { bundle, description, timeout, statements, filePatterns = [], atOnce } = options;
  const { reservedConcurrency, sendsToItself } = options;
  const role = new Role(scope, `${id}-role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      statements: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
            resources: [logGroup.logGroupArn],
          }),
          ...(stage.tracing ? [writeTraces()] : []),
          ...statements,
        ],
      }),
    },
  });
  const files = { resources: filePatterns, reason: 'Files under one prefix, whose names are not known beforehand.' };
  for (const { resources, reason } of [files, ...(options.patterns ? [options.patterns] : [])])
    for (const resource of resources)
      Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
  if (stage.tracing)
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray has no resources to name.',
    });
  const created = new Function(scope, id, {
    description,
    code: Code.fromAsset(join(bundles, bundle)),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: 1024,
    timeout,
    environment: { ...environment, ...options.environment },
    // CDK would attach policies, all of which are above.
    role: role.withoutPolicyUpdates(),
    logGroup,
    loggingFormat: LoggingFormat.JSON,
    ...(stage.tracing ? { tracing: Tracing.ACTIVE } : {}),
    ...(sendsToItself ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    ...(reservedConcurrency ? { reservedConcurrentExecutions: reservedConcurrency } : {}),
  });
  if (stage.disposable || atOnce) return { id, function: created, target: created };
  // The casts are needed because CDK's types do not support exactOptionalPropertyTypes.
  const alias = new Alias(scope, `${id}-live`, { aliasName: 'live', version: created.currentVersion as IVersion });
  return { id, function: created, target: alias as IFunction, alias };
};

const writeTraces = () =>
  new PolicyStatement({ actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], resources: ['*'] });
