import type { CallMode } from '../../lib/api/perform.ts';
import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import type { Event } from '../../lib/api/respond.ts';
import type { ApiKeyRecord } from '../../lib/entities/api-keys.ts';
import { Failure } from '../../lib/shared/failure.ts';
import type { Notice } from '../../lib/pages/frame.ts';
import type { StoreReader } from '../../lib/store/store.ts';
import type { OfficeFrame } from '../../lib/pages/office/frame.ts';
import type { OfficeTexts } from '../../lib/pages/office/texts/en.ts';
import type { OfficeWording } from '../../lib/pages/office/wording.ts';

/** An operation that a page calls. */
export interface Called {
  readonly operation: string;
  readonly request: object;
  readonly mode?: CallMode;
  readonly idempotencyKey?: string;
}

/** A page that a signed-in user opens. */
export interface UserCall {
  readonly event: Event;
  readonly now: Date;
  readonly session: ApiKeyRecord;
  /** What the user's organization has in the table; of a service agent, the agent's part. */
  readonly store: StoreReader;
  /** The part of the path behind the page, an id; `undefined` if it has none. */
  readonly id: number | undefined;
  readonly query: URLSearchParams;
  readonly wording: OfficeWording;
  /** The answer of an operation with the rights of the user. Throws the Failure that it answers. */
  readonly call: <Answer>(called: Called) => Promise<Answer>;
  /** Whether the user may call an operation that changes something, or one of those that not every role may read. */
  readonly mayCall: (operation: string) => boolean;
  /** The frame of the page at a path: its form token, and what the user's role may open. */
  readonly frame: (path: string) => OfficeFrame;
}

/** A form that a signed-in user sent from a page of ours. */
export interface UserForm extends UserCall {
  readonly action: string;
  readonly sent: URLSearchParams;
  /** Calls an operation that changes something. Returns the failure if it refuses, and throws any other. */
  readonly change: (called: Called) => Promise<Failure | undefined>;
  /** The same for an operation that makes something: the form of a page does it once, however often it is sent. */
  readonly changeOnce: (called: Called) => Promise<Failure | undefined>;
  /** What makes a call have one effect, however often the form is sent. */
  readonly once: Pick<Called, 'idempotencyKey'>;
}

/** A page of the office; its functions return `undefined` if nothing is at the address. */
export interface OfficePage {
  readonly show: (call: UserCall) => Promise<OfficeAnswer | undefined>;
  readonly send?: (form: UserForm) => Promise<OfficeAnswer | undefined>;
}

/** The failure by which an operation refuses what was asked; throws any other. */
export function refusalIn(error: unknown): Failure {
  if (error instanceof Failure && [400, 403, 404, 409].includes(error.status)) return error;
  throw error;
}

/** The notice above a page after a change was refused, or what was asked for. */
export const refusedNotice = (
  { wording }: UserCall,
  failure: Failure | undefined,
  title: 'refused' | 'notShown' = 'refused',
): Notice | undefined => failure && { kind: 'bad', title: wording.say(title), text: failure.message };

/** What a form does: its operation, and the mark in the address to which it redirects. */
export interface FormChange {
  readonly called: Called;
  readonly done: string;
  /** Whether it does no harm twice: a visit that is started again has a later start. */
  readonly isRepeatable?: true;
}

/** Calls the operation of a form. Its page shows what became of it; an unknown form is at no address. */
export async function sendChange(
  form: UserForm,
  path: string,
  change: FormChange | undefined,
  show: (call: UserCall, failure: Failure) => Promise<OfficeAnswer | undefined>,
): Promise<OfficeAnswer | undefined> {
  if (!change) return undefined;
  const failure = await (change.isRepeatable ? form.change : form.changeOnce)(change.called);
  return failure ? show(form, failure) : seeOther(`/office/${path}?done=${change.done}`);
}

/** The notice above a page after a form: why it was refused, or what the mark in the address says is done. */
export function formNotice(
  call: UserCall,
  failure: Failure | undefined,
  done: Readonly<Record<string, keyof OfficeTexts>>,
): Notice | undefined {
  const before = call.query.get('done') ?? '';
  const title = Object.hasOwn(done, before) ? done[before] : undefined;
  return refusedNotice(call, failure) ?? (title && { kind: 'good', title: call.wording.say(title) });
}

export const htmlAnswer = (body: string, status = 200): OfficeAnswer => ({ status, body });

/** Redirects after a form. Reloading the page sends nothing again. */
export const seeOther = (path: string, cookies?: readonly string[]): OfficeAnswer => ({
  status: 303,
  body: '',
  headers: { Location: path },
  ...(cookies ? { cookies } : {}),
});
