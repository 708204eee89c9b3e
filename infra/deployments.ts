import { Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Deployed } from './functions.ts';

/**
 * Gradual deployments of the functions that have an alias: a tenth of the calls, after 5 minutes all of them. If an
 * alarm of `rollbackOf` is on, CodeDeploy moves the alias back and CloudFormation restores the whole stack.
 */
export const makeDeployments = (
  scope: Construct,
  { functions, rollbackOf }: { functions: readonly Deployed[]; rollbackOf: (functionId: string) => readonly Alarm[] },
): void => {
  const gradual = functions.flatMap(({ id, function: { functionArn }, alias }) =>
    alias ? [{ id, functionArn, alias }] : [],
  );
  if (!gradual.length) return;
  const application = new LambdaApplication(scope, 'Deployments');
  const role = makeRole(scope, gradual);
  for (const { id, alias } of gradual) {
    new LambdaDeploymentGroup(scope, `${id}-deployment`, {
      application,
      alias,
      // CDK would attach a managed policy to it, which allows changes of every function of the AWS account.
      role: role.withoutPolicyUpdates(),
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [...rollbackOf(id)],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
  }
};

const makeRole = (scope: Construct, functions: readonly { functionArn: string }[]): Role => {
  const moveAliases = new PolicyStatement({
    actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
    resources: functions.flatMap(({ functionArn }) => [functionArn, `${functionArn}:live`]),
  });
  const readAlarms = new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] });
  const role = new Role(scope, 'Deployments-role', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    inlinePolicies: { statements: new PolicyDocument({ statements: [moveAliases, readAlarms] }) },
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'CodeDeploy reads all alarms of a deployment group in one request, which cannot be limited by alarm.',
  });
  return role;
};
