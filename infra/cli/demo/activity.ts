import type { OrganizationRecord } from '../../../lib/domain/organizations.ts';
import type { TableWriter } from '../../../lib/store/client.ts';
import { bills, offers, visits } from '../../demo/activity.ts';
import { billOf } from './bills.ts';
import { offerOf } from './offers.ts';
import { openOffice, type Client } from './office.ts';
import { tell, type Tale } from './tale.ts';
import { visitOf } from './visits.ts';

/**
 * Lets the company of the demo work for some weeks, up to `now`: it books, quotes, invoices and is paid, by the
 * operations of the interface alone, each at its time.
 */
export async function liveDemo(
  table: TableWriter,
  company: { readonly account: string; readonly organizations: readonly OrganizationRecord[]; readonly now: Date },
): Promise<void> {
  const office = openOffice(table, company);
  async function* of<Told>(email: string, told: Told, tale: (client: Client, told: Told) => Tale): Tale {
    yield* tale(await office.client(`${email}@example.com`), told);
  }
  const tales = [
    ...visits.map(([email, visit]) => of(email, visit, (client, told) => visitOf(office, client, told))),
    ...offers.map(([email, offer]) => of(email, offer, (client, told) => offerOf(office, client, told))),
    ...bills.map(([email, bill]) => of(email, bill, (client, told) => billOf(office, client, told))),
  ];
  await tell(tales, company.now);
}
