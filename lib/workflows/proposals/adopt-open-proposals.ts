import { nouns } from '../../entities/nouns.ts';
import type { TableWriter } from '../../store/dynamodb/table.ts';
import type { ScanTable } from '../../store/dynamodb/scan.ts';
import { accountOfKey } from '../../store/keys.ts';
import {
  OPEN_HOURS,
  findHourDone,
  hourAt,
  pendingExpiry,
  writeExpiries,
  writeHourDone,
} from '../../store/sales/proposals.ts';

/**
 * Lists the expiries of the open proposals of a data folder that is older than the list, and marks the hours
 * before as worked off. `fs check --repair` does the same for a deployed table. Safe to repeat: a proposal has
 * the same entry every time.
 */
export async function adoptOpenProposals(table: TableWriter, scan: ScanTable): Promise<void> {
  const through = hourAt(Date.now()) - OPEN_HOURS;
  if ((await findHourDone(table)) !== undefined) return;
  for await (const items of scan({ entity: 'Proposal' })) {
    const expiries = items.map((item) =>
      pendingExpiry({ account: accountOfKey(item) ?? '' }, nouns.Proposal.read(item)),
    );
    await writeExpiries(
      table,
      expiries.filter((expiry) => expiry !== undefined),
    );
  }
  await writeHourDone(table, through);
}
