import { DAY } from '../../lib/shared/time/time.ts';
import type { UserCall } from './office-page.ts';

/** What the pages need of the user's organization. */
export interface Company {
  readonly OrganizationId: number;
  readonly Timezone: string;
  readonly Users: readonly { readonly Id: number; readonly Name: string }[];
  readonly ServiceAgents: readonly { readonly Id: number; readonly Name: string }[];
}

export const loadCompany = ({ call, session }: Pick<UserCall, 'call' | 'session'>): Promise<Company> =>
  call<Company>({ operation: 'organizations/details', request: { OrganizationId: session.OrganizationId } });

/** `2026-12-05` some days later. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY).toISOString().slice(0, 10);
