import type { Address } from '../resources/addresses.ts';
import type { CustomValue } from './custom-fields.ts';
import type { Holiday } from './time-off.ts';

/** An accounting class, as contacts keep it. */
export interface PostalClass {
  readonly Id: number;
  readonly AccountingClass: string;
  readonly TerritoryID: string;
}

/**
 * What is known of a postal code: the organization that owns it, `null` when none does, and the class each organization
 * books it under.
 */
export interface PostalOwner {
  readonly OrganizationId: number | null;
  readonly Classes: readonly (PostalClass & { readonly OrganizationId: number })[];
}

/** The class under which an organization books a postal code, whoever owns the code. */
export function classOf(owner: PostalOwner | null | undefined, organizationId: number): PostalClass | null {
  const found = owner?.Classes.find(({ OrganizationId }) => OrganizationId === organizationId);
  return found ? { Id: found.Id, AccountingClass: found.AccountingClass, TerritoryID: found.TerritoryID } : null;
}

/** Texts of an organization that a caller gives and that are kept as typed. */
export const organizationTexts = [
  'InternalName',
  'LegalEntityName',
  'TaxpayerID',
  'PrimaryPhone',
  'Email',
  'Website',
] as const;

type Texts = Readonly<Record<(typeof organizationTexts)[number], string>>;

/** A location of an account as it is kept. `Timezone` is an IANA name; moments in milliseconds since 1970. */
export interface OrganizationRecord extends Texts {
  readonly Id: number;
  /** Its own id, by which its events are filtered. */
  readonly OrganizationId: number;
  readonly PublicName: string;
  readonly LocationID: string;
  readonly Timezone: string;
  /** ISO 3166 country whose phone numbers are written without a prefix. */
  readonly Country: string;
  readonly OpenSince: number | null;
  readonly StartAddress: Address | null;
  /** Miles from StartAddress. */
  readonly Radius: number;
  /** Days a slot search looks ahead; 0 for the default of 14. */
  readonly SlotSearchWindowDays: number;
  readonly BillingAddress: Address | null;
  /** Minutes between the starts that are offered; null for 30. */
  readonly OpenTimeGranularity: number | null;
  /**
   * Normalised and comma-separated. All organizations of an account together have each code once, so that even long
   * lists stay small.
   */
  readonly PostalCodes: string;
  readonly CancelDate: number | null;
  /** Its keys are refused. */
  readonly Suspended: boolean;
  readonly TrialExpirationDate: number | null;
  readonly BillingPlan: string;
  readonly BillingMethod: number;
  readonly AccountManagerUserId: number | null;
  readonly Region: string;
  readonly CustomFields: readonly CustomValue[];
  /** By date; nobody works then. Only the company file sets them. */
  readonly Holidays: readonly Holiday[];
  /**
   * Its users, oldest first: each new one and each new service agent makes a new version of the organization, which
   * guards their names.
   */
  readonly UserIds: readonly number[];
  readonly Created: number;
  readonly V: number;
}

/** An organization of which only what is given is known. */
export function blankOrganization(
  given: Pick<OrganizationRecord, 'Id' | 'PublicName'> & Partial<OrganizationRecord>,
): OrganizationRecord {
  return {
    OrganizationId: given.Id,
    InternalName: '',
    LegalEntityName: '',
    TaxpayerID: '',
    PrimaryPhone: '',
    Email: '',
    Website: '',
    LocationID: '',
    Timezone: 'America/New_York',
    Country: 'US',
    OpenSince: null,
    StartAddress: null,
    Radius: 0,
    SlotSearchWindowDays: 0,
    BillingAddress: null,
    OpenTimeGranularity: null,
    PostalCodes: '',
    CancelDate: null,
    Suspended: false,
    TrialExpirationDate: null,
    BillingPlan: '',
    BillingMethod: 0,
    AccountManagerUserId: null,
    Region: '',
    CustomFields: [],
    Holidays: [],
    UserIds: [],
    Created: 0,
    V: 0,
    ...given,
  };
}
