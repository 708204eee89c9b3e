import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Operation, type Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { ConsumerName } from './table.ts';
import type { Worker } from './workers.ts';

const period = Duration.minutes(5);

const descriptions: Readonly<Record<ConsumerName, { readonly discarded: string; readonly late: string }>> = {
  'event-queue': {
    discarded: 'The event worker discarded changes of the table. They are not events yet.',
    late: 'Changes of the table become events 5 minutes late or later.',
  },
  'proposal-work': {
    discarded: 'The proposals worker discarded changes. Visits are not queued, or an expiry is not written.',
    late: 'Visits are queued, or expired proposals become events, 5 minutes late or later.',
  },
};

/** docs/operations.md says what to do at each alarm. */
export const makeAlarms = (
  scope: Construct,
  { api, table, workers, email }: { api: HttpApi; table: Table; workers: readonly Worker[]; email: string | undefined },
): void => {
  const topic = makeTopic(scope, email);
  const alarm = (id: string, alarmDescription: string, metric: IMetric, threshold: number) => {
    const created = new Alarm(scope, id, {
      alarmDescription,
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    created.addAlarmAction(new SnsAction(topic));
    created.addOkAction(new SnsAction(topic));
  };
  for (const { name, worker, dead } of workers) {
    const { discarded, late } = descriptions[name];
    const waiting = dead.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' });
    alarm(`${name}-dead-alarm`, discarded, waiting, 1);
    const age = worker.metric('IteratorAge', { period, statistic: 'Maximum' });
    alarm(`${name}-late-alarm`, late, age, Duration.minutes(5).toMilliseconds());
    const errors = worker.metricErrors({ period, statistic: 'Sum' });
    alarm(`${name}-errors-alarm`, `Invocations of the worker ${name} fail.`, errors, 3);
  }
  alarm('api-faults-alarm', 'Calls return 500 or 503.', api.metricServerError({ period, statistic: 'Sum' }), 5);
  alarm('table-throttles-alarm', 'DynamoDB throttles requests: a key is too hot.', throttles(table), 10);
};

/** By operation: those metrics include the indexes, the table's own do not. */
const throttles = (table: Table): IMetric => {
  const operations = [
    Operation.GET_ITEM,
    Operation.BATCH_GET_ITEM,
    Operation.QUERY,
    Operation.PUT_ITEM,
    Operation.UPDATE_ITEM,
    Operation.DELETE_ITEM,
    Operation.BATCH_WRITE_ITEM,
    Operation.TRANSACT_WRITE_ITEMS,
  ];
  return table.metricThrottledRequestsForOperations({ operations, period });
};

const makeTopic = (scope: Construct, email: string | undefined): Topic => {
  const topic = new Topic(scope, 'Alarms', { enforceSSL: true });
  // enforceSSL replaces the default policy, under which alarms may publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      actions: ['sns:Publish'],
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (email) topic.addSubscription(new EmailSubscription(email));
  return topic;
};
