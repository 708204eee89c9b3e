/** Milliseconds between two lines of progress where a terminal does not overwrite one. */
const LINE_INTERVAL = 5_000;
const SCREEN_INTERVAL = 100;

/** `3,200 of 10,000 (32 %), 410 a second, 17 s left` on standard error, so that standard output stays the answer. */
export function showProgress(now = Date.now): { tell: (done: number, of: number) => void; end: () => void } {
  const began = now();
  const screen = process.stderr.isTTY === true;
  let last = began;
  let shown = false;
  const number = (value: number) => Math.round(value).toLocaleString('en-US');
  const write = (text: string) => process.stderr.write(screen ? `\r\u{1B}[K${text}` : `${text}\n`);
  return {
    tell(done, of) {
      if (now() - last < (screen ? SCREEN_INTERVAL : LINE_INTERVAL) && (done < of || !shown)) return;
      last = now();
      shown = true;
      const rate = (done / Math.max(1, now() - began)) * 1_000;
      const percent = Math.floor((done / Math.max(1, of)) * 100);
      const left = number((of - done) / Math.max(rate, 0.001));
      write(`${number(done)} of ${number(of)} (${percent} %), ${number(rate)} a second, ${left} s left`);
    },
    end() {
      if (screen && shown) process.stderr.write('\r\u{1B}[K');
    },
  };
}
