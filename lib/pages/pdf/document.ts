import { brotliDecompressSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import type { Company } from '../frame.ts';
import type { Amount } from '../invoice.ts';
import type { Wording } from '../language.ts';
import { brandColors } from '../style.ts';

let fonts: Promise<Record<'regular' | 'bold', Buffer>> | undefined;

/** DejaVu Sans, unpacked on first use (infra/pack/fonts.ts). */
function loadFonts(): Promise<Record<'regular' | 'bold', Buffer>> {
  fonts ??= import('./fonts.json', { with: { type: 'json' } }).then(({ default: packed }) => {
    const unpack = (text: string) => brotliDecompressSync(Buffer.from(text, 'base64'));
    return { regular: unpack(packed.regular), bold: unpack(packed.bold) };
  });
  return fonts;
}

/** Points; A4 and US Letter both have room for it. */
const MARGIN = 50;
const WIDTH = 512;
const BOTTOM = 720;
const LOGO_SIZE: [width: number, height: number] = [150, 48];

interface Heading {
  readonly title: string;
  readonly company: Company;
  /** PNG or JPEG. */
  readonly logo: Buffer | undefined;
}

export interface Column {
  readonly title: string;
  /** Points. The first column takes what the others leave. */
  readonly width: number;
}

/** A document of a company, written from top to bottom. Texts may hold anything; what fonts lack shows as a box. */
export class ClientDocument {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #done: Promise<Buffer>;

  private constructor(pdf: PDFKit.PDFDocument) {
    this.#pdf = pdf;
    const parts: Buffer[] = [];
    this.#done = new Promise((resolve, reject) => {
      pdf.on('data', (part: Buffer) => parts.push(part));
      pdf.on('end', () => resolve(Buffer.concat(parts)));
      pdf.on('error', reject);
    });
  }

  static async open(wording: Wording, { title, company, logo }: Heading): Promise<ClientDocument> {
    const { regular, bold } = await loadFonts();
    const pdf = new PDFDocument({
      size: 'LETTER',
      margin: MARGIN,
      lang: wording.language,
      displayTitle: true,
      tagged: true,
      info: { Title: title, Author: company.name },
      font: regular as unknown as string,
    });
    pdf.registerFont('regular', regular).registerFont('bold', bold);
    const document = new ClientDocument(pdf);
    document.#picture(logo);
    if (company.color) pdf.fillColor(brandColors(company.color).light);
    document.#write(company.name, { size: 14, bold: true });
    pdf.fillColor('black');
    for (const line of [company.address, company.phone, company.email]) if (line) document.text(line);
    document.space().space();
    document.#write(title, { size: 20, bold: true });
    pdf.moveDown(0.3);
    return document;
  }

  #write(text: string, { size = 10, bold = false } = {}): void {
    this.#pdf
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .text(printable(text), MARGIN, this.#pdf.y, { width: WIDTH });
  }

  /** A logo that the library cannot draw, like an interlaced PNG, is left out: the name of the company follows it. */
  #picture(logo: Buffer | undefined): void {
    if (!logo) return;
    try {
      this.#pdf.image(logo, MARGIN, this.#pdf.y, { fit: LOGO_SIZE });
      this.#pdf.y += LOGO_SIZE[1] + 8;
    } catch {
      // Drawn without it.
    }
  }

  text(text: string): this {
    this.#write(text);
    return this;
  }

  heading(text: string): this {
    this.space();
    this.#write(text, { size: 12, bold: true });
    this.#pdf.moveDown(0.3);
    return this;
  }

  /** What the reader looks for first. */
  lead(text: string): this {
    this.space();
    this.#write(text, { size: 15, bold: true });
    return this;
  }

  space(): this {
    this.#pdf.moveDown(0.8);
    return this;
  }

  /** A row of cells: the first is written from the left, the others from the right. */
  row(cells: readonly string[], widths: readonly number[], { bold = false, left = MARGIN } = {}): this {
    const pdf = this.#pdf;
    pdf.font(bold ? 'bold' : 'regular').fontSize(10);
    const others = widths.slice(1).reduce((sum, width) => sum + width, 0);
    const columns = [MARGIN + WIDTH - left - others, ...widths.slice(1)];
    const heights = cells.map((cell, index) =>
      pdf.heightOfString(printable(cell), { width: (columns[index] ?? 0) - CELL_GAP }),
    );
    const height = Math.max(...heights);
    if (pdf.y + height > BOTTOM && height < BOTTOM - MARGIN) pdf.addPage();
    const top = pdf.y;
    let x = left;
    for (const [index, cell] of cells.entries()) {
      const width = columns[index] ?? 0;
      const align = index ? 'right' : 'left';
      if (index) pdf.text(printable(cell), x, top, { width, align });
      else pdf.text(printable(cell), x, top, { width: width - CELL_GAP, align });
      x += width;
    }
    pdf.x = MARGIN;
    pdf.y = Math.max(top + height, pdf.y) + ROW_GAP;
    this.#rule(left);
    return this;
  }

  /** A thin line below a row, which is no content for those who hear the document. */
  #rule(left: number): void {
    const pdf = this.#pdf;
    pdf.markContent('Artifact', { type: 'Layout' });
    pdf
      .moveTo(left, pdf.y)
      .lineTo(MARGIN + WIDTH, pdf.y)
      .lineWidth(0.5)
      .strokeColor('#c9ced4')
      .stroke();
    pdf.endMarkedContent();
    pdf.y += ROW_GAP;
  }

  table(columns: readonly Column[], rows: readonly (readonly string[])[]): this {
    const widths = columns.map(({ width }) => width);
    this.row(
      columns.map(({ title }) => title),
      widths,
      { bold: true },
    );
    for (const row of rows) this.row(row, widths);
    return this;
  }

  amounts(amounts: readonly Amount[]): this {
    for (const { label, amount, isSum: bold = false } of amounts)
      this.row([label, amount], [0, AMOUNT_WIDTH], { bold, left: AMOUNTS_LEFT });
    return this;
  }

  end(): Promise<Buffer> {
    this.#pdf.end();
    return this.#done;
  }
}

const CELL_GAP = 8;
const ROW_GAP = 5;
const AMOUNT_WIDTH = 130;
/** Totals stand in the right half. */
const AMOUNTS_LEFT = MARGIN + 200;

const ZERO_WIDTH_SPACE = '\u200b';

/** More letters than a line holds. Layout would measure a longer word once more for each of its lines. */
const LONG_WORD = /[^ \n]{100}(?=[^ \n])/gu;

/**
 * Text without control characters, which fonts cannot show, with breaks in words that no line holds, and with one empty
 * line at most between others.
 */
const printable = (text: string): string =>
  text
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .replaceAll(LONG_WORD, `$&${ZERO_WIDTH_SPACE}`)
    .split('\n')
    .filter((line, index, lines) => line.trim() || lines[index - 1]?.trim())
    .join('\n');
