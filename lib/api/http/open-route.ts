import { WaitBudget } from '../../store/dynamodb/client.ts';
import { type TableWriter, openTable, withCurrentValues } from '../../store/dynamodb/table.ts';
import {
  type CallContext,
  type CallLog,
  type Event,
  type Handler,
  type Result,
  errorHandler,
  handlerOf,
  logger,
  served,
} from '../respond.ts';

/** One call without a key that may change records. */
export interface OpenCall {
  readonly event: Event;
  readonly table: TableWriter;
  readonly now: Date;
  readonly requestId: string;
  readonly sourceIp: string;
  /** Headers of the answer, failures included. */
  readonly headers: Record<string, string>;
  /** The log line of the call, which names the account once it is known. */
  readonly log: Pick<CallLog, 'account' | 'operation'>;
}

/**
 * Serves a path whose address itself is the permission, with the failures and log line of an operation. It must limit
 * its callers itself.
 */
export const openRoute = (name: string, serve: (call: OpenCall) => Promise<Result>): Handler =>
  handlerOf(
    served<CallContext>()
      .use(logger(name, false))
      .use(errorHandler)
      .handler(async (event: Event, { log, headers }) => {
        const { meter, now, requestId, source: sourceIp } = log;
        const table = withCurrentValues(openTable({ waitBudget: new WaitBudget(), meter }));
        return serve({ event, table, now, requestId, sourceIp, headers, log });
      }),
  );
