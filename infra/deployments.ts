import { type CfnElement, CustomResource, Duration, type IResource, Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { chunks } from '../lib/store/dynamodb/table.ts';
import { type Deployed, type FunctionSettings, makeFunction } from './functions.ts';
import { canaryStatements } from './grants.ts';

/** The policy of a role is limited to 10,240 characters, and a function takes up to 260 of them. */
const FUNCTIONS_A_ROLE = 25;

/** 40 functions take about a minute. */
const FIRST_CALLS_TIMEOUT = Duration.minutes(10);

const logicalId = ({ node, stack }: IResource): string => stack.getLogicalId(node.defaultChild as CfnElement);

/** A function with the alias that CodeDeploy moves. */
interface Gradual {
  readonly id: string;
  readonly functionArn: string;
  readonly alias: Alias;
}

interface Deployments {
  readonly functions: readonly Deployed[];
  readonly rollbackOf: (functionId: string) => readonly Alarm[];
  readonly settings: FunctionSettings;
  readonly table: ITable;
}

/**
 * Gradual deployments of the functions that have an alias. Before any alias moves, `first-call` calls each new version
 * once, one after another. Then a new version gets a tenth of the calls, after 5 minutes all of them. If a first call
 * fails, or an alarm of `rollbackOf` is on, CloudFormation restores the whole stack.
 */
export const makeDeployments = (scope: Construct, { functions, rollbackOf, settings, table }: Deployments): void => {
  const gradual = functions.flatMap(({ id, function: { functionArn }, alias }): Gradual[] =>
    alias ? [{ id, functionArn, alias }] : [],
  );
  if (!gradual.length) return;
  const application = new LambdaApplication(scope, 'Deployments');
  makeFirstCalls(scope, { gradual, settings, table });
  for (const [index, part] of chunks(gradual, FUNCTIONS_A_ROLE).entries()) {
    const role = makeRole(scope, index ? `Deployments-role-${index + 1}` : 'Deployments-role', part);
    for (const { id, alias } of part)
      new LambdaDeploymentGroup(scope, `${id}-deployment`, {
        application,
        alias,
        // CDK would attach a managed policy that allows changes to every function of the AWS account.
        role: role.withoutPolicyUpdates(),
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: [...rollbackOf(id)],
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
  }
};

/**
 * A resource that each deployment updates before the aliases. CodeDeploy hooks would all run at once, which an account
 * with 10 concurrent runs cannot do.
 */
function makeFirstCalls(
  scope: Construct,
  { gradual, settings, table }: Pick<Deployments, 'settings' | 'table'> & { readonly gradual: readonly Gradual[] },
): void {
  const { function: firstCall } = makeFunction(scope, 'first-call', settings, {
    bundle: 'workers/first-call',
    description: 'Calls each new version once, before it gets calls',
    timeout: FIRST_CALLS_TIMEOUT,
    statements: [
      ...canaryStatements(table),
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: gradual.map(({ functionArn }) => `${functionArn}:*`),
      }),
    ],
    patterns: {
      resources: gradual.map(({ alias }) => `<${logicalId(alias.lambda)}.Arn>:*`),
      reason: 'The versions of the functions of this stack, whose numbers are not known.',
    },
    atOnce: true,
  });
  const firstCalls = new CustomResource(scope, 'FirstCalls', {
    resourceType: 'Custom::FirstCalls',
    serviceToken: firstCall.functionArn,
    // A version that does not even load never answers; CloudFormation would otherwise wait for an hour.
    serviceTimeout: FIRST_CALLS_TIMEOUT.plus(Duration.minutes(5)),
    properties: { Versions: Object.fromEntries(gradual.map(({ id, alias }) => [id, alias.version.functionArn])) },
  });
  for (const { alias } of gradual) alias.node.addDependency(firstCalls);
}

const makeRole = (scope: Construct, id: string, functions: readonly Gradual[]): Role => {
  const moveAliases = new PolicyStatement({
    actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
    resources: functions.flatMap(({ functionArn }) => [functionArn, `${functionArn}:live`]),
  });
  const readAlarms = new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] });
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    inlinePolicies: { statements: new PolicyDocument({ statements: [moveAliases, readAlarms] }) },
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'CodeDeploy reads all alarms of a deployment group in one request, which cannot be limited by alarm.',
  });
  return role;
};
