import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITable, Operation } from 'aws-cdk-lib/aws-dynamodb';
import { metricsNamespace } from '../../lib/api/log-lines.ts';
import { callPrices } from './prices.ts';

export interface MetricOptions {
  readonly statistic: string;
  readonly period?: Duration;
  readonly dimensionsMap?: Readonly<Record<string, string>>;
  readonly label?: string;
}

/** A metric from lib/api/log-lines.ts or the access log. */
export const stageMetric = (stage: string, metricName: string, { dimensionsMap, ...options }: MetricOptions): Metric =>
  new Metric({
    namespace: metricsNamespace(stage),
    metricName,
    ...(dimensionsMap ? { dimensionsMap: { ...dimensionsMap } } : {}),
    ...options,
  });

/**
 * The cost in dollars of the calls in a period: API Gateway, functions and capacity units, from the log lines. Storage,
 * logs and the stream's workers are not included.
 */
export const costOfCalls = (stage: string, period: Duration): IMetric => {
  const milliseconds = (statistic: string) => stageMetric(stage, 'Milliseconds', { statistic, period });
  const sum = (name: string) => stageMetric(stage, name, { statistic: 'Sum', period });
  const usingMetrics = {
    calls: milliseconds('SampleCount'),
    milliseconds: milliseconds('Sum'),
    readUnits: sum('ReadUnits'),
    writeUnits: sum('WriteUnits'),
  } satisfies Record<keyof typeof callPrices, IMetric>;
  const expression = Object.entries(callPrices)
    // In decimals, because CloudWatch's expressions have no exponents.
    .map(([part, price]) => `${part} * ${price.toFixed(12)}`)
    .join(' + ');
  return new MathExpression({ expression, usingMetrics, period, label: 'Dollars' });
};

/** Covers every function in the AWS account and region, because all share one limit of concurrent runs. */
export const lambdaThrottles = (period: Duration): Metric =>
  new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: 'Sum', period });

/** Covers every function in the AWS account and region, without throttled runs. */
export const lambdaRuns = (period: Duration): Metric =>
  new Metric({ namespace: 'AWS/Lambda', metricName: 'Invocations', statistic: 'Sum', period });

const throttledOperations = [
  Operation.GET_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.QUERY,
  Operation.PUT_ITEM,
  Operation.UPDATE_ITEM,
  Operation.DELETE_ITEM,
  Operation.BATCH_WRITE_ITEM,
  Operation.TRANSACT_WRITE_ITEMS,
];

/** FILL, because a part that counts nothing has no data, and a sum with a missing part would be missing. */
export const sumOf = (usingMetrics: Record<string, IMetric>, period: Duration): IMetric =>
  new MathExpression({
    expression: `SUM([${Object.keys(usingMetrics)
      .map((id) => `FILL(${id}, 0)`)
      .join(', ')}])`,
    usingMetrics,
    period,
    label: 'Sum',
  });

/** By operation: those metrics include the indexes, the table's own do not. */
export const tableThrottles = (table: ITable, period: Duration): IMetric => {
  const throttled = (operation: Operation) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName: 'ThrottledRequests',
      dimensionsMap: { Operation: operation, TableName: table.tableName },
      period,
      statistic: 'Sum',
    });
  return sumOf(
    Object.fromEntries(throttledOperations.map((operation) => [operation.toLowerCase(), throttled(operation)])),
    period,
  );
};

/** A part and the whole that includes it, or the rest that does not. */
export type Share =
  | { readonly part: IMetric; readonly whole: IMetric }
  | { readonly part: IMetric; readonly rest: IMetric };

/**
 * The percentage of the part if it is at least `count`; else 0. With 5 errors in 1,000 calls it is 0.5, with 4 errors
 * in 4 calls 0. No data without data of the part.
 */
export const percentage = (share: Share, count: number, period: Duration): IMetric =>
  new MathExpression({
    expression: `IF(part >= ${count}, 100 * part / ${'whole' in share ? 'whole' : '(part + FILL(rest, 0))'}, 0)`,
    usingMetrics: { ...share },
    period,
    label: 'Percent',
  });

/** The growth of a number since the last period. SQS has no data for queues that have been empty for hours. */
export const growth = (metric: IMetric, period: Duration): IMetric =>
  new MathExpression({ expression: 'DIFF(FILL(present, 0))', usingMetrics: { present: metric }, period });
