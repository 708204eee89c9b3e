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
  /** The requested file of the page, like `pdf`; `undefined` for the page itself. */
  readonly file: string | undefined;
  /** The frame of a page, in the wording of its company's country. */
  frame(of?: ContactLinks & { readonly country: string }): Frame;
}

/** A submitted form, and the means to commit its changes. */
export interface FormCall extends PageCall {
  readonly action: string;
  readonly sent: URLSearchParams;
  /** Commits what `decide` returns. Returns the failure if the change is refused, and throws any other. */
  commit(decide: () => Promise<readonly Change[]>): Promise<Failure | undefined>;
}

/** A page; its functions return `undefined` if the link no longer opens anything, or there is no such file or form. */
export interface Page {
  show(call: PageCall): Promise<PageAnswer | undefined>;
  send(call: FormCall): Promise<PageAnswer | undefined>;
  /** Shows what an already submitted form did, without counting it again; `undefined` for a new form. */
  showDone?(call: FormCall): Promise<PageAnswer | undefined>;
}

export const htmlAnswer = (body: string, status = 200): PageAnswer => ({ status, body });

/**
 * Redirects to the page after a form, so that reloading it sends nothing. `done` names what the form did; `''` for
 * nothing.
 */
export function seeOther({ frame }: PageCall, done: string): PageAnswer {
  const { path, wording } = frame();
  return { status: 303, body: '', headers: { Location: `${path}?lang=${wording.language}${done && `&done=${done}`}` } };
}

/** What the previous form did, according to its redirect. */
export const doneBefore = ({ event }: PageCall): string => event.queryStringParameters?.['done'] ?? '';

/** A notice above a refused form, which screen readers announce first, that some fields are wrong. */
export const wrongFields = (wording: Wording, errors: Readonly<Record<string, string>> = {}): Notice | undefined =>
  Object.keys(errors).length > 0 ? { kind: 'bad', title: wording.text('checkForm') } : undefined;

/** A notice above a page that a form came too late. */
export const nothingChanged = (wording: Wording): Notice => ({
  kind: 'bad',
  title: wording.text('nothingChangedTitle'),
  text: wording.text('nothingChangedText'),
});
