import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { type Resources, cursorStatement, delayedMessageStatements, known, sendStatement } from './grants.ts';

/*
 * Permissions that functions of the last release use and those of this version do not. While a deployment shifts calls,
 * and during a rollback, functions of both run with the same role, so a permission is removed one release after its
 * last use. test/infra/former-grants.test.ts compares with the grants of the last release. Decision 11 says how both
 * continue after a release.
 */

/** By function name. */
const former: Readonly<Record<string, (resources: Resources) => PolicyStatement[]>> = {
  // 0.2.0 stored the cursors of its list.
  services: ({ table }) => [cursorStatement(table)],
  // 0.2.0 sent waiting messages to its own queue again.
  callbacks: ({ queues }) => [sendStatement(queues)],
  downloads: ({ table, queues }) => [sendStatement(queues), delayedMessageStatements(table).write],
};

export const formerStatements = (name: string, resources: Resources): PolicyStatement[] =>
  former[name]?.(resources) ?? [];

/** In 0.2.0 each function had its own log group, with a name from CloudFormation: `field-service-production-…`. */
export const formerLogsOf = (scope: Construct): { readonly pattern: string; readonly statement: PolicyStatement } => {
  const stack = Stack.of(scope);
  const resource = `log-group:${stack.stackName}-*`;
  const actions = ['logs:CreateLogStream', 'logs:PutLogEvents'];
  const [partition, region] = [known(stack.partition, 'Partition'), known(stack.region, 'Region')];
  return {
    pattern: `arn:${partition}:logs:${region}:<AWS::AccountId>:${resource}`,
    statement: new PolicyStatement({
      actions,
      resources: [stack.formatArn({ service: 'logs', resource, arnFormat: ArnFormat.NO_RESOURCE_NAME })],
    }),
  };
};
