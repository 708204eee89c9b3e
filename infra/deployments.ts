import { type CfnElement, Duration, type IResource, Stack, Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { chunks } from '../lib/store/dynamodb/table.ts';
import { type Deployed, type FunctionSettings, makeFunction } from './functions.ts';
import { canaryStatements, known } from './grants.ts';

/** The policy of a role is limited to 10,240 characters, and a function takes up to 260 of them. */
const FUNCTIONS_A_ROLE = 24;

const logicalId = ({ node, stack }: IResource): string => stack.getLogicalId(node.defaultChild as CfnElement);

interface Deployments {
  readonly functions: readonly Deployed[];
  readonly rollbackOf: (functionId: string) => readonly Alarm[];
  readonly settings: FunctionSettings;
  readonly table: ITable;
}

/**
 * Gradual deployments of the functions that have an alias: one call of `first-call`, then a tenth of the calls, and
 * after 5 minutes all of them. If the first call fails, or an alarm of `rollbackOf` is on, CodeDeploy moves the alias
 * back and CloudFormation restores the whole stack.
 */
export const makeDeployments = (scope: Construct, { functions, rollbackOf, settings, table }: Deployments): void => {
  const gradual = functions.flatMap(({ id, function: { functionArn }, alias }) =>
    alias ? [{ id, functionArn, alias }] : [],
  );
  if (!gradual.length) return;
  const application = new LambdaApplication(scope, 'Deployments');
  const { region, partition } = Stack.of(scope);
  const groupsArn = Stack.of(scope).formatArn({
    service: 'codedeploy',
    resource: `deploymentgroup:${application.applicationName}`,
    resourceName: '*',
  });
  const firstCall = makeFunction(scope, 'first-call', settings, {
    bundle: 'workers/first-call',
    description: 'Calls each new version once, before it gets calls',
    timeout: Duration.minutes(2),
    statements: [
      ...canaryStatements(table),
      new PolicyStatement({
        actions: ['codedeploy:GetDeployment', 'codedeploy:PutLifecycleEventHookExecutionStatus'],
        resources: [groupsArn],
      }),
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: gradual.map(({ functionArn }) => `${functionArn}:*`),
      }),
    ],
    patterns: {
      resources: [
        `arn:${known(partition, 'Partition')}:codedeploy:${known(region, 'Region')}:<AWS::AccountId>:deploymentgroup:<${logicalId(application)}>/*`,
        ...gradual.map(({ alias }) => `<${logicalId(alias.lambda)}.Arn>:*`),
      ],
      reason: 'The deployment groups of this stack, and the versions of its functions, whose numbers are not known.',
    },
    atOnce: true,
  });
  for (const [index, part] of chunks(gradual, FUNCTIONS_A_ROLE).entries()) {
    const role = makeRole(scope, index ? `Deployments-role-${index + 1}` : 'Deployments-role', part, firstCall);
    for (const { id, alias } of part)
      new LambdaDeploymentGroup(scope, `${id}-deployment`, {
        application,
        // Tells the first call which function to call.
        deploymentGroupName: id,
        alias,
        preHook: firstCall.target,
        // CDK would attach a managed policy that allows changes to every function of the AWS account.
        role: role.withoutPolicyUpdates(),
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: [...rollbackOf(id)],
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
  }
};

const makeRole = (
  scope: Construct,
  id: string,
  functions: readonly { functionArn: string }[],
  firstCall: Deployed,
): Role => {
  const callHook = new PolicyStatement({
    actions: ['lambda:InvokeFunction'],
    resources: [firstCall.function.functionArn],
  });
  const moveAliases = new PolicyStatement({
    actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
    resources: functions.flatMap(({ functionArn }) => [functionArn, `${functionArn}:live`]),
  });
  const readAlarms = new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] });
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    inlinePolicies: { statements: new PolicyDocument({ statements: [moveAliases, readAlarms, callHook] }) },
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'CodeDeploy reads all alarms of a deployment group in one request, which cannot be limited by alarm.',
  });
  return role;
};
