/**
 * The part of the script that moves visits on the board, where the screen is wide enough for one. It knows rows and
 * quarters of an hour alone: the server says what a drop would change, asks whether to do it, and does it.
 */
export const dragScript = `
// A visit follows the pointer to another time or technician; a dialog asks whether it is moved.
const NEAR = 6;
const board = document.querySelector('.board');

/** While a visit is dragged, rows keep their height: no other row moves under the pointer. */
function keepRows(isKept) {
  const lists = [...board.querySelectorAll('.visits')];
  const heights = lists.map(({ offsetHeight }) => (isKept ? offsetHeight + 'px' : ''));
  for (const [index, list] of lists.entries()) list.style.minHeight = heights[index];
}

/** The number in a class of a visit: the column at which it begins (at-5) or its length (span-4), in quarters. */
const numberIn = (item, name) => Number(new RegExp(' ' + name + '-([0-9]+)').exec(item.className)[1]);
const columnOf = (item) => numberIn(item, 'at');

const two = (number) => String(number).padStart(2, '0');
const clock = (minutes) => two(Math.floor(minutes / 60)) + ':' + two(minutes % 60);

/** Shows a visit in the row and at the column under the pointer. */
function show(item, { clientX, clientY }, grip) {
  const row = document.elementsFromPoint(clientX, clientY).find((each) => each.matches('.agent'));
  if (!row) return;
  const list = row.querySelector('.visits');
  const { left, width } = list.getBoundingClientRect();
  const { quarters } = board.dataset;
  const last = quarters - numberIn(item, 'span') + 1;
  const column = Math.max(1, Math.min(last, Math.round(((clientX - grip - left) / width) * quarters) + 1));
  item.className = item.className.replace(/\\bat-\\d+/, 'at-' + column);
  item.style.left = ((column - 1) / quarters) * 100 + '%';
  item.style.width = (numberIn(item, 'span') / quarters) * 100 + '%';
  if (item.parentElement !== list) list.append(item);
}

/** The click at the end of a drag opens no link. */
function stay() {
  const prevent = (event) => event.preventDefault();
  document.addEventListener('click', prevent, { capture: true, once: true });
  setTimeout(() => document.removeEventListener('click', prevent, { capture: true }));
}

function drag(item, down) {
  const home = { list: item.parentElement, next: item.nextSibling, className: item.className, column: columnOf(item) };
  const grip = down.clientX - item.getBoundingClientRect().left;
  const listening = new AbortController();
  const on = (name, listener) => document.addEventListener(name, listener, { signal: listening.signal });
  let isDragged = false;
  const putBack = () => {
    item.className = home.className;
    home.list.insertBefore(item, home.next);
  };
  const end = () => {
    listening.abort();
    item.classList.remove('dragged');
    item.removeAttribute('style');
    document.body.classList.remove('dragging');
    keepRows(false);
  };
  on('pointermove', (event) => {
    if (!isDragged && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < NEAR) return;
    if (!isDragged) keepRows(true);
    isDragged = true;
    item.classList.add('dragged');
    document.body.classList.add('dragging');
    show(item, event, grip);
  });
  on('pointerup', (event) => {
    if (isDragged) show(item, event, grip);
    end();
    if (!isDragged) return;
    stay();
    const column = columnOf(item);
    if (column === home.column && item.parentElement === home.list) return putBack();
    const time = column === home.column ? item.dataset.time : clock(board.dataset.first * 60 + (column - 1) * 15);
    ask(item, time, putBack);
  });
  const giveUp = () => {
    end();
    putBack();
    document.addEventListener('pointerup', stay, { once: true });
  };
  on('pointercancel', giveUp);
  on('keydown', ({ key }) => key === 'Escape' && giveUp());
}

/** Asks with the old and the new time whether a visit is moved; Enter does it, Escape puts the visit back. */
async function ask(item, time, putBack) {
  const { agent } = item.closest('.agent').dataset;
  const asked = new URLSearchParams({ date: board.dataset.date, time, agent });
  const path = '/office/move/' + item.dataset.visit + '?' + asked;
  try {
    const answer = await fetch(path);
    const shown = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('moving');
    // An ended session or a failure: the whole page says what is wrong.
    if (!shown || !answer.ok) return location.assign(path);
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-labelledby', 'moving-title');
    dialog.append(shown);
    document.body.append(dialog);
    dialog.addEventListener('close', () => {
      dialog.remove();
      putBack();
      item.querySelector('a').focus();
    });
    dialog.querySelector('a').addEventListener('click', (event) => {
      event.preventDefault();
      dialog.close();
    });
    dialog.showModal();
  } catch {
    putBack();
  }
}

for (const item of document.querySelectorAll('.board [data-visit]:not([data-visit=""])')) {
  item.addEventListener('dragstart', (event) => event.preventDefault());
  item.addEventListener('pointerdown', (event) => {
    const isBoard = getComputedStyle(item.parentElement).display === 'grid';
    if (isBoard && event.button === 0 && event.pointerType !== 'touch') drag(item, event);
  });
}
`;
