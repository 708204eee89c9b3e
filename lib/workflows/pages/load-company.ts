import type { ContactRecord } from '../../entities/contacts.ts';
import type { ClientLink, LinkTarget } from '../../domain/client-pages.ts';
import type { ClientCancelReason, OrganizationRecord } from '../../entities/organizations.ts';
import { clientCancelReasons } from '../../domain/appointments/client-cancel-reasons.ts';
import type { Company, ContactLinks } from '../../pages/frame.ts';
import { getOrganization } from '../../store/organizations/organizations.ts';
import { closedReason } from '../organizations/require-open.ts';
import type { StoreReader } from '../../store/store.ts';

/** The organization as clients see it. */
export interface ClientCompany {
  readonly company: Company;
  readonly country: string;
  readonly zone: string;
  /** How many hours before a visit its client may still cancel or move it; `null`: never. */
  readonly cancelHours: number | null;
  readonly cancelReasons: readonly ClientCancelReason[];
  readonly booking: OnlineBooking;
  /** The amount above which a client enters the last digits of its phone to sign or pay; `null`: never. */
  readonly verifyAbove: number | null;
}

/** Whether clients book on pages that offer services, and whether strangers do. */
interface OnlineBooking {
  readonly isOpen: boolean;
  readonly takesStrangers: boolean;
  /** How often the booking link was revoked. */
  readonly linksRevoked: number;
}

/** The content of a page, its company, and the pages that it links to. */
export interface LoadedPage<View> extends ClientCompany, ContactLinks {
  readonly view: View;
}

/**
 * The links from a page to others of the contact. Once the contact's links were revoked, pages of its records no longer
 * lead to its overview, because an older link would open it again.
 */
export const contactLinks = (
  link: ClientLink,
  { page, merged }: Pick<LinkTarget, 'page' | 'merged'>,
  { Id, LinksRevoked = 0 }: ContactRecord,
): ContactLinks => {
  const { id, generation } = merged ?? { id: Id, generation: LinksRevoked };
  return {
    preferencesLink: link('preferences', id, generation),
    overviewLink: LinksRevoked === 0 || page === 'card' ? link('overview', id, generation) : '',
  };
};

interface Address {
  readonly Address1: string;
  readonly Address2: string;
  readonly City: string;
  readonly State: string;
  readonly Zip: string;
}

/** For example `12 Main St, Apt 4, Springfield, IL 62701`. */
export const addressOf = ({ Address1, Address2, City, State, Zip }: Address): string =>
  [Address1, Address2, City, `${State} ${Zip}`.trim()].filter(Boolean).join(', ');

/** The address for maps, which know no apartments. */
export const placeOf = (address: Address): string => addressOf({ ...address, Address2: '' });

export const toClientCompany = (account: string, organization: OrganizationRecord): ClientCompany => {
  const { Color = '', Logo = '' } = organization.Branding ?? {};
  const address = organization.BillingAddress ?? organization.StartAddress;
  return {
    company: {
      name: organization.PublicName,
      address: address ? addressOf(address) : '',
      phone: organization.PrimaryPhone,
      email: organization.Email,
      website: organization.Website,
      color: Color,
      logo: Logo && `/c/logo/${account}-${organization.Id}-${Logo}`,
    },
    country: organization.Country,
    zone: organization.Timezone,
    booking: {
      isOpen: closedReason(organization) === undefined,
      takesStrangers: organization.StrangerShare > 0,
      linksRevoked: organization.LinksRevoked ?? 0,
    },
    cancelHours: organization.CancelHours,
    cancelReasons: clientCancelReasons(organization),
    verifyAbove: organization.VerifyAbove,
  };
};

export const loadCompany = async (store: StoreReader, id: number): Promise<ClientCompany> =>
  toClientCompany(store.account, await getOrganization(store, id));
