import { Parser } from 'htmlparser2';
import { en } from '../../lib/pages/texts/en.ts';
import { es } from '../../lib/pages/texts/es.ts';

/** Sentences that say whom to call or what happens next, where a page can lead nowhere. */
const SENTENCES = (['deadText', 'paidDeadText', 'paymentProcessingText', 'contactUsByName'] as const).flatMap((name) =>
  [en[name], es[name]].map((text) => text.split('{', 1)[0] ?? ''),
);

/** Maps and files lead nowhere; the paper of what is done is what remains to be taken. */
const ASIDE = /^https:\/\/www\.openstreetmap\.org|\.ics\b|\/pdf\b/;
const PAPER = /\/pdf\b/;

/** Why a page is a dead end: no heading, or no way on inside its content; `undefined` where it is none. */
export function deadEnd(html: string): string | undefined {
  const [open, headings, links]: [string[], string[], string[]] = [[], [], []];
  let [text, hasButton, isDone] = ['', false, false];
  const parser = new Parser({
    onopentag(name, { href, class: style = '' }) {
      open.push(name);
      if (!open.includes('main')) return;
      if (name === 'h1') headings.push('');
      if (name === 'a' && href !== undefined) links.push(href);
      hasButton ||= name === 'button' && open.includes('form');
      isDone ||= style === 'notice good';
    },
    onclosetag: () => void open.pop(),
    ontext(part) {
      if (open.includes('h1')) headings[headings.length - 1] += part;
      if (open.includes('main')) text += part;
    },
  });
  parser.end(html);
  const said = text.replaceAll(/\s+/g, ' ');
  if (headings.length !== 1 || !headings[0]?.trim()) return `has the headings ${JSON.stringify(headings)}`;
  const leads = hasButton || links.some((link) => !ASIDE.test(link) || (isDone && PAPER.test(link)));
  if (leads || SENTENCES.some((sentence) => said.includes(sentence))) return undefined;
  return 'has no link, no form and no sentence that says how to go on';
}
