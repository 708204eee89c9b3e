import { isLanguage } from '../../lib/pages/language.ts';
import { preferencesPage } from '../../lib/pages/preferences.ts';
import { loadPreferencesPage, savePreferences } from '../../lib/workflows/pages/preferences.ts';
import { type Page, doneBefore, htmlAnswer, seeOther } from './page.ts';

/** The page on which a contact chooses how the company may write. */
export const preferences: Page = {
  async show(call) {
    const loaded = await loadPreferencesPage(call.context);
    if (!loaded || call.file !== undefined) return undefined;
    const frame = call.frame(loaded);
    const saved = { kind: 'good', title: frame.wording.text('saved') } as const;
    return htmlAnswer(preferencesPage(frame, loaded.view, doneBefore(call) === 'saved' ? saved : undefined));
  },

  async send(call) {
    const { context, action, sent } = call;
    if (action === 'unsubscribe') {
      const found = await loadPreferencesPage(context);
      if (!found) return undefined;
      const failure = await call.commit(() =>
        savePreferences(context, { ...found.view, byEmail: false, withOffers: false }),
      );
      return { status: failure ? 409 : 200, body: '' };
    }
    // A page of the previous version sends the opposite, what is not wanted: its client sees the switches and sends
    // them again.
    if (action === 'preferences') return seeOther(call, '');
    if (action !== 'save-preferences') return undefined;
    const isChecked = (name: string): boolean => sent.get(name) === '1';
    const language = sent.get('language') ?? '';
    const wanted = {
      byEmail: isChecked('byEmail'),
      byText: isChecked('byText'),
      withOffers: isChecked('withOffers'),
      ...(isLanguage(language) && { language }),
    };
    const failure = await call.commit(() => savePreferences(context, wanted));
    return failure ? undefined : seeOther(call, 'saved');
  },
};
