import { commitForm } from '../../lib/api/http/client-route.ts';
import type { OpenCall } from '../../lib/api/http/open-route.ts';
import { bodyBytes } from '../../lib/api/http/read-request.ts';
import { type Event, type Result, respond } from '../../lib/api/respond.ts';
import { Failure } from '../../lib/shared/failure.ts';
import { preflightHeaders } from '../../lib/shared/web/origins.ts';
import { isTestLead, readLead, readRawLead } from '../../lib/domain/leads/read-lead.ts';
import { referenceOf } from '../../lib/domain/leads/references.ts';
import { spamIn } from '../../lib/domain/leads/spam.ts';
import { writeClientCall } from '../../lib/store/client-calls.ts';
import { findSchemaError } from '../../lib/store/accounts/accounts.ts';
import { writeLeadCount } from '../../lib/store/lead-forms.ts';
import { isSame } from '../../lib/store/links.ts';
import { type OpenedForm, openLeadForm } from '../../lib/workflows/leads/open-form.ts';
import { type ReadBody, readLeadBody } from '../../lib/workflows/leads/read-body.ts';
import { storeLead } from '../../lib/workflows/leads/store-lead.ts';

/** What a script of a site may send with a form. */
const PREFLIGHT = { methods: ['POST'], headers: ['content-type', 'x-requested-with'] };

/** Answers one call of an address for leads. */
export async function receive(call: OpenCall): Promise<Result> {
  const { event, table, requestId, log, headers } = call;
  const opened = await openLeadForm(table, event.pathParameters?.['token'], requestId);
  if (!opened)
    throw new Failure(
      'unknown_path',
      'No form has this address, or it was revoked. fs leads list shows the addresses; with a key, call ' +
        'contacts/addupdate.',
    );
  Object.assign(log, { account: opened.store.account, operation: 'leads/receive' });
  Object.assign(headers, corsHeaders(opened, event));
  switch (event.requestContext.http.method) {
    case 'OPTIONS':
      return { statusCode: 204 };
    case 'GET':
    case 'HEAD':
      return verify(opened, event, requestId);
    case 'POST':
      return take(call, opened);
    default:
      throw new Failure('wrong_method', 'Send the form with POST.', { headers: { Allow: 'POST, OPTIONS' } });
  }
}

/** The headers that let scripts of the form's sites send it and read the answer. */
function corsHeaders({ form }: OpenedForm, { headers, requestContext }: Event): Record<string, string> {
  const { origin } = headers;
  if (!origin || !form.Sites.includes(origin)) return {};
  return requestContext.http.method === 'OPTIONS'
    ? preflightHeaders(origin, PREFLIGHT)
    : { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' };
}

/** Meta asks with GET whether the address expects its leads, and wants its challenge back. */
function verify({ providerKey }: OpenedForm, { queryStringParameters = {} }: Event, requestId: string): Result {
  const { 'hub.verify_token': sent = '', 'hub.challenge': challenge = '' } = queryStringParameters;
  if (queryStringParameters['hub.mode'] !== 'subscribe')
    throw new Failure('wrong_method', 'Send the form with POST.', { headers: { Allow: 'POST, OPTIONS' } });
  if (!isSame(sent, providerKey) || !/^[\w.-]{1,200}$/.test(challenge)) throw wrongProviderKey('hub.verify_token');
  return respond(requestId, 200, challenge, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  });
}

const wrongProviderKey = (name: string): Failure =>
  new Failure('invalid_address', `${name} is not the provider key of this form. fs leads list shows it.`);

async function take(call: OpenCall, opened: OpenedForm): Promise<Result> {
  const { event, table, now, sourceIp } = call;
  const { store, form, organization, providerKey } = opened;
  if (await findSchemaError(store)) throw new Failure('unavailable', 'The account is being migrated. Try again later.');
  const seconds = await writeClientCall(store, 'lead', { link: `lead-${form.Id}`, sourceIp, now });
  if (seconds)
    throw new Failure('rate_limited', `Too many leads came at this address. Try again in ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  const bytes = bodyBytes(event);
  const body = await readLeadBody({ contentType: event.headers['content-type'] ?? '', bytes });
  const sent = body.kind === 'form' ? body.entries : [];
  if (isEmpty(body)) throw new Failure('invalid_body', 'The form is empty. Send at least one field with a value.');
  const key = sent.find(({ name }) => name === 'google_key');
  if (key && !isSame(key.value, providerKey)) throw wrongProviderKey('google_key');
  if (isTestLead(sent)) return thank(call, opened, { Test: true });
  if (spamIn(sent, now.getTime())) {
    await writeLeadCount(store, form.Id, 'Spam', now);
    return thank(call, opened);
  }
  // The key is a secret, which no note shows.
  const entries = sent.filter((entry) => entry !== key);
  const country = organization.Country;
  const lead = body.kind === 'form' ? readLead(entries, country) : readRawLead(body.text, country);
  let isStored = false;
  await commitForm(table, async () => {
    const changes = await storeLead(opened, { lead, reference: referenceOf(entries), body: bytes }, now);
    isStored = changes.length > 0;
    return changes;
  });
  await writeLeadCount(store, form.Id, isStored ? 'Received' : 'Repeated', now);
  return thank(call, opened);
}

const isEmpty = (body: ReadBody): boolean =>
  body.kind === 'form' ? body.entries.every(({ value }) => value.trim() === '') : body.text.trim() === '';

/** Whether a browser shows the answer as a page, and not a script or a server reads it. */
const showsPage = ({ headers: { accept = '', 'sec-fetch-mode': mode = 'navigate' } }: Event): boolean =>
  mode === 'navigate' && accept.includes('text/html');

/** The same answer for every lead, which shows nothing of who is known. */
function thank({ event, requestId }: OpenCall, { form }: OpenedForm, more: object = {}): Result {
  const body = JSON.stringify({
    Success: true,
    ...more,
    ResultCode: 0,
    Message: 'Thank you. The message has arrived.',
  });
  // Only to the page that the company named: nothing that is sent decides.
  return form.Thanks && showsPage(event)
    ? respond(requestId, 303, body, { Location: form.Thanks })
    : respond(requestId, 200, body);
}
