import { setTimeout as pause } from 'node:timers/promises';
import { monthsThrough } from '../../lib/domain/figures.ts';
import { type MonthFiguresRecord, monthFiguresEntity } from '../../lib/entities/figures.ts';
import { findFiguresProgress, writeFigures } from '../../lib/store/figures.ts';
import { accountStore } from '../../lib/store/store.ts';
import { testTable } from './stack/stack.ts';

async function writeAll(account: string, figures: readonly MonthFiguresRecord[]): Promise<void> {
  for (const each of figures) await writeFigures(accountStore(testTable(), account), each);
}

/** Stores figures when the worker of the stack has counted this night, so that it does not count them again. */
export async function putFigures(account: string, figures: readonly MonthFiguresRecord[]): Promise<void> {
  const table = testTable();
  for (let tries = 0; tries < 200; tries++) {
    const { Night, Account } = await findFiguresProgress(table);
    if (Night > 0 && Account === '') return writeAll(account, figures);
    await pause(100);
  }
  throw new Error('the stack does not finish to count figures');
}

/** The figures of the current and the previous month, as the example of organizations/figures shows them. */
export function putExampleFigures(account: string): Promise<void> {
  const [current = '', previous = ''] = monthsThrough(new Date(), 'America/New_York', 2);
  const of = { OrganizationId: 1, CountedAt: Date.now() };
  const Web = { Channel: 'Web', Leads: 12 };
  const figures = [
    { ...of, Month: current, Revenue: 2480, Visits: 19, Proposals: 4, AcceptedProposals: 1, Leads: 3 },
    { ...of, Month: previous, Revenue: 31_250.5, Visits: 212, Proposals: 40, AcceptedProposals: 23, Leads: 19 },
  ].map((each, index) => monthFiguresEntity.blank({ ...each, LeadsByChannel: index ? [Web] : [] }));
  return writeAll(account, figures);
}
