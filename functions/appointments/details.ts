import type { AppointmentRecord } from '../../lib/domain/appointments/record.ts';
import type { GivenSlot } from './chosen.ts';
import { linksOf } from './links.ts';
import { ofContact, type Naming, type readNamed } from './named.ts';
import { isRefusal, type Refusal } from './refusal.ts';

/** What a request says beside time, agents and price. */
interface Said extends Naming {
  readonly Notes?: string | null | undefined;
  readonly NotificationUri?: string | null | undefined;
  readonly EnRouteUri?: string | null | undefined;
  readonly ThirdPartyUrl?: string | null | undefined;
  readonly NotificationOptions?: readonly string[] | null | undefined;
}

/** A request, with what it names, for a contact. */
interface Asked {
  readonly request: Said;
  readonly slot: GivenSlot | undefined;
  readonly named: Awaited<ReturnType<typeof readNamed>>;
  readonly contactId: number;
}

/** Only what is said: absent is unchanged, `null` clears. */
const onlySaid = <Of extends object>(of: { readonly [Name in keyof Of]: Of[Name] | undefined }): Partial<Of> =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as Partial<Of>;

const cleared = <Value>(value: Value | null | undefined, empty: Value): Value | undefined => (value === undefined ? undefined : (value ?? empty));

/** The fields of an appointment that a request says. What it names must be of the contact, and addresses such as may be called. */
export function detailsOf({ request: said, slot, named, contactId }: Asked): Partial<AppointmentRecord> | Refusal {
  if (isRefusal(named)) return named;
  const foreign = ofContact(named, contactId);
  if (foreign) return foreign;
  // A slot of slotsearch is blank in what it does not know, and so are typed clients' requests: that says nothing.
  const first = (field: 'NotificationUri' | 'ThirdPartyUrl') => (said[field] === undefined ? slot?.[field] || undefined : said[field]);
  const properties = slot?.CustomProperties;
  const links = linksOf({ NotificationUri: first('NotificationUri'), EnRouteUri: said.EnRouteUri, ThirdPartyUrl: first('ThirdPartyUrl') });
  if (isRefusal(links)) return links;
  return {
    ...links,
    ...onlySaid<Partial<AppointmentRecord>>({
      InvoiceId: said.InvoiceId === null ? 0 : said.InvoiceId || undefined,
      RootProposalId: said.RootProposalId === null ? null : said.RootProposalId || slot?.RootProposalId || undefined,
      ProposalId: slot?.ProposalId || undefined,
      Notes: cleared(said.Notes, ''),
      NotificationOptions: cleared(said.NotificationOptions, []),
      ReworkForAppointmentId: slot?.ReworkForAppointmentId || undefined,
      Shadow: slot?.Shadow ?? undefined,
      CustomProperties: properties && Object.keys(properties).length ? properties : undefined,
    }),
  };
}
