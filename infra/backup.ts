import { Aws, Duration, Fn, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault, BackupVaultEvents } from 'aws-cdk-lib/aws-backup';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { type StageSettings, removalPolicyOf } from './stages.ts';

/** The stage's own vault keeps a backup until it is copied, and a few days more in case a copy fails. */
const OWN_DAYS = 7;

/** AWS Backup's own policies: no narrower statements exist. */
const POLICIES = ['service-role/AWSBackupServiceRolePolicyForBackup', 'AWSBackupServiceRolePolicyForS3Backup'];

/**
 * Backs up table and bucket daily and copies the backups into a vault of another account or region, where they survive
 * the loss of this one. `failures` gets an e-mail for each failed job.
 */
export const makeBackup = (
  scope: Construct,
  { table, bucket, failures }: { readonly table: ITable; readonly bucket: Bucket; readonly failures?: ITopic },
  { copyTo, days }: NonNullable<StageSettings['backup']>,
): void => {
  // Copies in another account require a key that AWS does not manage.
  const encryptionKey = new Key(scope, 'BackupKey', {
    description: 'Encrypts the backups of the stage',
    enableKeyRotation: true,
    removalPolicy: removalPolicyOf(false),
  });
  const vault = new BackupVault(scope, 'BackupVault', {
    // A vault needs a name and outlives the stack. With the stack's id in it, a new stack of the same name can have its
    // own.
    backupVaultName: `field-service-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`,
    encryptionKey,
    removalPolicy: removalPolicyOf(false),
    ...(failures && {
      notificationTopic: failures,
      notificationEvents: [BackupVaultEvents.BACKUP_JOB_FAILED, BackupVaultEvents.COPY_JOB_FAILED],
    }),
  });
  const rule = new BackupPlanRule({
    ruleName: 'daily',
    scheduleExpression: Schedule.cron({ hour: '5', minute: '0' }),
    deleteAfter: Duration.days(OWN_DAYS),
    copyActions: [
      {
        destinationBackupVault: BackupVault.fromBackupVaultArn(scope, 'CopyVault', copyTo),
        deleteAfter: Duration.days(days),
      },
    ],
  });
  const plan = new BackupPlan(scope, 'BackupPlan', { backupVault: vault, backupPlanRules: [rule] });
  const role = new Role(scope, 'Backup-role', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: POLICIES.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
  });
  for (const name of POLICIES)
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`,
      reason: 'Only AWS Backup assumes the role, and the plan names the table and the bucket.',
    });
  plan.addSelection('Selection', {
    role,
    disableDefaultBackupPolicy: true,
    resources: [BackupResource.fromArn(table.tableArn), BackupResource.fromArn(bucket.bucketArn)],
  });
};
