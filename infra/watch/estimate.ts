import { FUNCTION_GIGABYTES, HOURS_A_MONTH, prices } from './prices.ts';

/** The number of calls of one kind, and the cost of each. */
export interface MonthlyCalls {
  readonly calls: number;
  readonly rounds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Events caused by each call. */
  readonly events: number;
}

export interface MonthlyUse {
  readonly calls: readonly MonthlyCalls[];
  /** Calls to receivers: one for each event and webhook. */
  readonly callbacks: number;
  readonly canaryRuns: number;
  /** Runs of scheduled workers, which mostly find nothing. */
  readonly scheduledRuns: number;
  /** Months of organizations whose figures are counted, each with some 1,000 invoices and new contacts. */
  readonly countedMonths: number;
  /** Queues that Lambda polls, even while they are empty. */
  readonly queues: number;
  readonly tableGigabytes: number;
  readonly bucketGigabytes: number;
  readonly logMonths: number;
  readonly metrics: number;
  /** Metrics that alarms watch. */
  readonly alarmMetrics: number;
  readonly dashboards: number;
  /** CloudFront with a firewall, and its secret. */
  readonly edges: number;
}

interface BillLine {
  readonly name: string;
  readonly quantity: number;
  readonly unit: string;
  readonly dollars: number;
}

export interface Bill {
  readonly lines: readonly BillLine[];
  readonly dollars: number;
}

/** Milliseconds of a call: 20 of its own, including a share of a cold start, and 8 for each round trip to the table. */
const millisecondsOf = (rounds: number) => 20 + 8 * rounds;
/** Key and rate limit, if a container serves few calls of a key. */
const pipeline = { readUnits: 0.5, writeUnits: 1 };
/** The most that a single event costs: sequence and event in one transaction. In batches it is about half. */
const event = { milliseconds: 40, readUnits: 2.5, writeUnits: 4, logBytes: 1_500 };
/** A single callback: written with its event, sent to its queue, claimed and stored, with a slot of its host. */
const callback = {
  runs: 2,
  milliseconds: 300,
  readUnits: 4,
  writeUnits: 6,
  requests: 3,
  logBytes: 1_000,
  bytes: 3_000,
};
/** Log line, access log, and Lambda's own start and report. */
const LOG_BYTES = 2_000;
const RESPONSE_BYTES = 6_000;
/** The canary: its own time, a change, two checks for the event, and a query of each index. */
const canary = { milliseconds: 2_200, calls: 7, rounds: 2, readUnits: 18, writeUnits: 22, events: 1 };
const scheduledRun = { milliseconds: 50, readUnits: 2, logBytes: 1_000 };
/** Entries of 2,500 records, and 1,000 of the records; then the figures and how far the night is. */
const countedMonth = { milliseconds: 600, readUnits: 530, writeUnits: 2 };
/** Lambda makes five simultaneous requests per queue, each waiting 20 s for an answer: 15 requests a minute. */
const POLLS_A_MONTH = 15 * 60 * HOURS_A_MONTH;
const GIGABYTE = 1_000_000_000;

const sum = <Value>(values: readonly Value[], of: (value: Value) => number) =>
  values.reduce((total, value) => total + of(value), 0);

/** A month's bill in dollars, at us-east-1 prices without free tiers and discounts. */
export function estimateBill(use: MonthlyUse): Bill {
  const runs: MonthlyCalls = {
    calls: use.canaryRuns * canary.calls,
    rounds: canary.rounds,
    readUnits: canary.readUnits / canary.calls,
    writeUnits: canary.writeUnits / canary.calls,
    events: canary.events / canary.calls,
  };
  const all = [...use.calls, runs];
  const calls = sum(all, (kind) => kind.calls);
  const events = sum(all, (kind) => kind.calls * kind.events);
  const gigabyteSeconds =
    ((sum(all, (kind) => kind.calls * millisecondsOf(kind.rounds)) +
      events * event.milliseconds +
      use.callbacks * callback.milliseconds +
      use.canaryRuns * canary.milliseconds +
      use.scheduledRuns * scheduledRun.milliseconds +
      use.countedMonths * countedMonth.milliseconds) /
      1_000) *
    FUNCTION_GIGABYTES;
  const functionRuns = calls + events + use.callbacks * callback.runs + use.canaryRuns + use.scheduledRuns;
  const readUnits =
    sum(all, (kind) => kind.calls * (kind.readUnits + pipeline.readUnits)) +
    events * event.readUnits +
    use.callbacks * callback.readUnits +
    use.scheduledRuns * scheduledRun.readUnits +
    use.countedMonths * countedMonth.readUnits;
  const writeUnits =
    sum(all, (kind) => kind.calls * (kind.writeUnits + pipeline.writeUnits)) +
    events * event.writeUnits +
    use.callbacks * callback.writeUnits +
    use.countedMonths * countedMonth.writeUnits;
  const logs =
    (calls * LOG_BYTES +
      events * event.logBytes +
      use.callbacks * callback.logBytes +
      use.scheduledRuns * scheduledRun.logBytes) /
    GIGABYTE;
  const requests = use.queues * POLLS_A_MONTH + use.callbacks * callback.requests;
  const sent = calls * RESPONSE_BYTES + use.callbacks * callback.bytes;
  const line = (name: string, quantity: number, unit: string, price: number): BillLine => ({
    name,
    quantity,
    unit,
    dollars: quantity * price,
  });
  const lines = [
    line('API Gateway', calls, 'calls', prices.gatewayCall),
    line('CloudFront, firewall', use.edges ? calls : 0, 'calls', prices.edgeCall),
    line('Firewall', use.edges, 'firewall', prices.firewall),
    line('Lambda', functionRuns, 'runs', prices.lambdaCall),
    line('Lambda, time', gigabyteSeconds, 'GB-seconds', prices.lambdaGigabyteSecond),
    line('DynamoDB, reads', readUnits, 'units', prices.readUnit),
    line('DynamoDB, writes', writeUnits, 'units', prices.writeUnit),
    line('Queues', requests, 'requests', prices.queueRequest),
    line('Table and recovery', use.tableGigabytes, 'GB', prices.tableGigabyte + prices.pointInTimeRecoveryGigabyte),
    line('Bucket', use.bucketGigabytes, 'GB', prices.bucketGigabyte),
    line('Logs, written', logs, 'GB', prices.logGigabyteIngested),
    line('Logs, kept', logs * use.logMonths, 'GB', prices.logGigabyteKept),
    line('Custom metrics', use.metrics, 'metrics', prices.metric),
    line('Alarms', use.alarmMetrics, 'metrics', prices.alarm),
    line('Secrets', 2 + use.edges, 'secrets', prices.secret),
    line('Dashboard', use.dashboards, 'dashboard', prices.dashboard),
    line('Transfer', sent / GIGABYTE, 'GB', prices.transferGigabyte),
  ];
  return { lines, dollars: sum(lines, ({ dollars }) => dollars) };
}
