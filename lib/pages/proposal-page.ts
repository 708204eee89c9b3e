import { fold } from '../shared/text/text.ts';
import type { PhoneCheck } from '../domain/phone-check.ts';
import type { signedContent } from '../domain/signing/evidence.ts';
import { type Company, type Frame, type Notice, field, form, inLanguage, page } from './frame.ts';
import { type Content, type Html, html, paragraphs } from './html.ts';
import { type Amount, amountList, notesSection, taxAmounts } from './invoice.ts';
import type { Wording } from './language.ts';
import { columns, contactLine, factList } from './layout.ts';
import { phoneDigits, phoneMissing } from './phone-digits.ts';

type SignedContent = ReturnType<typeof signedContent>;

/** How the client chooses among the options of a proposal: exactly one, or any number. */
type Choice = 'one' | 'any';

/**
 * What the client's choice lacks: one of the alternatives, or a required number of options or price. `incomplete`: no
 * choice can meet the requirements.
 */
type Obstacle =
  | { readonly kind: 'choice' | 'incomplete' }
  | { readonly kind: 'options' | 'subtotal'; readonly minimum: number };

/** A proposal as its page shows it: what the client would sign, or has signed. */
export interface ProposalView {
  readonly company: Company;
  readonly contactName: string;
  /** Includes the options that are chosen on the page. */
  readonly content: SignedContent;
  /** SHA-256 of `content`, which proves that what is signed is what was shown. */
  readonly shown: string;
  readonly choice: Choice;
  /** Applies to its total. */
  readonly phoneCheck: PhoneCheck;
  /** Lines that show the price book's description of their part. */
  readonly describedLines: ReadonlySet<number>;
  /** The total of each option alone, by its id. */
  readonly optionTotals: ReadonlyMap<number, number>;
  /** The planned days of the visits that an open subscription has, `YYYY-MM-DD`; empty for one visit. */
  readonly visits: readonly string[];
  readonly zone: string;
  /** Milliseconds since 1970; `null` if it does not expire. */
  readonly expiresAt: number | null;
  readonly state:
    | { readonly kind: 'open'; /** Why it cannot be signed as it is. */ readonly obstacle?: Obstacle | undefined }
    | {
        readonly kind: 'accepted';
        readonly by: string;
        /** The name of the API key with which the office accepted it; `""` if the client signed on the page. */
        readonly byKey: string;
        readonly at: number;
        readonly evidence: string;
        /** The page of the deposit's invoice, and the amount due. */
        readonly deposit:
          | { /** `""` if its links were revoked. */ readonly link: string; readonly due: number }
          | undefined;
      }
    | {
        readonly kind: 'declined' | 'expired';
        /** The page of a newer open proposal for the same service; `undefined` for none. */
        readonly newerLink: string | undefined;
      };
  /** Its parent proposal and its child proposals. */
  readonly family: readonly {
    readonly content: Titled;
    readonly isParent: boolean;
    readonly status: 'open' | 'accepted' | 'declined' | 'expired';
    readonly link: string;
  }[];
  /** Pictures that the company added to the proposal. */
  readonly pictures: readonly {
    readonly id: number;
    /** The company's note; the name of an option puts the picture there. */
    readonly note: string;
    readonly filename: string;
    /** Pixels. */
    readonly width: number;
    readonly height: number;
    /** Too large to be shown on the page: a link opens it. */
    readonly isLarge: boolean;
  }[];
}

/** The fields that the client sent with a refused form. */
export interface RefusedForm {
  readonly values: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
}

const NOTHING_REFUSED: RefusedForm = { values: {}, errors: {} };

export type Titled = Pick<SignedContent, 'Title' | 'ServiceName' | 'ChangeOrderForProposalId'>;

export const proposalTitle = (wording: Wording, { Title, ServiceName, ChangeOrderForProposalId }: Titled): string => {
  const name = Title || ServiceName || wording.text('proposal');
  return ChangeOrderForProposalId === null ? name : `${wording.text('changeOrder')}: ${name}`;
};

/** The page of a proposal. */
export function proposalPage(
  frame: Frame,
  view: ProposalView,
  { refused = NOTHING_REFUSED, notice }: { refused?: RefusedForm; notice?: Notice | undefined } = {},
): string {
  const { wording } = frame;
  const { content, company, contactName, state } = view;
  return page(frame, company, {
    title: proposalTitle(wording, content),
    notices: [notice, stateNotice(wording, view)],
    content: columns({
      first: state.kind === 'open' ? 'about' : 'beside',
      about: [
        factList([
          [wording.text('from'), company.name],
          [wording.text('for'), contactName],
          [wording.text('date'), wording.calendarDate(content.Date)],
          [
            wording.text('validThrough'),
            state.kind === 'open' && view.expiresAt !== null && wording.date(view.expiresAt, view.zone),
          ],
        ]),
        content.Description && html`<div class="lead">${paragraphs(content.Description)}</div>`,
        includedLines(wording, view),
        options(frame, view),
        plannedVisits(wording, view),
        gallery(frame, view),
        notesSection(wording, content.CustomerNotes),
        relatives(wording, view),
        state.kind === 'accepted' &&
          html`<p class="proof">${wording.text('evidence')}: <code>${state.evidence}</code></p>`,
      ],
      beside: [
        nextStep(wording, view),
        html`<section>
          <h2>${wording.text('price')}</h2>
          ${amountList(proposalAmounts(wording, view))}
        </section>`,
        state.kind === 'open' && [signature(frame, view, refused), decline(frame, refused)],
        html`<p class="links">
          <a class="button quiet" href="${inLanguage(frame, '/pdf')}">${wording.text('savedPdf')}</a>
        </p>`,
      ],
    }),
  });
}

/** What the client can do with a proposal that is no longer open. */
function nextStep(wording: Wording, { company, state }: ProposalView): Content {
  if (state.kind === 'open') return undefined;
  if (state.kind === 'accepted') return state.deposit && depositStep(wording, state.deposit);
  const { kind, newerLink } = state;
  if (newerLink === undefined) return contactLine(wording, company);
  // After the client has declined, the newer proposal is only mentioned.
  return html`<p>
    <a ${kind === 'expired' && html`class="button"`} href="${newerLink}">${wording.text('openNewer')}</a>
  </p>`;
}

/** The step after signing: the deposit. */
const depositStep = (wording: Wording, { link, due }: { readonly link: string; readonly due: number }): Html =>
  due > 0
    ? html`<section>
        <h2>${wording.text('nextStep')}</h2>
        <p>${wording.text('depositText', { amount: wording.money(due) })}</p>
        ${
          link
            ? html`<p><a class="button" href="${link}">${wording.text('depositOpen')}</a></p>`
            : html`<p>${wording.text('depositAsk')}</p>`
        }
      </section>`
    : html`<p>
        ${wording.text('depositDone')} ${link && html`<a href="${link}">${wording.text('depositInvoice')}</a>`}
      </p>`;

/** Change orders and bundles; the proposal that this one belongs to comes first. */
function relatives(wording: Wording, { family }: ProposalView): Content {
  const listed = (title: 'partOf' | 'belongsTo', members: ProposalView['family']): Content =>
    members.length > 0 &&
    html`<section>
      <h2>${wording.text(title)}</h2>
      <ul>
        ${members.map(
          ({ content, link, status }) =>
            html`<li>${linked(proposalTitle(wording, content), link)} (${wording.text(STATUS[status])})</li>`,
        )}
      </ul>
    </section>`;
  return [
    listed(
      'partOf',
      family.filter(({ isParent }) => isParent),
    ),
    listed(
      'belongsTo',
      family.filter(({ isParent }) => !isParent),
    ),
  ];
}

const STATUS = {
  open: 'open',
  accepted: 'acceptedTitle',
  declined: 'declinedTitle',
  expired: 'expiredTitle',
} as const satisfies Record<ProposalView['family'][number]['status'], string>;

/** The planned visits that the page lists; a season may have hundreds. */
const LISTED_VISITS = 12;

/** The days of the visits that the client would buy. */
function plannedVisits(wording: Wording, { visits }: ProposalView): Content {
  const last = visits.at(-1);
  if (last === undefined) return undefined;
  const day = (date: string): string => wording.fullDate(Date.parse(`${date}T12:00:00Z`), 'UTC');
  const others = visits.length - LISTED_VISITS;
  return html`<section>
    <h2>${wording.text('plannedVisits')}</h2>
    <ul>
      ${visits.slice(0, LISTED_VISITS).map((date) => html`<li>${day(date)}</li>`)}
    </ul>
    ${others > 0 && html`<p>${wording.text('otherVisits', { count: others, date: day(last) })}</p>`}
  </section>`;
}

type Picture = ProposalView['pictures'][number];

const linked = (title: string, link: string): Content => (link ? html`<a href="${link}">${title}</a>` : title);

/** A picture that opens on its own; one that is too large for the page is only a link. */
function figure(
  { path, wording }: Frame,
  { id, note, filename, width, height, isLarge }: Picture,
  { hasCaption }: { readonly hasCaption: boolean },
): Html {
  const caption = note || filename;
  const address = `${path}/picture-${id}`;
  if (isLarge) return html`<p><a href="${address}">${wording.text('openPicture', { name: caption })}</a></p>`;
  return html`<figure>
    <a href="${address}"
      ><img src="${address}" alt="${caption}" width="${width}" height="${height}" loading="lazy"
    /></a>
    ${hasCaption && note && html`<figcaption>${note}</figcaption>`}
  </figure>`;
}

/** Whether the company's note on a picture names this option. */
const shows =
  (name: string) =>
  ({ note }: Picture): boolean =>
    fold(note.trim()) === fold(name.trim()) && name.trim() !== '';

/** The pictures that belong to no option. */
function gallery(frame: Frame, { content, pictures }: ProposalView): Content {
  const own = pictures.filter((picture) => !content.Options.some(({ Name }) => shows(Name)(picture)));
  return (
    own.length > 0 &&
    html`<section>
      <h2>${frame.wording.text('pictures')}</h2>
      <div class="pictures">${own.map((picture) => figure(frame, picture, { hasCaption: true }))}</div>
    </section>`
  );
}

type Accepted = Extract<ProposalView['state'], { kind: 'accepted' }>;

/** Who accepted a proposal and when, and whether only the office says so. */
export function acceptedText(wording: Wording, { by, byKey, at }: Accepted, zone: string): string {
  const text = wording.text('acceptedText', { name: by, date: wording.date(at, zone) });
  return byKey ? `${text} ${wording.text('acceptedByOffice', { key: byKey })}` : text;
}

function stateNotice(wording: Wording, { state, zone }: ProposalView): Notice | undefined {
  switch (state.kind) {
    case 'open':
      return undefined;
    case 'accepted':
      return { kind: 'good', title: wording.text('acceptedTitle'), text: acceptedText(wording, state, zone) };
    case 'declined':
      return { kind: 'bad', title: wording.text('declinedTitle'), text: wording.text('declinedText') };
    case 'expired': {
      const name = state.newerLink === undefined ? 'expired' : 'replaced';
      return { kind: 'bad', title: wording.text(`${name}Title`), text: wording.text(`${name}Text`) };
    }
  }
}

type Line = SignedContent['Lines'][number];

/** The lines to show: items of an assembly are part of its line. */
export const ownLines = (content: SignedContent, optionId: number | null): Line[] =>
  content.Lines.filter((line) => line.OptionId === optionId && line.AssemblyLineId === null);

export const lineName = ({ LineDescription, Name }: Line): string => LineDescription || Name;

/** The text of a line: the name of its part above the price book's description, else its own text; then its notes. */
const lineText = ({ describedLines }: ProposalView, line: Line): Content => [
  describedLines.has(line.Id)
    ? [html`<b>${line.Name}</b>`, html`<small>${line.LineDescription}</small>`]
    : lineName(line),
  line.Notes && html`<small>${line.Notes}</small>`,
];

const lineRow = (wording: Wording, view: ProposalView, line: Line): Html =>
  html`<tr>
    <td>${lineText(view, line)}</td>
    <td class="number">${wording.quantity(line.Quantity)}</td>
    <td class="number">${lineAmount(wording, line.ExtendedTotal)}</td>
  </tr>`;

/** A line without a price of its own is included in the price of the options. */
export const lineAmount = (wording: Wording, amount: number): string =>
  amount === 0 ? wording.text('included') : wording.money(amount);

/** The heading above the lines that every choice contains. */
export const includedTitle = ({ Options }: SignedContent): 'inEveryOption' | 'included' =>
  Options.length ? 'inEveryOption' : 'included';

/** The service and the lines that every choice contains. */
function includedLines(wording: Wording, view: ProposalView): Content {
  const { content } = view;
  const lines = ownLines(content, null);
  const service = content.BasePrice + content.UnitPrice * content.Quantity;
  if (!lines.length && !content.ServiceName) return undefined;
  return html`<section>
    <h2>${wording.text(includedTitle(content))}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">${wording.text('description')}</th>
          <th scope="col" class="number">${wording.text('quantity')}</th>
          <th scope="col" class="number">${wording.text('amount')}</th>
        </tr>
      </thead>
      <tbody>
        ${
          content.ServiceName &&
          html`<tr>
            <td>${content.ServiceName}</td>
            <td class="number">${wording.quantity(content.Quantity)}</td>
            <td class="number">${lineAmount(wording, service)}</td>
          </tr>`
        }
        ${lines.map((line) => lineRow(wording, view, line))}
      </tbody>
    </table>
  </section>`;
}

/** The options side by side. Their form changes nothing; it only shows the proposal again with another choice. */
function options(frame: Frame, view: ProposalView): Content {
  const { wording } = frame;
  const { content, choice, optionTotals, state, pictures } = view;
  if (!content.Options.length) return undefined;
  const isOpen = state.kind === 'open';
  const type = choice === 'one' ? 'radio' : 'checkbox';
  const cards = content.Options.map(({ Id, Name, Selected }) => {
    const total = optionTotals.get(Id);
    return html`<li class="option${Selected ? ' chosen' : ''}">
      <label>
        ${isOpen && html`<input type="${type}" name="option" value="${Id}" ${Selected && html` checked`} />`}
        <strong>${Name}</strong>
        ${!isOpen && Selected && html`<small class="state">${wording.text('chosen')}</small>`}
        ${total !== undefined && html`<span>${wording.text('optionTotal', { total: wording.money(total) })}</span>`}
      </label>
      ${pictures.filter(shows(Name)).map((picture) => figure(frame, picture, { hasCaption: false }))}
      <ul>
        ${ownLines(content, Id).map((line) => html`<li>${lineText(view, line)}</li>`)}
      </ul>
    </li>`;
  });
  const headingText = isOpen ? (choice === 'one' ? 'chooseOne' : 'chooseAny') : 'options';
  const heading = html`<h2 id="options">${wording.text(headingText)}</h2>`;
  if (!isOpen)
    return html`<section>
      ${heading}
      <ul class="options">
        ${cards}
      </ul>
    </section>`;
  return html`<section>
    <form method="get" action="${frame.path}" data-live>
      <input type="hidden" name="lang" value="${wording.language}" />
      <input type="hidden" name="choose" value="1" />
      <fieldset>
        <legend>${heading}</legend>
        <ul class="options">
          ${cards}
        </ul>
      </fieldset>
      <button class="quiet">${wording.text('updatePrice')}</button>
    </form>
  </section>`;
}

/** The totals of a proposal, for the page and the PDF. */
export function proposalAmounts(
  wording: Wording,
  { content, state, optionTotals }: Pick<ProposalView, 'content' | 'state' | 'optionTotals'>,
): Amount[] {
  const { TaxRate, Deposit, Options } = content;
  // While an option must still be chosen, the sum is not the price of anything.
  if (state.kind === 'open' && state.obstacle && optionTotals.size > 0 && !Options.some(({ Selected }) => Selected)) {
    const amount = wording.money(Math.min(...optionTotals.values()));
    return [{ label: wording.text('total'), amount: wording.text('fromAmount', { amount }), isSum: true }];
  }
  const depositText = state.kind === 'open' ? 'deposit' : 'depositPercent';
  const deposit = wording.text(depositText, { percent: content.DepositRate ?? 0 });
  return [
    ...taxAmounts(wording, content, {
      name: TaxRate?.Name ?? '',
      percent: TaxRate?.Percent ?? 0,
      parts: TaxRate?.Parts ?? [],
    }),
    { label: wording.text('total'), amount: wording.money(content.Total), isSum: true },
    ...(Deposit > 0 ? [{ label: deposit, amount: wording.money(Deposit) }] : []),
  ];
}

/** The text that the client agrees to, stored with the evidence. */
export const agreementText = (
  wording: Wording,
  { company, content }: Pick<ProposalView, 'company' | 'content'>,
): string => wording.text('agreement', { company: company.name, total: wording.money(content.Total) });

function obstacleText(wording: Wording, obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'incomplete':
      return wording.text('incompleteText');
    case 'choice':
      return wording.text('chooseFirst');
    case 'options':
      return wording.text('minimumOptions', { minimum: obstacle.minimum });
    case 'subtotal':
      return wording.text('minimumSubtotal', { minimum: wording.money(obstacle.minimum) });
  }
}

function signature(frame: Frame, view: ProposalView, { values, errors }: RefusedForm): Content {
  const { wording } = frame;
  const { state, content } = view;
  if (state.kind !== 'open') return undefined;
  if (state.obstacle)
    return html`<section>
      <h2>${wording.text('signTitle')}</h2>
      <p class="hint">${obstacleText(wording, state.obstacle)}</p>
      ${state.obstacle.kind === 'incomplete' && contactLine(wording, view.company)}
    </section>`;
  if (view.phoneCheck === 'missing')
    return html`<section>
      <h2>${wording.text('signTitle')}</h2>
      ${phoneMissing(wording, view.company)}
    </section>`;
  const chosen = content.Options.filter(({ Selected }) => Selected);
  return html`<section>
    <h2>${wording.text('signTitle')}</h2>
    ${form(frame, 'accept', [
      html`<input type="hidden" name="shown" value="${view.shown}" />`,
      chosen.map(({ Id }) => html`<input type="hidden" name="option" value="${Id}" />`),
      field(
        'name',
        wording.text('yourName'),
        (attributes) =>
          html`<input
            ${attributes}
            type="text"
            autocomplete="name"
            maxlength="200"
            required
            value="${values['name'] ?? view.contactName}"
          />`,
        errors['name'],
      ),
      phoneDigits(wording, view.phoneCheck, errors['phone']),
      html`<p class="hint">${wording.text('typedSignature')}</p>`,
      html`<div
        class="drawing"
        data-signature
        data-label="${wording.text('drawSignature')}"
        data-clear="${wording.text('clearSignature')}"
      ></div>`,
      errors['signature'] && html`<p class="error">${errors['signature']}</p>`,
      html`<p class="agreement">${agreementText(wording, view)}</p>`,
      html`<button>${wording.text('sign')}</button>`,
    ])}
  </section>`;
}

const decline = (frame: Frame, { values, errors }: RefusedForm): Html => {
  const { wording } = frame;
  return html`<details${errors['reason'] && html` open`}>
    <summary>${wording.text('declineTitle')}</summary>
    ${form(frame, 'decline', [
      field(
        'reason',
        wording.text('declineReason'),
        (attributes) => html`<textarea ${attributes} rows="3" maxlength="1000">${values['reason']}</textarea>`,
        errors['reason'],
      ),
      html`<button class="quiet">${wording.text('decline')}</button>`,
    ])}
  </details>`;
};
