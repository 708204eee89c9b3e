import type { PlannedMessage } from '../../domain/messages/plan.ts';
import { type Topic, VISIT_CHANGES } from '../../domain/messages/topics.ts';
import type { MessageNoun } from '../../entities/message-kinds.ts';
import { MINUTE } from '../../shared/time/time.ts';
import type { Change } from '../dynamodb/changes.ts';
import { type Key, keyText, layout, sortable, unescaped } from '../keys.ts';
import type { StoreAccount } from '../store.ts';
import { type DelayedMessage, delayedMessageChange, messageChange } from './delayed-messages.ts';

/** Planned messages, stored in the transaction that queues the events (lib/domain/messages/plan.ts). */

/** What is to be decided about, and when; no item need have its key. */
export interface MessageTrigger {
  readonly noun: MessageNoun;
  readonly id: number;
  readonly topic: Topic;
  /** When it is due, in milliseconds since 1970; 0 for changes of visits, whose notices say when. */
  readonly at: number;
}

/** The part of the trigger of changes of visits; their notices have ids there. */
const ALL_VISITS = 'DUE';

export const triggerKey = ({ account }: StoreAccount, { noun, id, topic, at }: MessageTrigger): Key =>
  layout.notice.key({ account, noun, id, topic, part: topic === VISIT_CHANGES ? ALL_VISITS : sortable(at) });

/** The trigger of a key; `undefined` for another key. */
export function triggerOf({ PK, SK }: Key): MessageTrigger | undefined {
  const [, , partition, noun = '', id] = PK.split('#');
  const [topic = '', part] = SK.split('#');
  if (partition !== 'NOTICE') return undefined;
  return {
    noun: noun as MessageNoun,
    id: Number(id),
    topic: unescaped(topic) as Topic,
    at: part === ALL_VISITS ? 0 : Number(part),
  };
}

/** SQS delays messages by up to 15 minutes; the clock sends later ones. */
const SOON = 14 * MINUTE;

/** What is decided by the record alone when it is due: its trigger may come without the event, or twice. */
const isLater = ({ at, visit }: PlannedMessage, now: Date): boolean => !visit && at > now.getTime() + SOON;

/**
 * The triggers of what is due later, such as reminders. They are put ahead of the transaction of the events, where they
 * cost half.
 */
export const laterTriggers = (store: StoreAccount, planned: readonly PlannedMessage[], now: Date): DelayedMessage[] =>
  planned
    .filter((each) => isLater(each, now))
    .map(({ noun, id, topic, at }) => ({ queue: 'outbox', message: triggerKey(store, { noun, id, topic, at }), at }));

/** The change that sends a trigger, to arrive when it is due. */
export function triggerChange(store: StoreAccount, trigger: MessageTrigger, now: Date): Change {
  const { at } = trigger;
  const message = { queue: 'outbox', message: triggerKey(store, trigger), at } as const;
  return at <= now.getTime() + SOON ? messageChange(message, now) : delayedMessageChange(message);
}

/**
 * The changes that store what else is planned: the notices of changed visits, and the triggers. Two changes of one
 * visit are one notice, which keeps what the client knew before the first of them.
 */
export function planChanges(store: StoreAccount, planned: readonly PlannedMessage[], now: Date): Change[] {
  const notices = new Map<string, Extract<Change, { update: Key }>>();
  const triggers = new Map<string, Change>();
  for (const each of planned) {
    if (isLater(each, now)) continue;
    const { noun, id, topic, at, visit } = each;
    if (visit) {
      const key = layout.notice.key({ account: store.account, noun, id, topic, part: visit.id });
      const setOnce = notices.get(keyText(key))?.setOnce ?? { Was: visit.was, First: visit.changed };
      notices.set(keyText(key), { update: key, set: { At: at, Is: visit.is }, setOnce });
    }
    const trigger = { noun, id, topic, at };
    triggers.set(`${keyText(triggerKey(store, trigger))} ${at}`, triggerChange(store, trigger, now));
  }
  return [...notices.values(), ...triggers.values()];
}

/** Visits of an account whose reminders are to be planned: those that begin within a span of moments. */
export interface UpcomingWork {
  readonly from: number;
  readonly until: number;
}

/** The topic of that work; it is no item. */
const UPCOMING = 'Upcoming';

export const upcomingKey = ({ account }: StoreAccount, { from, until }: UpcomingWork): Key => ({
  PK: layout.messageSettings.of({ account }),
  SK: `${UPCOMING}#${sortable(from)}#${sortable(until)}`,
});

/** The work of a key; `undefined` for another key. */
export function upcomingOf({ SK }: Key): UpcomingWork | undefined {
  const [topic, from, until] = SK.split('#');
  return topic === UPCOMING ? { from: Number(from), until: Number(until) } : undefined;
}
