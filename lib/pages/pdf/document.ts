import PDFDocument from 'pdfkit';
import type { Company } from '../frame.ts';
import type { Amount } from '../invoice.ts';
import type { Wording } from '../language.ts';
import { brandColors } from '../style.ts';
import { loadFaces } from './fonts.ts';
import { type Style, Typesetter } from './typesetter.ts';

/** A finished document. */
export interface ClientPdf {
  readonly content: Buffer;
  /** Letters that no font has and a box replaces. */
  readonly missing: readonly string[];
}

/** In points; fits both A4 and US Letter. */
const MARGIN = 50;
const WIDTH = 512;
const BOTTOM = 720;
const LOGO_SIZE: [width: number, height: number] = [150, 48];

interface Heading {
  readonly title: string;
  /** The date of the record shown: the same record has the same bytes, whenever its document is made. */
  readonly date: Date;
  readonly company: Company;
  /** PNG or JPEG. */
  readonly logo: Buffer | undefined;
}

export interface Column {
  readonly title: string;
  /** In points. The first column takes what the others leave. */
  readonly width: number;
}

/**
 * A document of a company, written from top to bottom. Texts may hold anything: a box replaces letters that no font
 * has.
 */
export class ClientDocument {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #typesetter: Typesetter;
  readonly #done: Promise<Buffer>;

  private constructor(pdf: PDFKit.PDFDocument, typesetter: Typesetter) {
    this.#pdf = pdf;
    this.#typesetter = typesetter;
    const parts: Buffer[] = [];
    this.#done = new Promise((resolve, reject) => {
      pdf.on('data', (part: Buffer) => parts.push(part));
      pdf.on('end', () => resolve(Buffer.concat(parts)));
      pdf.on('error', reject);
    });
  }

  static async open(wording: Wording, { title, date, company, logo }: Heading): Promise<ClientDocument> {
    const faces = await loadFaces();
    const pdf = new PDFDocument({
      size: 'LETTER',
      margin: MARGIN,
      lang: wording.language,
      displayTitle: true,
      tagged: true,
      info: { Title: title, Author: company.name, CreationDate: date },
      // No default font: each text names its own.
      font: null as unknown as string,
    });
    const document = new ClientDocument(pdf, new Typesetter(pdf, faces));
    document.#picture(logo);
    if (company.color) pdf.fillColor(brandColors(company.color).light);
    document.#write(company.name, { size: 14, bold: true });
    pdf.fillColor('black');
    for (const line of [company.address, company.phone, company.email]) if (line) document.text(line);
    document.space().space();
    document.#write(title, { size: 20, bold: true });
    document.#skip(6);
    return document;
  }

  #write(text: string, style: Style = TEXT): void {
    this.#drawLines([{ lines: this.#typesetter.lines(printable(text), WIDTH, style), x: MARGIN }], style);
  }

  /** Draws columns side by side, one after the other in reading order, if they fit on the page. */
  #drawLines(columns: readonly DrawnColumn[], style: Style): void {
    const heightOf = (lines: readonly string[]): number => Typesetter.height(lines, style);
    const height = Math.max(...columns.map(({ lines }) => heightOf(lines)));
    const { y } = this.#pdf;
    if (y + height > BOTTOM) {
      this.#drawOverPages(columns, style);
      return;
    }
    for (const { lines, ...at } of columns) {
      let top = y;
      for (const line of lines) {
        this.#typesetter.draw(line, { ...at, y: top }, style);
        top += heightOf([line]);
      }
    }
    this.#pdf.y = y + height;
  }

  /** Draws columns line by line, so that each continues on the next page. */
  #drawOverPages(columns: readonly DrawnColumn[], style: Style): void {
    const count = Math.max(...columns.map(({ lines }) => lines.length));
    for (let index = 0; index < count; index++) {
      const shown = columns.map(({ lines, ...at }) => ({ line: lines[index] ?? '', at }));
      const height = Math.max(...shown.map(({ line }) => Typesetter.height([line], style)));
      if (this.#pdf.y + height > BOTTOM) this.#pdf.addPage();
      const { y } = this.#pdf;
      for (const { line, at } of shown) this.#typesetter.draw(line, { ...at, y }, style);
      this.#pdf.y = y + height;
    }
  }

  /** A logo that the library cannot draw, like an interlaced PNG, is left out: the company's name follows anyway. */
  #picture(logo: Buffer | undefined): void {
    if (!logo) return;
    try {
      this.#pdf.image(logo, MARGIN, this.#pdf.y, { fit: LOGO_SIZE });
      this.#pdf.y += LOGO_SIZE[1] + 8;
    } catch {
      // The document is made without it.
    }
  }

  text(text: string): this {
    this.#write(text);
    return this;
  }

  /** A heading, kept on the same page as the first lines that follow it. */
  heading(text: string): this {
    if (this.#pdf.y + KEPT_WITH_HEADING > BOTTOM) this.#pdf.addPage();
    this.space();
    this.#write(text, { size: 12, bold: true });
    return this.#skip(4);
  }

  /** A heading with texts, kept on one page if they fit. */
  section(title: string, texts: readonly string[]): this {
    const lines = texts.flatMap((text) => this.#typesetter.lines(printable(text), WIDTH, TEXT));
    const height = KEPT_WITH_HEADING + Typesetter.height(lines, TEXT);
    if (this.#pdf.y + height > BOTTOM && height < BOTTOM - MARGIN) this.#pdf.addPage();
    this.heading(title);
    for (const text of texts) this.text(text);
    return this;
  }

  /** The text that the reader looks for first. */
  lead(text: string): this {
    this.space();
    this.#write(text, { size: 15, bold: true });
    return this;
  }

  space(): this {
    return this.#skip(9);
  }

  #skip(points: number): this {
    this.#pdf.y += points;
    return this;
  }

  /** A row of cells: the first is left-aligned, the others are right-aligned in their columns. */
  row(cells: readonly string[], widths: readonly number[], { bold = false, left = MARGIN } = {}): this {
    const style = { ...TEXT, bold };
    const others = widths.slice(1).reduce((sum, width) => sum + width, 0);
    let right = MARGIN + WIDTH - others;
    const columns = cells.map((cell, index) => {
      const width = index ? (widths[index] ?? 0) : right - left;
      if (index) right += width;
      const lines = this.#typesetter.lines(printable(cell), width - CELL_GAP, style);
      return index ? { lines, right } : { lines, x: left };
    });
    const height = Math.max(...columns.map(({ lines }) => Typesetter.height(lines, style)));
    if (this.#pdf.y + height > BOTTOM && height < BOTTOM - MARGIN) this.#pdf.addPage();
    this.#drawLines(columns, style);
    this.#skip(ROW_GAP);
    this.#rule(left);
    return this;
  }

  /** A thin line below a row, hidden from screen readers. */
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

  /** The bytes, and the letters that no font has. */
  async end(): Promise<ClientPdf> {
    this.#pdf.end();
    return { content: await this.#done, missing: [...this.#typesetter.missing] };
  }
}

/** The height in points of a heading with two table rows, or a few lines. */
const KEPT_WITH_HEADING = 90;
const CELL_GAP = 8;
const ROW_GAP = 5;
const AMOUNT_WIDTH = 130;
/** Totals are in the right half. */
const AMOUNTS_LEFT = MARGIN + 200;

const TEXT: Style = { size: 10, bold: false };

interface DrawnColumn {
  readonly lines: readonly string[];
  readonly x?: number;
  readonly right?: number;
}

/** Removes control characters, which fonts cannot show, and all but one of several empty lines. */
const printable = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .split('\n')
    .filter((line, index, lines) => line.trim() || lines[index - 1]?.trim())
    .join('\n');
