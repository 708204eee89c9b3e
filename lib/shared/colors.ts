/** Red, green and blue, 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

const HEX = /^#?([0-9a-f]{6})$/i;

/** A color as `#0b5cad`, in lower case; `undefined` for any other text. */
export function parseColor(text: string): string | undefined {
  const [, digits] = HEX.exec(text.trim()) ?? [];
  return digits && `#${digits.toLowerCase()}`;
}

const toRgb = (color: string): Rgb => {
  const number = Number.parseInt(color.slice(1), 16);
  return [number >> 16, (number >> 8) & 0xff, number & 0xff];
};

const mapRgb = ([red, green, blue]: Rgb, change: (part: number, index: number) => number): Rgb => [
  change(red, 0),
  change(green, 1),
  change(blue, 2),
];

const toColor = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** Relative luminance, 0 to 1 (WCAG 2.2). */
function luminance(color: string): number {
  const [red, green, blue] = mapRgb(toRgb(color), (part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** 1 to 21 (WCAG 2.2); text needs 4.5. Worked: white on #0b5cad is 6.7. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const ENOUGH = 4.5;
const STEPS = 50;

/** The color nearest to `color` on the way to `end` (white or black) that is readable on a ground. */
export function readableOn(ground: string, color: string, end: '#ffffff' | '#000000'): string {
  const [from, to] = [toRgb(color), toRgb(end)];
  const mixed = Array.from({ length: STEPS + 1 }, (_, step) =>
    toColor(mapRgb(from, (part, index) => part + (((to[index] ?? 0) - part) * step) / STEPS)),
  );
  return mixed.find((each) => contrastOf(each, ground) >= ENOUGH) ?? end;
}
