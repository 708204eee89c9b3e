import { KINDS, type Kind } from './column-list.ts';

/** Guesses from its header what a column can become. A person reviews the guess before it is used. */

type Guess = readonly [field: string, header: RegExp];

const CLIENT: readonly Guess[] = [
  ['client.id', /^(customer|client|account|contact) ?(id|no|number|#|nr)\.?$/],
  ['client.email', /e-?mail/],
  ['client.phone', /phone|mobile|\bcell\b/],
  ['client.street', /street|address/],
  ['client.name', /^(full |display )?name$|customer|client/],
];

const GUESSES: Readonly<Record<Kind, readonly Guess[]>> = {
  contacts: [
    ['id', /^(customer |client |account |contact )?(id|no|number|#|nr)\.?$/],
    ['DoNotText', /do not (text|sms)/],
    ['DoNotEmail', /do not e-?mail/],
    ['Unsubscribed', /unsubscribed|opt(ed)?[ -]?out/],
    ['EmailConsent', /^(?=.*e-?mail).*(consent|opt|allowed)/],
    ['TextConsent', /^(?=.*(sms|text)).*(consent|opt|allowed)/],
    ['Email', /e-?mail/],
    ['Phone', /phone|mobile|\bcell\b|\btel\b/],
    ['Property.Address2', /(service|property|site|job) .*(2$|unit|suite)/],
    ['Property.Address1', /(service|property|site|job) .*(street|address)/],
    ['Property.City', /(service|property|site|job) .*(city|town)/],
    ['Property.State', /(service|property|site|job) .*(state|province)/],
    ['Property.Zip', /(service|property|site|job) .*(zip|post)/],
    ['Address2', /^(?=.*(street|address)).*2$|^(unit|suite|apt|apartment)\b/],
    ['Zip', /\bzip\b|zipcode|post(al)? ?code/],
    ['City', /\b(city|town)\b/],
    ['State', /\b(state|province|region)\b/],
    ['Country', /country/],
    ['Address1', /street|address/],
    ['Company', /company|business|organi[sz]ation/],
    ['Nickname', /nickname/],
    ['Name', /^(full |customer |client |contact |display )?name$|^(first|last|sur|family|given) ?name$/],
    ['Tags', /\b(tags?|labels?|groups?)\b/],
    ['Language', /\b(language|idioma)\b/],
    ['LeadSource', /\bsource\b/],
    ['Category', /^(category|(customer |client )?type)$/],
  ],
  visits: [
    ['id', /^(job|visit|appointment|booking|work order) ?(id|no|number|#|nr)\.?$/],
    ['start', /start/],
    ['end', /\bend\b|finish/],
    ['completed', /complete|status/],
    ['date', /\b(date|day)\b/],
    ['times', /\btimes?\b/],
    ['hours', /hours|duration/],
    ['agent', /assigned|technician|employee|agent|crew/],
    ['service', /service$|line items/],
    ['title', /title|description|job name|^work$/],
    ['total', /total|amount|price/],
    ...CLIENT,
  ],
  invoices: [
    ['number', /^(invoice|bill)? ?(no|number|#|nr|id)\.?$/],
    ['paidOn', /(paid|payment) (date|on)|date paid/],
    ['balance', /balance|amount due|outstanding|\bopen\b/],
    ['tax', /\btax\b/],
    ['date', /^(issued?|created?|invoice)? ?(date|on)$/],
    ['total', /total|amount/],
    ['status', /status/],
    ['subject', /subject|description/],
    ...CLIENT,
  ],
  estimates: [
    ['number', /^(estimate|quote|proposal)? ?(no|number|#|nr|id)\.?$/],
    ['subtotal', /sub-?total|^total$|^amount$/],
    ['discount', /discount/],
    ['tax', /\btax\b/],
    ['date', /date|created/],
    ['status', /status/],
    ['description', /description|title|subject/],
    ...CLIENT,
  ],
};

/** Fields that only one column should become. */
const ONCE = new Set(['id', 'date', 'number', 'total', 'balance', 'subtotal', 'Address1', 'Zip', 'City', 'State']);

/** Lower-case words, separated by spaces: `Customer_No.` is `customer no.`. */
const words = (header: string): string =>
  header
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replaceAll(/[\s_/()$:]+/g, ' ')
    .trim();

export function suggestKind(headers: readonly string[]): Kind {
  const all = headers.map(words).join('\n');
  const has = (pattern: RegExp) => pattern.test(all);
  if (has(/^(estimate|quote|proposal)\b/m)) return 'estimates';
  const owes = has(/balance|amount due|outstanding|\bopen\b/) && has(/total|amount/);
  if (owes || has(/^(invoice|bill) ?(no|number|#|date|amount|id)/m)) return 'invoices';
  return has(/^(job|visit|appointment|booking)\b/m) ||
    (has(/^(date|day|start)/m) && has(/assigned|technician|times?\b/))
    ? 'visits'
    : KINDS[0];
}

/** What each column can become; `note` if nothing is known, so that nothing is lost. */
export function suggestColumns(kind: Kind, headers: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const used = new Set<string>();
  for (const header of headers) {
    if (!header || found.has(header)) continue;
    const guess =
      GUESSES[kind].find(([field, pattern]) => !used.has(field) && pattern.test(words(header)))?.[0] ?? 'note';
    if (ONCE.has(guess)) used.add(guess);
    found.set(header, guess);
  }
  return found;
}
