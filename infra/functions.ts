import { join } from 'node:path';
import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { BundleName } from './bundle/bundle.ts';

export interface FunctionSettings {
  /** Contains a folder a bundle. */
  readonly bundles: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface FunctionOptions {
  readonly bundle: BundleName;
  readonly description: string;
  readonly timeout: Duration;
  /** Everything the function may do, except for its own logs. */
  readonly statements: readonly PolicyStatement[];
}

/**
 * A function with its own log group and its own role, without managed policies. 1,024 MB is 0.6 of a processor, which
 * decides how long a cold start takes.
 */
export const makeFunction = (
  scope: Construct,
  id: string,
  settings: FunctionSettings,
  options: FunctionOptions,
): Function => {
  const logGroup = new LogGroup(scope, `${id}-logs`, {
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(scope, `${id}-role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      statements: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
            resources: [logGroup.logGroupArn],
          }),
          ...options.statements,
        ],
      }),
    },
  });
  return new Function(scope, id, {
    description: options.description,
    code: Code.fromAsset(join(settings.bundles, options.bundle)),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: 1024,
    timeout: options.timeout,
    environment: { ...settings.environment },
    role,
    logGroup,
    loggingFormat: LoggingFormat.JSON,
  });
};
