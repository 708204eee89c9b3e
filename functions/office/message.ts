import { hasMessages } from '../../lib/delivery/has-messages.ts';
import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import type { Appointment } from '../../lib/entities/appointments.ts';
import type { Invoice } from '../../lib/entities/invoices.ts';
import { CHANNELS } from '../../lib/entities/message-kinds.ts';
import type { Proposal } from '../../lib/entities/proposals.ts';
import { messageChoices, toMessage } from '../../lib/pages/office/message-choices.ts';
import { messagePage } from '../../lib/pages/office/message-page.ts';
import type { MessagePreview } from '../../lib/resources/messages.ts';
import { MAX_TAKE } from '../../lib/resources/queries.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import { readText } from '../pages/parameters.ts';
import { loadCompany } from './company.ts';
import { findClient } from './find-client.ts';
import { type OfficePage, type UserCall, htmlAnswer, refusalIn, refusedNotice, sendChange } from './office-page.ts';

const TAKE = 20;

/** Whether this user may send messages to clients, if the stage sends any. */
export const mayMessage = ({ mayCall }: Pick<UserCall, 'mayCall'>): boolean =>
  hasMessages() && mayCall('messages/send');

/** The message that an address or a form names. */
const requestOf = (asked: URLSearchParams, ContactId: number) => {
  const Channel = CHANNELS.find((each) => each === asked.get('by'));
  return { ContactId, ...toMessage(readText(asked, 'about', 40)), ...(Channel ? { Channel } : {}) };
};

async function loadChoices(call: UserCall, ContactId: number) {
  const [company, { Appointments }, { Proposals }, { Invoices }] = await Promise.all([
    loadCompany(call),
    call.call<{ Appointments: readonly Appointment[] }>({
      operation: 'appointments/query',
      request: { ContactId, Take: MAX_TAKE },
    }),
    call.call<{ Proposals: readonly Proposal[] }>({
      operation: 'proposal/query',
      request: { ContactId, Scope: 'open', Take: TAKE },
    }),
    call.call<{ Invoices: readonly Invoice[] }>({
      operation: 'invoice/query',
      request: { ContactId, Status: 'Open', Take: TAKE },
    }),
  ]);
  const records = { visits: Appointments, proposals: Proposals, invoices: Invoices };
  return messageChoices(call.wording, records, { zone: company.Timezone, now: call.now.getTime() });
}

const previewOf = async ({ call }: UserCall, request: object): Promise<MessagePreview> =>
  (await call<{ Preview: MessagePreview }>({ operation: 'messages/preview', request })).Preview;

async function show(call: UserCall, refused?: Failure): Promise<OfficeAnswer | undefined> {
  const { id, query } = call;
  if (id === undefined || !mayMessage(call)) return undefined;
  const chosen = readText(query, 'about', 40);
  const [contact, choices, preview] = await Promise.all([
    findClient(call, id),
    loadChoices(call, id),
    chosen ? previewOf(call, requestOf(query, id)).catch(refusalIn) : undefined,
  ]);
  const shown = preview && 'To' in preview ? preview : undefined;
  const failure = refused ?? (preview && !('To' in preview) ? preview : undefined);
  const view = { contact, choices, chosen, channel: query.get('by') ?? '', preview: shown };
  const notice = refusedNotice(call, failure);
  return htmlAnswer(messagePage(call.frame(`/office/message/${id}`), view, [notice]), failure?.status ?? 200);
}

/** A message to a client. */
export const message: OfficePage = {
  show: (call) => show(call),
  async send(form) {
    const { id, action, sent } = form;
    if (action !== 'send' || id === undefined || !mayMessage(form)) return undefined;
    const called = { operation: 'messages/send', request: requestOf(sent, id) };
    return sendChange(form, `client/${id}`, { called, done: 'sent' }, show);
  },
};
