import { createHash } from 'node:crypto';
import { dragScript } from './drag-script.ts';

/** Enhancements of the office, whose pages work without them. A module, so it runs once the page is parsed. */
const content = `
// A search answers while somebody types: the server renders the same page, of which the results are shown.
const PAUSE = 200;
for (const form of document.querySelectorAll('form[data-live]')) {
  let waiting;
  let running = new AbortController();
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    running.abort();
    running = new AbortController();
    const { signal } = running;
    waiting = setTimeout(async () => {
      const asked = new URLSearchParams(new FormData(form));
      const path = form.getAttribute('action') + '?' + asked;
      try {
        const answer = await fetch(path + '&live=1', { signal });
        const shown = new DOMParser().parseFromString(await answer.text(), 'text/html');
        const found = shown.getElementById(form.dataset.live);
        // An ended session or a failure: the whole page says what is wrong.
        if (!found || !answer.ok) return location.assign(path);
        document.getElementById(form.dataset.live).replaceWith(found);
        history.replaceState(null, '', path);
      } catch (error) {
        if (error.name !== 'AbortError') form.requestSubmit();
      }
    }, PAUSE);
  });
}
${dragScript}`;
const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);

/** The script of the office, at an address with the hash of its content. */
export const OFFICE_SCRIPT = { path: `/office/assets/${hash}.js`, content } as const;
