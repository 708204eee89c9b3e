import type { OfficeAnswer } from '../../lib/api/http/office-route.ts';
import type { Appointment } from '../../lib/entities/appointments.ts';
import { bookPage } from '../../lib/pages/office/book-page.ts';
import { toFreeTime, toSlot } from '../../lib/pages/office/free-times.ts';
import type { Failure } from '../../lib/shared/failure.ts';
import { toLocalDate } from '../../lib/shared/time/time.ts';
import { readDate, readId, readText } from '../pages/parameters.ts';
import { loadCompany } from './company.ts';
import { findClient } from './find-client.ts';
import { type OfficePage, type UserCall, type UserForm, htmlAnswer, refusedNotice, sendChange } from './office-page.ts';

interface Found {
  readonly Slots: readonly Appointment[];
  readonly Message: string | null;
}

/** A quantity as it was typed, or the default of the service. */
const readQuantity = (text: string): { readonly Quantity?: string } => (text ? { Quantity: text } : {});

async function searchTimes(
  { call }: UserCall,
  contactId: number,
  wanted: { serviceId: number; quantity: string; from: string },
) {
  const { Slots, Message } = await call<Found>({
    operation: 'appointments/slotsearch',
    request: {
      ContactId: contactId,
      ServiceId: wanted.serviceId,
      ...readQuantity(wanted.quantity),
      TargetDate: wanted.from,
      SlotWindowDays: 7,
    },
  });
  return { times: Slots.map(toFreeTime), why: Message ?? '', price: Slots[0]?.Total ?? null };
}

async function show(call: UserCall | UserForm, failure?: Failure): Promise<OfficeAnswer | undefined> {
  const { id, query, now } = call;
  if (id === undefined || !call.mayCall('appointments/book')) return undefined;
  const asked = 'sent' in call ? call.sent : query;
  const [company, contact, services] = await Promise.all([
    loadCompany(call),
    findClient(call, id),
    call.call<{ Matches: readonly { Id: number; Name: string }[] }>({ operation: 'services/all', request: {} }),
  ]);
  const wanted = {
    serviceId: readId(asked.get('service')) ?? 0,
    quantity: readText(asked, 'quantity', 20),
    from: readDate(asked, 'from') ?? toLocalDate(now.getTime(), company.Timezone),
  };
  const found = wanted.serviceId ? await searchTimes(call, id, wanted) : undefined;
  const view = { contact, zone: company.Timezone, services: services.Matches, wanted, found };
  const notice = refusedNotice(call, failure);
  return htmlAnswer(bookPage(call.frame(`/office/book/${id}`), view, [notice]), failure?.status ?? 200);
}

/** A new visit of a client. */
export const book: OfficePage = {
  show: (call) => show(call),
  async send(form) {
    const { id, sent, action } = form;
    if (action !== 'book' || id === undefined) return undefined;
    const called = {
      operation: 'appointments/book',
      request: {
        ContactId: id,
        ServiceId: readId(sent.get('service')),
        ...readQuantity(readText(sent, 'quantity', 20)),
        Slots: [toSlot(readText(sent, 'time', 200))],
        Notes: readText(sent, 'note', 1000),
      },
    };
    return sendChange(form, `client/${id}`, { called, done: 'booked' }, show);
  },
};
