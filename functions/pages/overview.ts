import { overviewPage } from '../../lib/pages/overview.ts';
import { loadOverviewPage } from '../../lib/workflows/pages/overview.ts';
import { type Page, htmlAnswer } from './page.ts';

/** The page with everything between a contact and the company. It has no form. */
export const overview: Page = {
  async show(call) {
    const loaded = call.file === undefined ? await loadOverviewPage(call.context) : undefined;
    return loaded && htmlAnswer(overviewPage(call.frame(loaded), loaded.view));
  },

  send: () => Promise.resolve(undefined),
};
