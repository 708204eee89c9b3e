import { expect } from 'vitest';
import type { DataSubscriberEvent, EventPayload } from '../../../lib/resources/events.ts';

/** Calls an operation of wherever the stack is at the moment; rejects when nobody is there. */
export type Send = (
  operation: string,
  body: object,
  idempotencyKey?: string,
) => Promise<{ status: number; body: Record<string, unknown> }>;

/** A short text of an event. */
const describeEvent = ({ Kind, Data }: EventPayload): string => {
  const {
    Company = '',
    Tags = [],
    Body = '',
    Note = '',
  } = (Data ?? {}) as { Company?: string; Tags?: string[]; Body?: string; Note?: string };
  return [Kind, Body, Note, ...(Kind === 'contact.updated' ? [Company, ...Tags] : [])].filter(Boolean).join(' ');
};

interface Step {
  readonly operation: string;
  readonly body: object;
  /** What its event tells. */
  readonly tells: string;
}

/** The life of a contact: each kind of change once or twice. */
const lifeOf = (ContactId: number, name: string): Step[] => [
  {
    operation: 'contacts/addnote',
    body: { ContactId, Note: { Body: `${name} first` } },
    tells: `note.created ${name} first`,
  },
  {
    operation: 'contacts/addupdate',
    body: { Id: ContactId, Company: `${name} & Co` },
    tells: `contact.updated ${name} & Co`,
  },
  {
    operation: 'contacts/addtags',
    body: { ContactId, TagList: [{ Name: `tag ${name}` }, { Name: 'common' }] },
    tells: `contact.updated ${name} & Co tag ${name} common`,
  },
  {
    operation: 'contacts/addnote',
    body: { ContactId, Note: { Body: `${name} second` } },
    tells: `note.created ${name} second`,
  },
  {
    operation: 'contacts/removetags',
    body: { ContactId, TagList: [{ Name: 'common' }] },
    tells: `contact.updated ${name} & Co tag ${name}`,
  },
  {
    operation: 'contacts/logcall',
    body: { Chars: JSON.stringify({ ContactId, Note: name }) },
    tells: `call.logged ${name}`,
  },
];

/** A busy machine takes so long to start a stack again, or to deliver events; in milliseconds. */
const PATIENCE = 60_000;

/**
 * A client who makes contacts and changes them, one call after another, and repeats what it has not heard of with the
 * same Idempotency-Key.
 */
export class SteadyCaller {
  readonly name: string;
  /** What the events of each contact must tell, in order; those of its call, which is a thing of its own, apart. */
  readonly contacts = new Map<number, string[]>();
  readonly calls: string[] = [];
  acknowledged = 0;
  /** How often a call had to be repeated. */
  repeated = 0;
  readonly #send: Send;

  constructor(name: string, send: Send) {
    this.name = name;
    this.#send = send;
  }

  async #surely(operation: string, body: object, idempotencyKey: string): Promise<Record<string, unknown>> {
    for (const since = performance.now(); performance.now() - since < PATIENCE; this.repeated++) {
      const answer = await this.#send(operation, body, idempotencyKey).catch(() => undefined);
      if (answer?.status === 200) {
        this.acknowledged++;
        return answer.body;
      }
      if (answer && answer.status !== 503) throw new Error(`${operation}: ${JSON.stringify(answer.body)}`);
      await new Promise((done) => setTimeout(done, 20));
    }
    throw new Error(`${operation} has had no answer for ${PATIENCE} ms`);
  }

  /** Works until `stop`; finishes the current contact, to know what must exist. */
  async work(stopped: () => boolean): Promise<void> {
    for (let number = 0; !stopped(); number++) {
      const name = `${this.name}${number}`;
      const { Matches } = await this.#surely(
        'contacts/addupdate',
        { Name: name, Email: `${name}@example.com`, Phone: `(217) 555-${1000 + number}` },
        name,
      );
      const [{ Id } = { Id: 0 }] = Matches as { Id: number }[];
      const story = ['contact.created'];
      this.contacts.set(Id, story);
      for (const [index, { operation, body, tells }] of lifeOf(Id, name).entries()) {
        await this.#surely(operation, body, `${name} ${index}`);
        if (operation === 'contacts/logcall') this.calls.push(tells);
        story.push(operation === 'contacts/logcall' ? `note.created ${name}` : tells);
      }
    }
  }
}

interface Shown {
  readonly Id: number;
  readonly Company: string;
  readonly Tags: string[];
  readonly Notes: { readonly Body: string }[];
}

/** Every contact exists once as it was answered, with each note once and in order. */
export async function expectKept(send: Send, callers: readonly SteadyCaller[]): Promise<void> {
  for (const { name, contacts } of callers) {
    for (const [number, id] of [...contacts.keys()].entries()) {
      const { body } = await send('contacts/locate', { EmailSearch: `${name}${number}@example.com` });
      const found = (body['Matches'] as Shown[]).map(({ Id, Company, Tags, Notes }) => ({
        Id,
        Company,
        Tags,
        Notes: Notes.map(({ Body }) => Body),
      }));
      const who = `${name}${number}`;
      expect(found).toEqual([
        { Id: id, Company: `${who} & Co`, Tags: [`tag ${who}`], Notes: [`${who} first`, `${who} second`, who] },
      ]);
    }
  }
}

/** All events of the account, once there are as many as `count`, or when they have been too long in coming. */
async function eventsOf(send: Send, count: number): Promise<DataSubscriberEvent[]> {
  const pending = async () => Number((await send('datasubscriber/fetch', { EventCount: 1 })).body['EventCount']);
  for (const since = performance.now(); (await pending()) < count && performance.now() - since < PATIENCE;)
    await new Promise((done) => setTimeout(done, 20));
  // One too many may still be on its way.
  await new Promise((done) => setTimeout(done, 200));
  const events: DataSubscriberEvent[] = [];
  for (let left = 1; left > 0;) {
    const { body } = await send('datasubscriber/fetch', { EventCount: 1_000, ClearThroughId: events.at(-1)?.Id ?? 0 });
    events.push(...(body['Events'] as DataSubscriberEvent[]));
    left = Number(body['EventCount']) - (body['Events'] as unknown[]).length;
  }
  return events;
}

/** Every change is one event, ids follow one another from 1 without gap, and those of each contact are in order. */
export async function expectEvents(send: Send, callers: readonly SteadyCaller[]): Promise<void> {
  const contacts = callers.flatMap((caller) => [...caller.contacts]);
  const calls = callers.flatMap((caller) => caller.calls);
  const events = await eventsOf(
    send,
    contacts.reduce((sum, [, story]) => sum + story.length, calls.length),
  );
  expect(events.map(({ Id }) => Id)).toEqual(events.map((_, index) => index + 1));
  const payloads = events.flatMap(({ Payload }) => Payload ?? []);
  expect(
    payloads
      .filter(({ Kind }) => Kind === 'call.logged')
      .map(describeEvent)
      .sort(),
  ).toEqual(calls.sort());
  const stories = Map.groupBy(
    payloads.filter(({ Kind }) => Kind !== 'call.logged'),
    ({ ContactId }) => ContactId ?? 0,
  );
  const seen = [...stories].map(([id, story]): [number, string[]] => [id, story.map(describeEvent)]);
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(contacts));
}
