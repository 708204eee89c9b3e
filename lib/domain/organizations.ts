/** Which organization owns a postal code, and the accounting class it belongs to there. */
export interface PostalOwner {
  readonly OrganizationId: number;
  readonly AccountingClass: { readonly Id: number; readonly AccountingClass: string; readonly TerritoryID: string } | null;
}

/** A location of an account, as far as every call needs it. `Timezone` is an IANA name. */
export interface OrganizationRecord {
  readonly Id: number;
  readonly PublicName: string;
  readonly Timezone: string;
  readonly LocationID: string;
  /** ISO 3166 country whose phone numbers are written without a prefix. */
  readonly Country: string;
  readonly Suspended: boolean;
}
