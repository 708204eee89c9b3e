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

/** What it means when a consumer of the stream gives up, or comes late. */
const words: Readonly<Record<ConsumerName, { readonly gaveUp: string; readonly late: string }>> = {
  'event-queue': {
    gaveUp: 'The event worker gave up on changes of the table: they are not events yet.',
    late: 'Changes of the table wait 5 minutes or longer to become events.',
  },
  'proposal-work': {
    gaveUp: 'The proposals worker gave up: visits are not in the queue yet, or an expiry is not written.',
    late: 'Accepted proposals wait 5 minutes or longer for their visits to be queued, expired ones for their event.',
  },
};

/** Alarms on what loses, delays or refuses work; docs/operations.md says what to do at each. */
export const makeAlarms = (
  scope: Construct,
  { api, table, workers, email }: { api: HttpApi; table: Table; workers: readonly Worker[]; email: string | undefined },
): void => {
  const topic = makeTopic(scope, email);
  const alarm = (id: string, alarmDescription: string, metric: IMetric, threshold: number) => {
    const made = new Alarm(scope, id, {
      alarmDescription,
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    made.addAlarmAction(new SnsAction(topic));
    made.addOkAction(new SnsAction(topic));
  };
  for (const { name, worker, dead } of workers) {
    const { gaveUp, late } = words[name];
    const waiting = dead.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' });
    alarm(`${name}-dead-alarm`, gaveUp, waiting, 1);
    const age = worker.metric('IteratorAge', { period, statistic: 'Maximum' });
    alarm(`${name}-late-alarm`, late, age, Duration.minutes(5).toMilliseconds());
    const errors = worker.metricErrors({ period, statistic: 'Sum' });
    alarm(`${name}-errors-alarm`, `The worker ${name} fails as a whole.`, errors, 3);
  }
  alarm('api-faults-alarm', 'Calls end with 500 or 503.', api.metricServerError({ period, statistic: 'Sum' }), 5);
  alarm('table-throttles-alarm', 'DynamoDB refuses requests: a key is too hot.', throttles(table), 10);
};

/** Counted by operation, because those figures include the indexes; the table's own do not. */
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
  // A topic with a policy of its own has lost the default one, under which alarms may publish.
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
