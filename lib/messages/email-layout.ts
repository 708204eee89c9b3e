import { type Content, type Html, html, paragraphs, webAddress } from '../pages/html.ts';
import { brandColors } from '../pages/style.ts';
import type { MessageView } from './view.ts';
import type { Words } from './words.ts';

/**
 * One column, for programs that show few styles: those of the light scheme stand at each element, and programs that
 * know the dark scheme take its colors from the style sheet. Nothing is loaded but the logo.
 */

/** What an e-mail shows. */
export interface EmailParts {
  readonly title: string;
  /** Paragraphs with empty lines between them. */
  readonly body: string;
  /** Each with a label; empty values are left out. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** The visits of a series, each with its page. */
  readonly visits: readonly { readonly text: string; readonly link: string }[];
  readonly button: { readonly text: string; readonly link: string } | undefined;
}

const DEFAULT_COLOR = '#0b5cad';

const LIGHT = { text: '#1a1d21', soft: '#565d66', line: '#d9dde2', ground: '#f4f5f7', card: '#ffffff' } as const;
const DARK = { text: '#e9ecef', soft: '#a8b0b9', line: '#3a4149', ground: '#15181b', card: '#1f2327' } as const;

const darkStyle = (brand: string): string => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
.ground { background: ${DARK.ground} !important; }
.card { background: ${DARK.card} !important; border-color: ${DARK.line} !important; }
.text { color: ${DARK.text} !important; }
.soft { color: ${DARK.soft} !important; }
.link { color: ${brand} !important; }
.button { background: ${brand} !important; color: #0d1b2a !important; }
}
`;

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const link = (address: string, text: Content, color: string): Content =>
  html`<a class="link" href="${address}" style="color:${color}">${text}</a>`;

const lines = (text: string): Content => text.split('\n').map((line, index) => (index ? [html`<br />`, line] : line));

const factRows = (facts: EmailParts['facts']): Content =>
  facts.map(
    ([label, value]) =>
      value &&
      html`<p style="margin:0 0 12px">
        <span class="soft" style="color:${LIGHT.soft};font-size:14px">${label}</span><br />
        <strong>${lines(value)}</strong>
      </p>`,
  );

const visitList = (visits: EmailParts['visits'], color: string): Content =>
  visits.length > 0 &&
  html`<ul style="margin:0 0 12px;padding:0 0 0 20px">
    ${visits.map(
      ({ text, link: address }) =>
        html`<li style="margin:0 0 8px">${webAddress(address) ? link(address, text, color) : text}</li>`,
    )}
  </ul>`;

const BUTTON =
  'display:inline-block;padding:12px 22px;border-radius:6px;color:#ffffff;font-weight:600;text-decoration:none';

const button = (shown: EmailParts['button'], color: string): Content =>
  shown &&
  webAddress(shown.link) &&
  html`<p style="margin:20px 0 4px">
    <a class="button" href="${shown.link}" style="${BUTTON};background:${color}">${shown.text}</a>
  </p>`;

function footer({ company, preferencesLink }: MessageView, { wording }: Words, color: string): Html {
  const number = company.phone.replaceAll(/[^\d+]/g, '');
  return html`<div class="soft" style="padding:16px 4px;color:${LIGHT.soft};font-size:14px">
    <p style="margin:0 0 4px">${company.name}</p>
    ${company.address && html`<p style="margin:0 0 4px">${company.address}</p>`}
    ${company.phone && html`<p style="margin:0 0 4px">${link(`tel:${number}`, company.phone, color)}</p>`}
    ${
      webAddress(preferencesLink) &&
      html`<p style="margin:0">${link(preferencesLink, wording.text('changePreferences'), color)}</p>`
    }
  </div>`;
}

const PAGE =
  `max-width:560px;margin:0 auto;padding:16px 12px;background:${LIGHT.ground};color:${LIGHT.text};${FONT};` +
  'font-size:16px;line-height:1.5;overflow-wrap:anywhere';

/** The e-mail for programs that show HTML. */
export function emailHtml(view: MessageView, parts: EmailParts, words: Words): string {
  const { company, language } = view;
  const { light, dark } = brandColors(company.color || DEFAULT_COLOR);
  const logo = webAddress(company.logo);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${parts.title}</title>
        <style>
          ${darkStyle(dark)}
        </style>
      </head>
      <body class="ground" style="margin:0;padding:0;background:${LIGHT.ground}">
        <div class="ground text" style="${PAGE}">
          <p style="margin:0 0 12px;font-weight:600">
            ${
              logo &&
              html`<img
                src="${logo}"
                alt=""
                height="40"
                style="height:40px;max-width:160px;vertical-align:middle;border:0"
              />`
            }
            ${company.name}
          </p>
          <div
            class="card"
            style="padding:20px;background:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:10px"
          >
            <h1 style="margin:0 0 12px;font-size:22px;line-height:1.3">${parts.title}</h1>
            ${paragraphs(parts.body)} ${visitList(parts.visits, light)} ${factRows(parts.facts)}
            ${button(parts.button, light)}
          </div>
          ${footer(view, words, light)}
        </div>
      </body>
    </html>`.text
    .replaceAll(/\n\s+/g, '\n')
    .trim();
}

/** The same for programs that show plain text. */
export function emailText({ company, preferencesLink }: MessageView, parts: EmailParts, { wording }: Words): string {
  const { title, body, facts, visits, button } = parts;
  const sections = [
    title,
    body.trim(),
    visits.map((visit) => `- ${visit.text}\n  ${visit.link}`).join('\n'),
    facts
      .map(([label, value]) => value && `${label}: ${value.replaceAll('\n', '\n  ')}`)
      .filter(Boolean)
      .join('\n'),
    button ? `${button.text}:\n${button.link}` : '',
    // The usual mark of a signature (RFC 3676, 4.3).
    ['-- ', company.name, company.address, company.phone].filter(Boolean).join('\n'),
    preferencesLink && `${wording.text('changePreferences')}:\n${preferencesLink}`,
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}
