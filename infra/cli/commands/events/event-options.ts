import { InvalidArgumentError } from 'commander';
import { allEventKinds } from '../../../../lib/domain/event-kinds.ts';
import { didYouMean } from '../../../../lib/shared/text/suggestions.ts';
import type { RemoteOptions } from '../../remote/profile.ts';

export interface TailOptions extends RemoteOptions {
  readonly last: number;
  readonly kinds?: readonly string[];
  readonly since?: 'now' | number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

export interface ForwardOptions extends RemoteOptions {
  readonly to: string;
  readonly subscriber: string;
  readonly kinds?: readonly string[];
  readonly secret?: string;
  readonly since?: 'now' | number;
  readonly json?: boolean;
}

/** The tool runs where the receiver is developed, so an address on this machine is the common case. */
export const ANY_STACK = { allowLoopback: true };

/** `invoice.paid,payment.recorded`. */
function kindList(text: string): string[] {
  const known: readonly string[] = allEventKinds;
  const kinds = text.split(',').map((kind) => kind.trim());
  const unknown = kinds.find((kind) => !known.includes(kind));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no kind ${JSON.stringify(unknown)}. ${didYouMean(unknown, known)}`.trim());
  return kinds;
}

/** Where events begin: `now`, or the id of an event. */
export function position(text: string): 'now' | number {
  if (text === 'now') return text;
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be now, or the id of an event.');
  return Number(text);
}

/** An event as subscribers get it. */
export interface ReadEvent {
  readonly Id: number;
  readonly QueuedAt: string;
  readonly Payload: { readonly Kind: string; readonly Id: number; readonly Changed: readonly string[] } | null;
}

/** One line: id, time, kind, subject and changed fields. */
export function eventLine(event: ReadEvent): string {
  const { Kind, Id, Changed } = event.Payload ?? { Kind: '', Id: 0, Changed: [] };
  const columns = [String(event.Id).padStart(8), event.QueuedAt, Kind.padEnd(22), String(Id).padStart(8)];
  return [...columns, Changed.join(' ')].join('  ').trimEnd();
}

export const KINDS = ['--kinds <kinds>', 'only these kinds: invoice.paid,payment.recorded', kindList] as const;
