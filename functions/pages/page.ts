import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { PageAnswer } from '../../lib/api/http/client-route.ts';
import type { ContactLinks, Frame, Notice } from '../../lib/pages/frame.ts';
import type { Wording } from '../../lib/pages/language.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import type { Change } from '../../lib/store/dynamodb/changes.ts';
import type { ClientContext } from '../../lib/workflows/pages/client.ts';

/** A call of a page whose link is ours. */
export interface PageCall {
  readonly context: ClientContext;
  readonly event: APIGatewayProxyEventV2;
  /** The file of the page that is asked for, like `pdf`; `undefined` for the page itself. */
  readonly file: string | undefined;
  /** The frame of a page, in the wording of its company's country. */
  frame(of?: ContactLinks & { readonly country: string }): Frame;
}

/** What a form sent, and how to store what it changes. */
export interface FormCall extends PageCall {
  readonly action: string;
  readonly sent: URLSearchParams;
  /** Stores what `decide` returns. The reason where that is refused; any other failure is thrown. */
  commit(decide: () => Promise<readonly Change[]>): Promise<Failure | undefined>;
}

/** A page: `undefined` where its link opens nothing any more, or it has no such file or form. */
export interface Page {
  show(call: PageCall): Promise<PageAnswer | undefined>;
  send(call: FormCall): Promise<PageAnswer | undefined>;
  /** What a form that was sent before has done, which does not count again; `undefined` for a form that is new. */
  showDone?(call: FormCall): Promise<PageAnswer | undefined>;
}

export const htmlAnswer = (body: string, status = 200): PageAnswer => ({ status, body });

/**
 * Shows the page again after a form, so that reloading it sends nothing. `done` names what the form did; `''` nothing.
 */
export function seeOther({ frame }: PageCall, done: string): PageAnswer {
  const { path, wording } = frame();
  return { status: 303, body: '', headers: { Location: `${path}?lang=${wording.language}${done && `&done=${done}`}` } };
}

/** What the form before did, as its redirect says. */
export const doneBefore = ({ event }: PageCall): string => event.queryStringParameters?.['done'] ?? '';

/** Says above a form that was refused that fields of it are wrong, which those who hear the page notice first. */
export const wrongFields = (wording: Wording, errors: Readonly<Record<string, string>> = {}): Notice | undefined =>
  Object.keys(errors).length > 0 ? { kind: 'bad', title: wording.text('checkForm') } : undefined;

/** Says above a page that what was sent came too late. */
export const nothingChanged = (wording: Wording): Notice => ({
  kind: 'bad',
  title: wording.text('nothingChangedTitle'),
  text: wording.text('nothingChangedText'),
});
