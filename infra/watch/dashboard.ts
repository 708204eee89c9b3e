import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, type IWidget, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Watched } from './alarms.ts';
import { costOfCalls, lambdaThrottles, stageMetric, tableThrottles } from './metrics.ts';

const period = Duration.minutes(5);
const WIDTH = 12;

const graph = (title: string, left: IMetric[], right: IMetric[] = []): IWidget =>
  new GraphWidget({ title, left, right, width: WIDTH, height: 6 });

const sum = { statistic: 'Sum', period };

function callGraphs({ api, routes }: Watched): IWidget[][] {
  const latency = (statistic: string) => api.metricLatency({ period, statistic, label: statistic });
  const groups = routes.map(({ id, function: group }) => ({ label: id, group }));
  return [
    [
      graph(
        'Calls',
        [api.metricCount({ ...sum, label: 'calls' })],
        [
          api.metricClientError({ ...sum, label: 'refused (4xx)' }),
          api.metricServerError({ ...sum, label: 'failed (5xx)' }),
        ],
      ),
      graph('Latency, ms', [latency('p50'), latency('p95'), latency('p99')]),
    ],
    [
      graph(
        'Calls by group',
        groups.map(({ label, group }) => group.metricInvocations({ ...sum, label })),
      ),
      graph(
        'Duration by group, p95, ms',
        groups.map(({ label, group }) => group.metricDuration({ period, statistic: 'p95', label })),
      ),
    ],
  ];
}

const workerGraphs = ({ stage, streamWorkers }: Watched): IWidget[] => [
  graph(
    'Worker lag, ms, and errors',
    streamWorkers.map(({ name, worker }) =>
      worker.function.metric('IteratorAge', { period, statistic: 'Maximum', label: name }),
    ),
    streamWorkers.map(({ name, worker }) => worker.function.metricErrors({ ...sum, label: `${name} errors` })),
  ),
  graph(
    'Events queued, and a change until its event, ms',
    streamWorkers.map(({ name }) =>
      stageMetric(stage, 'Queued', { ...sum, dimensionsMap: { Worker: name }, label: name }),
    ),
    [stageMetric(stage, 'CanaryMilliseconds', { statistic: 'Maximum', period, label: 'CanaryMilliseconds' })],
  ),
];

function capacityGraphs({ stage, table }: Watched): IWidget[][] {
  const ofStage = (name: string, label?: string) => stageMetric(stage, name, { ...sum, ...(label ? { label } : {}) });
  const concurrent = new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'ConcurrentExecutions',
    statistic: 'Maximum',
    period,
    label: 'concurrent runs in the AWS account',
  });
  return [
    [
      graph('Capacity units of calls', [ofStage('ReadUnits'), ofStage('WriteUnits')], [tableThrottles(table, period)]),
      graph('Lambda', [concurrent], [lambdaThrottles(period)]),
    ],
    [
      graph('Cost of calls, dollars an hour', [costOfCalls(stage, Duration.hours(1))]),
      graph('Refused calls', [ofStage('Status401', '401'), ofStage('Status403', '403'), ofStage('Status429', '429')]),
    ],
  ];
}

/** A stage at a glance. Figures by operation come from the log lines. */
export const makeDashboard = (scope: Construct, watched: Watched): void => {
  new Dashboard(scope, 'Dashboard', {
    dashboardName: `field-service-${watched.stage}`,
    defaultInterval: Duration.days(1),
    widgets: [...callGraphs(watched), workerGraphs(watched), ...capacityGraphs(watched)],
  });
};
