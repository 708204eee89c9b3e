import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../shared/failure.ts';
import { InternalError } from '../shared/internal-error.ts';
import { type SdkError, failedRequestOf } from '../store/dynamodb/errors.ts';
import { Meter } from '../store/dynamodb/meter.ts';
import { staticMessage } from './aws-messages.ts';
import { callMetrics } from './metrics.ts';
import type { LogFields } from './operation.ts';

let cold = true;

/** The operation of a call that found none. */
const UNKNOWN = 'unknown';

/** What the log line of a call reports, filled in as far as the call gets. */
export interface CallLog {
  readonly requestId: string;
  /** The caller's IP address. */
  readonly source: string;
  readonly now: Date;
  /** Milliseconds of a clock that never jumps. */
  readonly startedAt: number;
  /** What the operation costs. */
  readonly meter: Meter;
  /** What the pipeline costs: key and rate limit. */
  readonly pipelineMeter: Meter;
  /** `group/operation`, or UNKNOWN. */
  operation: string;
  /** Whether its calls have metrics of a group: not those of open paths, nor of one that calls operations. */
  hasMetrics: boolean;
  account: string | null;
  /** The public part of the key that the call gave, valid or not. */
  key: string | null;
  fields: LogFields;
}

export const startLog = (
  { requestId, source }: Pick<CallLog, 'requestId' | 'source'>,
  meter = new Meter(),
  pipelineMeter = new Meter(),
): CallLog => ({
  requestId,
  source,
  now: new Date(),
  startedAt: performance.now(),
  meter,
  pipelineMeter,
  operation: UNKNOWN,
  hasMetrics: true,
  account: null,
  key: null,
  fields: {},
});

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
  /** Of our own errors the whole, of others the static part: they may quote what a customer sent or stored. */
  readonly Message?: string;
  /** Of AWS (`ThrottlingException`) or of the system (`ECONNREFUSED`). */
  readonly Code?: string;
  /** Of AWS: the HTTP status, the number of attempts, and the id to quote to AWS. */
  readonly Status?: number | undefined;
  readonly Attempts?: number | undefined;
  readonly AwsRequestId?: string | undefined;
  /** Of a canceled transaction: the code and the static message of each part, in the order of its changes. */
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

let digest: string | undefined;

/** The SHA-256 of the deployed bundle, by which `fs trace` finds its source map. Read at the first error only. */
function bundleDigest(): string {
  const folder = process.env['LAMBDA_TASK_ROOT'];
  try {
    digest ??= folder
      ? createHash('sha256')
          .update(readFileSync(join(folder, 'index.js')))
          .digest('hex')
      : '';
  } catch {
    digest = '';
  }
  return digest;
}

/** The fields of a log line that describe an internal error: what failed, where, and in which build. */
export const errorFields = (error: unknown) => ({ Causes: listCauses(error), Bundle: bundleDigest() });

/**
 * Writes one line a call, which is also its metrics (CloudWatch's embedded metric format). Never a key, never a field
 * of the request or the answer, except for the key's public part. LOG_LEVEL `error` writes internal errors only,
 * `silent` nothing.
 */
export function logCall(call: CallLog, status: number, error?: unknown): void {
  const level = process.env['LOG_LEVEL'] ?? 'info';
  const internal = status >= 500;
  if (level === 'silent' || (level === 'error' && !internal)) return;
  const { rounds, readUnits, writeUnits, requests } = call.meter.usage;
  const pipeline = call.pipelineMeter.usage;
  const [group] = call.operation.split('/');
  const line = {
    _aws: callMetrics(call.now, { hasGroup: call.operation !== UNKNOWN && call.hasMetrics, isError: internal }),
    Level: internal ? 'error' : 'info',
    RequestId: call.requestId,
    Account: call.account,
    Key: call.key,
    Source: call.source,
    Group: group,
    Operation: call.operation,
    ResultCode: status === 200 ? 0 : status,
    Faults: internal ? 1 : 0,
    Milliseconds: Math.round((performance.now() - call.startedAt) * 10) / 10,
    Rounds: rounds,
    Requests: requests + pipeline.requests,
    ReadUnits: readUnits + pipeline.readUnits,
    WriteUnits: writeUnits + pipeline.writeUnits,
    Cold: cold,
    ...call.fields,
    ...(internal ? errorFields(error) : {}),
  };
  cold = false;
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
