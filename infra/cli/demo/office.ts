import { appointments } from '../../../functions/appointments/index.ts';
import { cancelreasons } from '../../../functions/cancelreasons/index.ts';
import { contacts } from '../../../functions/contacts/index.ts';
import { invoice } from '../../../functions/invoice/index.ts';
import { payment } from '../../../functions/payment/index.ts';
import { proposal } from '../../../functions/proposal/index.ts';
import { serviceagents } from '../../../functions/serviceagents/index.ts';
import type { Caller } from '../../../lib/store/caller.ts';
import { type Operation, Saved } from '../../../lib/api/operation.ts';
import { validRequest, validResponse } from '../../../lib/api/validate.ts';
import type { OrganizationRecord } from '../../../lib/domain/organizations.ts';
import { Failure } from '../../../lib/shared/failure.ts';
import { toLocalDate } from '../../../lib/shared/format-moments.ts';
import { parseMoment } from '../../../lib/shared/read-moments.ts';
import type { TableWriter } from '../../../lib/store/dynamodb/client.ts';
import { retryOnConflict } from '../../../lib/store/dynamodb/retry.ts';
import { DAY } from '../../../lib/shared/time.ts';

const groups = [appointments, cancelreasons, contacts, invoice, payment, proposal, serviceagents];
const operations: ReadonlyMap<string, Operation> = new Map(
  groups.flatMap((group) => group.operations.map((operation) => [operation.name, operation])),
);

/** What an operation answers. */
export type Answer = Readonly<Record<string, unknown>>;

/** A contact of the account, and the zone of its organization. */
export interface Client {
  readonly id: number;
  readonly email: string;
  readonly zone: string;
}

/** Whoever acts for the company, at any moment that has been. */
export interface Office {
  /** Performs an operation at that moment, by the rules of the pipeline; throws what it refuses. */
  act(at: number, name: string, body: object): Promise<Answer>;
  /** Asks for something, now unless another moment is given. */
  look(name: string, body: object, at?: number): Promise<Answer>;
  client(email: string): Promise<Client>;
  /** A clock time of a day, counted from today, at the client's place. */
  moment(day: number, time: string, client: Client): number;
}

/** Opens the office of an account: the calls of an Owner, in this process and without HTTP. */
export function openOffice(
  table: TableWriter,
  { account, organizations, now }: { account: string; organizations: readonly OrganizationRecord[]; now: Date },
): Office {
  const caller: Caller = {
    accountId: account,
    organizationId: null,
    role: 'Owner',
    subscriber: '',
    keyName: 'Office',
    dateStyle: 'iso',
  };
  const zones = new Map(organizations.map(({ Id, Timezone }) => [Id, Timezone]));

  async function act(at: number, name: string, body: object): Promise<Answer> {
    const operation = operations.get(name);
    if (!operation) throw new TypeError(`the demo knows no operation ${name}`);
    const context = { caller, table, now: new Date(at), baseUrl: 'http://127.0.0.1', sourceIp: '127.0.0.1' };
    try {
      const request = validRequest(operation, body as Record<string, unknown>);
      return await retryOnConflict(async () => {
        const result = await operation.run(request, context);
        const saved = result instanceof Saved ? result : new Saved([], result);
        const answer = validResponse(operation, saved.answer as object);
        await table.commit(saved.changes);
        return answer;
      });
    } catch (error) {
      const errors =
        error instanceof Failure ? error.errors.map(({ field, message }) => `${field} ${message}`).join('; ') : '';
      const asked = JSON.stringify(body).slice(0, 300);
      throw new Error(`the demo's ${name} failed: ${errors || String(error)}; asked was ${asked}`, { cause: error });
    }
  }

  /** All contacts in two calls: one call each takes ten times as long. */
  async function everybody(): Promise<ReadonlyMap<string, Client>> {
    const categories = ['Customer', 'Lead'].map((CategorySearch) => ({ CategorySearch, Limit: 500 }));
    const found = await Promise.all(categories.map((asked) => act(now.getTime(), 'contacts/locate', asked)));
    const contacts = found.flatMap(({ Matches }) => Matches as { Id: number; Email: string; OrganizationId: number }[]);
    return new Map(
      contacts.map(({ Id: id, Email: email, OrganizationId }) => [
        email,
        { id, email, zone: zones.get(OrganizationId) ?? 'UTC' },
      ]),
    );
  }
  let known: Promise<ReadonlyMap<string, Client>> | undefined;

  return {
    act,
    look: (name, body, at = now.getTime()) => act(at, name, body),
    async client(email) {
      known ??= everybody();
      const client = (await known).get(email);
      if (!client) throw new TypeError(`the demo has no contact ${email}`);
      return client;
    },
    moment(day, time, { zone }) {
      const text = `${toLocalDate(now.getTime() + day * DAY, zone)}T${time.padStart(5, '0')}`;
      const read = parseMoment(text, zone);
      if (!read.ok) throw new TypeError(`${text} is no moment in ${zone}: ${read.reason}`);
      return read.at;
    },
  };
}

/**
 * Something that happens over days. It yields the moment of its next deed, epoch milliseconds, goes on when that is
 * the next of all tales, and gets the moment at which it then acts.
 */
export type DemoLog<Result = void> = AsyncGenerator<number, Result, number>;

/** Tells all tales at once in the order of time, as the days bring it, so that nothing is done before its time. */
export async function playDay(tales: readonly DemoLog[], now: Date): Promise<void> {
  const began = await Promise.all(tales.map(async (tale) => ({ tale, step: await tale.next(0) })));
  const waiting = began.flatMap(({ tale, step }) => (step.done ? [] : [{ tale, at: step.value }]));
  for (;;) {
    const [next] = waiting.sort((one, other) => one.at - other.at);
    if (!next) return;
    // What was to be later today is done now: no deed has a time that is yet to come.
    const step = await next.tale.next(Math.min(next.at, now.getTime()));
    if (step.done) waiting.shift();
    else next.at = Math.max(next.at, step.value);
  }
}
