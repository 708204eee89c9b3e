import { FIGURE_MONTHS, monthsThrough } from '../../lib/domain/figures.ts';
import type { MonthFigures } from '../../lib/entities/figures.ts';
import { numbersPage } from '../../lib/pages/office/numbers-page.ts';
import { loadCompany } from './company.ts';
import { type OfficePage, htmlAnswer } from './office-page.ts';

/** The figures of the organization by month. */
export const numbers: OfficePage = {
  async show(call) {
    if (!call.mayCall('organizations/figures')) return undefined;
    const [{ Timezone }, { Figures }] = await Promise.all([
      loadCompany(call),
      call.call<{ Figures: readonly MonthFigures[] }>({ operation: 'organizations/figures', request: {} }),
    ]);
    const months = monthsThrough(call.now, Timezone, FIGURE_MONTHS).toReversed();
    return htmlAnswer(numbersPage(call.frame('/office/numbers'), { zone: Timezone, months, figures: Figures }));
  },
};
