/**
 * Enhancements of the pages, which work without them: updates a choice at once, and lets a client draw a signature. A
 * module, so it runs once the page is parsed.
 */
export const script = `
// Another choice of options shows its price at once: the server renders it, as it does for the button.
let asked = 0;
function showChoices() {
  for (const form of document.querySelectorAll('form[data-live]')) {
    form.querySelector('button')?.setAttribute('hidden', '');
    form.addEventListener('change', async () => {
      const focused = document.activeElement?.getAttribute('value');
      const url = form.action.split('?')[0] + '?' + new URLSearchParams(new FormData(form));
      const turn = ++asked;
      try {
        const answer = await fetch(url);
        const shown = new DOMParser().parseFromString(await answer.text(), 'text/html');
        // The last choice counts, and what was typed stays.
        if (turn !== asked) return;
        const typed = [...document.querySelectorAll('#name, #phone')].map(({ id, value }) => [id, value]);
        document.querySelector('main').replaceWith(shown.querySelector('main'));
        for (const [id, value] of typed) {
          const field = document.getElementById(id);
          if (field) field.value = value;
        }
        document.querySelector('form[data-live] input[value="' + focused + '"]')?.focus();
        enhance();
      } catch {
        form.submit();
      }
    });
  }
}

// A signature is kept as lines, not as pixels: it stays small and sharp.
function letDraw() {
  for (const place of document.querySelectorAll('[data-signature]')) {
    const canvas = document.createElement('canvas');
    const clear = document.createElement('button');
    const field = document.createElement('input');
    canvas.width = 800;
    canvas.height = 288;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', place.dataset.label);
    clear.type = 'button';
    clear.className = 'quiet';
    clear.textContent = place.dataset.clear;
    clear.hidden = true;
    field.type = 'hidden';
    field.name = 'drawing';
    const paint = canvas.getContext('2d');
    let lines = [];
    let line = null;
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * canvas.width;
      const y = ((event.clientY - box.top) / box.height) * canvas.height;
      return [Math.round(x), Math.round(y)];
    };
    const keep = () => {
      const path = lines.map((points) => 'M' + points.map((point) => point.join(' ')).join('L')).join('');
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 288">' +
        '<path d="' + path + '" fill="none" stroke="black" stroke-width="4"/></svg>';
      clear.hidden = !path;
      field.value = path ? 'data:image/svg+xml;base64,' + btoa(svg) : '';
    };
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      line = [at(event)];
      lines.push(line);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!line) return;
      const [from, to] = [line.at(-1), at(event)];
      line.push(to);
      paint.lineWidth = 4;
      paint.lineCap = 'round';
      paint.beginPath();
      paint.moveTo(...from);
      paint.lineTo(...to);
      paint.stroke();
    });
    for (const end of ['pointerup', 'pointercancel'])
      canvas.addEventListener(end, () => {
        if (line?.length === 1) lines.pop();
        line = null;
        keep();
      });
    clear.addEventListener('click', () => {
      lines = [];
      paint.clearRect(0, 0, canvas.width, canvas.height);
      keep();
    });
    place.append(canvas, clear, field);
  }
}

function enhance() {
  showChoices();
  letDraw();
}

enhance();
`;
