/** Whether clients of an organization can pay on pages: it or its company has a provider. */
export type TakesPayments = (organization: number) => boolean;

/** The provider that stands for all organizations of the company without one of their own. */
export const WHOLE_COMPANY = 0;

/** The provider of an organization: its own, else that of the company. */
export const providerOf = <Provider extends { readonly OrganizationId: number }>(
  providers: readonly Provider[],
  organization: number,
): Provider | undefined =>
  providers.find(({ OrganizationId }) => OrganizationId === organization) ??
  providers.find(({ OrganizationId }) => OrganizationId === WHOLE_COMPANY);

export const NO_PAYMENTS: TakesPayments = () => false;
