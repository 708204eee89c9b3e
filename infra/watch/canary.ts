import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { type Deployed, type FunctionSettings, makeFunction } from '../functions.ts';
import { canaryStatements } from '../grants.ts';

export const CANARY_MINUTES = 5;

/**
 * The canary and its schedule. It waits up to a minute and a half for an event and is not retried: the next run follows
 * soon, and the alarm waits for three.
 */
export const makeCanary = (scope: Construct, settings: FunctionSettings, table: ITable): Deployed => {
  const canary = makeFunction(scope, 'canary', settings, {
    bundle: 'workers/canary',
    description: `Makes a change through the API every ${CANARY_MINUTES} minutes and waits for its event`,
    timeout: Duration.seconds(95),
    statements: canaryStatements(table),
    atOnce: true,
  });
  new Rule(scope, 'canary-schedule', {
    description: `Runs the canary every ${CANARY_MINUTES} minutes`,
    schedule: Schedule.rate(Duration.minutes(CANARY_MINUTES)),
    targets: [new LambdaFunction(canary.function, { retryAttempts: 0, maxEventAge: Duration.minutes(CANARY_MINUTES) })],
  });
  return canary;
};
