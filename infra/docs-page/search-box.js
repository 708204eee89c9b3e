import { searcher } from '../../lib/shared/text/search.ts';
import { FOUND, searchEntries } from './search.ts';

const { document, location } = globalThis;

/** The search field above the page, with the links that it finds. */
export function startSearch(guides, content) {
  const field = document.querySelector('#search');
  const results = document.querySelector('#found');
  let find;
  const show = () => {
    // Created on the first search, because most readers do not search.
    find ??= searcher(searchEntries(guides, content), FOUND);
    const found = find(field.value);
    const links = found.map(({ title, place, href }) => {
      const link = document.createElement('a');
      const where = document.createElement('small');
      where.textContent = place;
      link.href = href;
      link.append(title, where);
      return link;
    });
    const isEmpty = field.value.trim() !== '' && !found.length;
    results.replaceChildren(...(isEmpty ? ['Nothing has these words.'] : links));
    results.hidden = field.value.trim() === '';
  };
  const hide = () => {
    results.hidden = true;
  };
  field.addEventListener('input', show);
  field.addEventListener('focus', show);
  results.addEventListener('click', hide);
  field.form.addEventListener('submit', (event) => {
    event.preventDefault();
    const first = results.querySelector('a');
    if (!first) return;
    location.hash = first.getAttribute('href');
    hide();
  });
  document.addEventListener('click', ({ target }) => field.form.contains(target) || hide());
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
    if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      field.focus();
    }
  });
}
