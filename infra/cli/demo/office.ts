import { type ApiKeyRecord, apiKeyEntity } from '../../../lib/entities/api-keys.ts';
import type { OrganizationRecord } from '../../../lib/entities/organizations.ts';
import { setImmediate } from 'node:timers/promises';
import { appointments } from '../../../functions/appointments/index.ts';
import { cancelreasons } from '../../../functions/cancelreasons/index.ts';
import { contacts } from '../../../functions/contacts/index.ts';
import { invoice } from '../../../functions/invoice/index.ts';
import { payment } from '../../../functions/payment/index.ts';
import { proposal } from '../../../functions/proposal/index.ts';
import { serviceagents } from '../../../functions/serviceagents/index.ts';
import { task } from '../../../functions/task/index.ts';
import { type Operation, Saved } from '../../../lib/api/operation.ts';
import { validRequest, validResponse } from '../../../lib/api/perform.ts';
import { Failure } from '../../../lib/shared/failure.ts';
import { DAY, toLocalDate } from '../../../lib/shared/time/time.ts';
import { parseMoment } from '../../../lib/shared/time/read-moments.ts';
import type { Caller } from '../../../lib/store/requests/caller.ts';
import { retryOnConflict } from '../../../lib/store/dynamodb/errors.ts';
import { findBookedSeries } from '../../../lib/store/series.ts';
import { workOffNextVisit } from '../../../lib/workflows/series/series-tasks.ts';
import type { StoreWriter } from '../../../lib/store/store.ts';

const groups = [appointments, cancelreasons, contacts, invoice, payment, proposal, serviceagents, task];
const operations: ReadonlyMap<string, Operation> = new Map(
  groups.flatMap((group) => group.operations.map((operation) => [operation.name, operation])),
);

export interface DemoContact {
  readonly id: number;
  readonly email: string;
  readonly phone: string;
  readonly zip: string;
  readonly organizationId: number;
  /** The zone of its organization. */
  readonly zone: string;
  /** Whether its category says so. */
  readonly isCustomer: boolean;
  /** Whether anything was sold to it. */
  readonly hasHistory: boolean;
  /** Shortcodes of the custom fields that are set. */
  readonly fields: ReadonlySet<string>;
}

interface LocatedContact {
  readonly Id: number;
  readonly Email: string;
  readonly Phone: string;
  readonly Zip: string;
  readonly OrganizationId: number;
  readonly Category: string;
  readonly IsCustomer: boolean;
  readonly CustomFields: readonly { readonly Shortcode: string; readonly Value: unknown }[];
}

export const toIso = (at: number): string => new Date(at).toISOString();

/** The office of the demo company: calls operations in this process, as an Owner, at any time in the past. */
export class Office {
  /** When the company is created: nothing happens later. */
  readonly now: number;
  readonly #store: StoreWriter;
  readonly #organizations: readonly OrganizationRecord[];
  readonly #caller: Caller;
  readonly #key: ApiKeyRecord;
  #contacts: Promise<ReadonlyMap<string, DemoContact>> | undefined;

  constructor(store: StoreWriter, { organizations, now }: { organizations: readonly OrganizationRecord[]; now: Date }) {
    this.now = now.getTime();
    this.#store = store;
    this.#organizations = organizations;
    this.#key = apiKeyEntity.blank({
      Account: store.account,
      Public: '',
      Role: 'Owner',
      Subscriber: '',
      Rate: 0,
      Burst: 0,
      CreatedAt: this.now,
    });
    const key = { role: 'Owner', subscriber: '', keyName: 'Office', keyId: '', dateStyle: 'iso' } as const;
    this.#caller = { ...key, account: store.account, organizationId: null };
  }

  /** Calls an operation at a time (now by default), as the API does; throws if it fails. */
  async call<Answer>(name: string, body: object, at = this.now): Promise<Answer> {
    const operation = operations.get(name);
    if (!operation) throw new TypeError(`The demo knows no operation ${name}.`);
    const context = {
      store: this.#store,
      caller: this.#caller,
      now: new Date(at),
      key: this.#key,
      baseUrl: 'http://127.0.0.1',
      sourceIp: '127.0.0.1',
      query: {},
      acceptsGzip: false,
      remark: () => undefined,
    };
    try {
      // As over HTTP, undefined fields are absent.
      const request = await validRequest(operation, JSON.parse(JSON.stringify(body)) as Record<string, unknown>);
      return await retryOnConflict(async () => {
        const result = await operation.run(request as never, context);
        const saved = result instanceof Saved ? result : new Saved([], result);
        const answer = validResponse(operation, saved.answer as object);
        await this.#store.table.commit(saved.changes);
        return answer as Answer;
      });
    } catch (error) {
      const errors =
        error instanceof Failure ? error.errors.map(({ field, message }) => `${field} ${message}`).join('; ') : '';
      const text = JSON.stringify(body).slice(0, 300);
      throw new Error(`${name} of the demo failed: ${errors || String(error)}. The body was ${text}`, { cause: error });
    }
  }

  /** Books the visits after the first one of a series, as the worker does. */
  async bookSeries(firstVisit: number, at: number): Promise<void> {
    const find = () => findBookedSeries(this.#store, firstVisit);
    const next = () => workOffNextVisit(this.#store, find, new Date(at));
    for (let { left } = await next(); left > 0;) ({ left } = await next());
  }

  /** All contacts in two calls; one call per contact takes ten times as long. */
  async listContacts(): Promise<DemoContact[]> {
    const pages = await Promise.all(
      ['Customer', 'Lead'].map((CategorySearch) =>
        this.call<{ Matches: LocatedContact[] }>('contacts/locate', { CategorySearch, Limit: 500 }),
      ),
    );
    return pages
      .flatMap(({ Matches }) => Matches)
      .sort((one, other) => one.Id - other.Id)
      .map(({ CustomFields, ...contact }) => ({
        id: contact.Id,
        email: contact.Email,
        phone: contact.Phone,
        zip: contact.Zip,
        organizationId: contact.OrganizationId,
        zone: this.#organizations.find(({ Id }) => Id === contact.OrganizationId)?.Timezone ?? 'UTC',
        isCustomer: contact.Category === 'Customer',
        hasHistory: contact.IsCustomer,
        fields: new Set(CustomFields.flatMap(({ Shortcode, Value }) => (Value ? Shortcode : []))),
      }));
  }

  async findContact(email: string): Promise<DemoContact> {
    this.#contacts ??= this.listContacts().then((all) => new Map(all.map((contact) => [contact.email, contact])));
    const found = (await this.#contacts).get(email);
    if (!found) throw new TypeError(`The demo has no contact ${email}.`);
    return found;
  }

  /** A clock time in the contact's zone; `day` counts from today. */
  momentAt(day: number, time: string, { zone }: DemoContact): number {
    const text = `${toLocalDate(this.now + day * DAY, zone)}T${time.padStart(5, '0')}`;
    const moment = parseMoment(text, zone);
    if (!moment.ok) throw new TypeError(`${text} does not exist in ${zone}: ${moment.reason}`);
    return moment.at;
  }

  /** Whether it is a weekday without a holiday in the contact's organization. */
  isWorkday(at: number, { organizationId, zone }: DemoContact): boolean {
    const date = toLocalDate(at, zone);
    const { Holidays = [] } = this.#organizations.find(({ Id }) => Id === organizationId) ?? {};
    return ![0, 6].includes(new Date(date).getUTCDay()) && !Holidays.some((holiday) => holiday.Date === date);
  }
}

/**
 * Steps over several days. Yields when its next step is due (milliseconds since 1970) and is resumed with the time at
 * which that step happens.
 */
export type Story = AsyncGenerator<number, void, number>;

const STEPS_AT_ONCE = 10;

/** Plays the steps of all stories in chronological order. A step that is due after `now` happens at `now`. */
export async function playStories(stories: readonly Story[], now: Date): Promise<void> {
  const starts = await Promise.all(stories.map(async (story) => ({ story, step: await story.next(0) })));
  const started = starts.flatMap(({ story, step }) => (step.done ? [] : [{ story, due: step.value }]));
  // The next story is last, because a year has thousands of them.
  const waiting = started.reverse().sort((a, b) => b.due - a.due);
  let steps = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    // Lets the table's pending replies arrive.
    if (++steps % STEPS_AT_ONCE === 0) await setImmediate();
    const { story, due } = next;
    const step = await story.next(Math.min(due, now.getTime()));
    if (step.done) continue;
    const then = Math.max(due, step.value);
    const place = waiting.findLastIndex((other) => other.due > then) + 1;
    waiting.splice(place, 0, { story, due: then });
  }
}
