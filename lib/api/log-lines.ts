import { Failure, InternalError } from '../shared/failure.ts';
import { type SdkError, failedRequestOf } from '../store/dynamodb/errors.ts';
import { staticMessage } from './aws-messages.ts';

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

/** The fields of a log line that describe an internal error: what failed, where, and what caused it. */
export const errorFields = (error: unknown) => ({ Causes: listCauses(error) });

type LogLevel = 'info' | 'warn' | 'error';

interface LogLine extends Readonly<Record<string, unknown>> {
  readonly Level: LogLevel;
}

/** LOG_LEVEL leaves out what is below it; `silent` leaves out all. */
const RANKS: Readonly<Record<string, number>> = { info: 0, warn: 1, error: 2, silent: 3 };

/** Writes a line of JSON to the standard output, which Lambda sends to CloudWatch; as one of another level if given. */
export function writeLogLine(line: LogLine, level: LogLevel = line.Level): void {
  const least = RANKS[process.env['LOG_LEVEL'] ?? 'info'] ?? 0;
  if ((RANKS[level] ?? 0) >= least) process.stdout.write(`${JSON.stringify(line)}\n`);
}
