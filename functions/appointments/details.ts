import { notFound } from '../../lib/api/failure.ts';
import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import { findAppointment } from '../../lib/store/appointments.ts';
import type { GivenSlot } from './chosen.ts';
import type { Asking } from './home.ts';
import { linksOf } from './links.ts';

/** What a request says beside time, agents and price. */
interface Said {
  readonly InvoiceId?: number | null | undefined;
  readonly RootProposalId?: number | null | undefined;
  readonly Notes?: string | null | undefined;
  readonly NotificationUri?: string | null | undefined;
  readonly EnRouteUri?: string | null | undefined;
  readonly ThirdPartyUrl?: string | null | undefined;
  readonly NotificationOptions?: readonly string[] | null | undefined;
}

/** Only what is said: absent is unchanged, `null` clears. */
const onlySaid = <Of extends object>(of: { readonly [Name in keyof Of]: Of[Name] | undefined }): Partial<Of> =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as Partial<Of>;

const cleared = <Value>(value: Value | null | undefined, empty: Value): Value | undefined => (value === undefined ? undefined : (value ?? empty));

/** The fields of an appointment that a request says; addresses are checked, and the appointment that it is a rework for. */
export async function detailsOf({ table, caller }: Asking, said: Said, slot: GivenSlot | undefined): Promise<Partial<AppointmentRecord>> {
  const rework = slot?.ReworkForAppointmentId;
  if (rework && !(await findAppointment(table, caller, rework))) throw notFound('appointment', 'Slots[0].ReworkForAppointmentId', rework);
  // A slot of slotsearch is blank in what it does not know: that says nothing.
  const first = (field: 'NotificationUri' | 'ThirdPartyUrl') => (said[field] === undefined ? slot?.[field] || undefined : said[field]);
  const properties = slot?.CustomProperties;
  const links = await linksOf({ NotificationUri: first('NotificationUri'), EnRouteUri: said.EnRouteUri, ThirdPartyUrl: first('ThirdPartyUrl') });
  return {
    ...links,
    ...onlySaid<Partial<AppointmentRecord>>({
      InvoiceId: cleared(said.InvoiceId, 0),
      RootProposalId: said.RootProposalId === undefined ? (slot?.RootProposalId ?? undefined) : said.RootProposalId,
      ProposalId: slot?.ProposalId ?? undefined,
      Notes: cleared(said.Notes, ''),
      NotificationOptions: cleared(said.NotificationOptions, []),
      ReworkForAppointmentId: rework ?? undefined,
      Shadow: slot?.Shadow ?? undefined,
      CustomProperties: properties && Object.keys(properties).length ? properties : undefined,
    }),
  };
}
