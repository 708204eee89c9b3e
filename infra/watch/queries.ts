import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

interface SavedQuery {
  readonly fields?: readonly string[];
  readonly filters?: readonly string[];
  readonly stats?: readonly string[];
  readonly sort?: string;
  readonly limit?: number;
}

/** Log queries for operators, by name. docs/operations.md lists them. */
export const savedQueries: Readonly<Record<string, SavedQuery>> = {
  errors: {
    fields: ['@timestamp', 'Operation', 'Worker', 'Account', 'RequestId', 'Causes.0.Message', 'Causes.0.Code'],
    filters: ['Level = "error"'],
    sort: '@timestamp desc',
    limit: 100,
  },
  'errors by cause': {
    filters: ['Level = "error"'],
    stats: ['count() as Errors by Operation, Worker, Causes.0.Code, Causes.0.Message'],
    sort: 'Errors desc',
  },
  'one call': {
    fields: ['@timestamp', '@message', '@logStream'],
    filters: ['RequestId = "<X-Request-Id>"'],
    sort: '@timestamp asc',
  },
  'slow operations': {
    filters: ['ispresent(Operation)'],
    stats: [
      'count() as Calls, pct(Milliseconds, 50) as Median, pct(Milliseconds, 95) as Slow, ' +
        'max(Rounds) as MostRounds by Operation',
    ],
    sort: 'Slow desc',
  },
  'units and calls by key': {
    filters: ['ispresent(Operation)'],
    stats: ['count() as Calls, sum(WriteUnits) as Writes, sum(ReadUnits) as Reads by Account, Key, Operation'],
    sort: 'Writes desc',
  },
  'refused calls': {
    filters: ['Status in [401, 403, 429]'],
    stats: ['count() as Calls by Status, Source, Key'],
    sort: 'Calls desc',
  },
  'hot accounts': {
    filters: ['ispresent(Account)'],
    stats: ['sum(WriteUnits) as Writes, sum(ReadUnits) as Reads by Account, bin(1m) as Minute'],
    sort: 'Writes desc',
    limit: 50,
  },
  workers: {
    filters: ['ispresent(Worker)'],
    stats: ['count() as Runs, sum(Queued) as Done, sum(Failures) as Failed, sum(Parked) as Kept by Worker, bin(5m)'],
    sort: 'Failed desc',
  },
  'cold starts and memory': {
    filters: ['type = "platform.report"'],
    stats: [
      'count() as Runs, count(record.metrics.initDurationMs) as ColdStarts, ' +
        'pct(record.metrics.initDurationMs, 95) as SlowStart, ' +
        'max(record.metrics.maxMemoryUsedMB) as Megabytes by @logStream',
    ],
    sort: 'ColdStarts desc',
  },
  acceptances: {
    fields: ['@timestamp', 'Account', 'EvidenceSha256', 'RequestId'],
    filters: ['ispresent(EvidenceSha256)'],
    sort: '@timestamp desc',
  },
};

/** Saves the queries in CloudWatch Logs Insights, in a folder of the stage. They cost nothing until they run. */
export const makeQueries = (scope: Construct, stage: string, logGroup: LogGroup): void => {
  for (const [name, { fields, filters, stats, sort, limit }] of Object.entries(savedQueries))
    new QueryDefinition(scope, `query-${name.replaceAll(' ', '-')}`, {
      queryDefinitionName: `field-service-${stage}/${name}`,
      logGroups: [logGroup],
      queryString: new QueryString({
        ...(fields && { fields: [...fields] }),
        ...(filters && { filterStatements: [...filters] }),
        ...(stats && { statsStatements: [...stats] }),
        ...(sort && { sort }),
        ...(limit && { limit }),
      }),
    });
};
