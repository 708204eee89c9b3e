import { Failure, InternalError } from '../shared/failure.ts';
import { type SdkError, failedRequestOf } from '../store/dynamodb/errors.ts';
import { staticMessage } from './aws-messages.ts';

/** The log lines of functions: what they reveal of errors, and which metrics they carry. */

/** The innermost 12 frames of an error, without its message. */
const stackFrames = (error: Error): string[] =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 12)
    .map((line) => line.trim());

/** What the log reports of one error. */
interface LoggedError {
  readonly Error: string;
  /** The whole message of our own errors, the static part of others: those may quote what a customer sent or stored. */
  readonly Message?: string;
  /** From AWS (`ThrottlingException`) or the system (`ECONNREFUSED`). */
  readonly Code?: string;
  /** From AWS: the HTTP status, the number of attempts, and the id to quote to AWS. */
  readonly Status?: number | undefined;
  readonly Attempts?: number | undefined;
  readonly AwsRequestId?: string | undefined;
  /** For a canceled transaction: the code and static message of each change, in order. */
  readonly Reasons?: readonly string[];
  readonly Action?: string;
  readonly Table?: string;
  readonly At: readonly string[];
}

const isOwn = (error: Error): boolean =>
  error instanceof InternalError || (error instanceof Failure && error.status >= 500);

/** `ConditionalCheckFailed: The conditional request failed`, or `None`. */
function toReason({ Code = 'None', Message = '' }: { Code?: string; Message?: string }): string {
  const text = staticMessage(Message);
  return text ? `${Code}: ${text}` : Code;
}

function toLoggedError(error: Error): LoggedError {
  const { name, code, $metadata, CancellationReasons } = error as SdkError;
  const Message = isOwn(error) ? error.message : staticMessage(error.message);
  const { httpStatusCode: Status, attempts: Attempts, requestId: AwsRequestId } = $metadata ?? {};
  return {
    Error: name,
    ...(Message === undefined ? {} : { Message }),
    ...($metadata ? { Code: name, Status, Attempts, AwsRequestId } : typeof code === 'string' ? { Code: code } : {}),
    ...(CancellationReasons ? { Reasons: CancellationReasons.map(toReason) } : {}),
    ...failedRequestOf(error),
    At: stackFrames(error),
  };
}

const MAX_CAUSES = 5;

function listCauses(error: unknown, limit = MAX_CAUSES): LoggedError[] {
  if (!(error instanceof Error) || limit === 0) return [];
  return [toLoggedError(error), ...listCauses(error.cause, limit - 1)];
}

/** The log fields of an internal error: what failed, where, and what caused it. */
export const errorFields = (error: unknown) => ({ Causes: listCauses(error) });

type LogLevel = 'info' | 'warn' | 'error';

interface LogLine extends Readonly<Record<string, unknown>> {
  readonly Level: LogLevel;
}

/** LOG_LEVEL drops lines below it; `silent` drops all. */
const RANKS: Readonly<Record<string, number>> = { info: 0, warn: 1, error: 2, silent: 3 };

/** Writes a line of JSON to standard output, which Lambda sends to CloudWatch; `level` overrides that of the line. */
export function writeLogLine(line: LogLine, level: LogLevel = line.Level): void {
  const least = RANKS[process.env['LOG_LEVEL'] ?? 'info'] ?? 0;
  if ((RANKS[level] ?? 0) >= least) process.stdout.write(`${JSON.stringify(line)}\n`);
}

/*
 * The custom metrics in log lines (CloudWatch's embedded metric format). CloudWatch charges for each name and dimension
 * while it receives data: test/contract/bill.test.ts fails above $10 a month.
 */

const count = (Name: string) => ({ Name, Unit: 'Count' });
const milliseconds = { Name: 'Milliseconds', Unit: 'Milliseconds' };
const errors = count('Faults');

/** Each stage has its own namespace, so that stages in one AWS account do not mix their metrics. */
export const metricsNamespace = (stage: string): string => `FieldService/${stage}`;

/** Metrics of every call of the stage. The number of calls is the sample count of Milliseconds. */
export const stageMetrics = [milliseconds, errors, count('ReadUnits'), count('WriteUnits')];
/** Metrics of every call of a group. */
export const groupMetrics = [milliseconds];
/** The metric of successful canary runs only: an alarm watches for its absence. */
export const canaryRunMetrics = [{ Name: 'CanaryMilliseconds', Unit: 'Milliseconds' }];
/** Metrics of every batch of a worker. */
export const workerMetrics = [count('Queued')];

interface Metric {
  readonly Name: string;
  readonly Unit: string;
}

/** Metrics and the log field that is their dimension, if any. Dimensions and metrics without data cost nothing. */
type Directive = readonly [metrics: readonly Metric[], dimension?: 'Group' | 'Worker'];

/** The field `_aws` that turns a log line into metrics. */
const embedded = (at: Date, directives: readonly Directive[]) => ({
  Timestamp: at.getTime(),
  CloudWatchMetrics: directives.map(([Metrics, dimension]) => ({
    Namespace: metricsNamespace(process.env['STAGE'] || 'local'),
    Dimensions: [dimension ? [dimension] : []],
    Metrics,
  })),
});

/** Errors by group are sent only by calls that have one; an hour with errors then costs an hour of the metric. */
export const callMetrics = (at: Date, { hasGroup, isError }: { hasGroup: boolean; isError: boolean }) =>
  embedded(at, [
    [stageMetrics],
    ...(hasGroup ? ([[isError ? [...groupMetrics, errors] : groupMetrics, 'Group']] as const) : []),
  ]);

interface BatchMetrics {
  readonly isError: boolean;
  readonly hasParked?: boolean;
  readonly hasDead?: boolean;
}

/** Failures, parked records and dead callbacks are sent only by batches that have some. */
export const batchMetrics = (at: Date, { isError, hasParked = false, hasDead = false }: BatchMetrics) =>
  embedded(at, [
    [
      [
        ...workerMetrics,
        ...(isError ? [count('Failures')] : []),
        ...(hasParked ? [count('Parked')] : []),
        ...(hasDead ? [count('Dead')] : []),
      ],
      'Worker',
    ],
  ]);

export const canaryMetrics = (at: Date) => embedded(at, [[canaryRunMetrics]]);
