import type { Browser } from 'playwright-core';
import { DESK } from './welcome.ts';

const WAIT_MILLISECONDS = 120_000;
/** Where a reader chooses an example. */
const PICKER = 'example-picker';

/**
 * What "Test Request" fills in where a call writes: whether it names a record that is there, first and by choice, and
 * what the next operation has after that choice.
 */
export async function filledIn(browser: Browser, baseUrl: string) {
  const page = await browser.newPage({ viewport: DESK });
  page.setDefaultTimeout(WAIT_MILLISECONDS);
  const buttonOf = (operation: string) =>
    page.getByRole('button', { name: new RegExp(`Test Request.*/api/${operation}\\b`) });
  const bodyOf = async (operation: string): Promise<string> => {
    await buttonOf(operation).click();
    const body = page.getByRole('dialog').locator('.cm-content').last();
    await body.waitFor();
    const text = await body.innerText();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    return text.replaceAll(/\s/g, '');
  };
  try {
    await page.goto(`${baseUrl}/docs`);
    await page.locator('aside a', { hasText: 'Add a note' }).click();
    const names = async () => (await bodyOf('contacts/addnote')).includes('"ContactId":1,');
    const first = await names();
    const sample = buttonOf('contacts/addnote').locator(`xpath=ancestor::*[.//*[@data-testid="${PICKER}"]][1]`);
    await sample.getByTestId(PICKER).click();
    await page.getByRole('option', { name: 'Of the demo company' }).click();
    const chosen = await names();
    return { first, chosen, next: await bodyOf('contacts/addupdate') };
  } finally {
    await page.close();
  }
}
