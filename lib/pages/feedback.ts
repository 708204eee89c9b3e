import { type Company, type Frame, type Notice, field, form, page } from './frame.ts';
import { type Html, html } from './html.ts';
import { columns, contactLine, factList } from './layout.ts';
import { processingNotice, testNotice } from './payment.ts';

export interface FeedbackView {
  readonly company: Company;
  readonly service: string;
  readonly start: number;
  readonly zone: string;
  /** The client's earlier answer. */
  readonly score: number | null;
  readonly note: string;
  readonly contactMe: boolean;
  /** Whether feedback can still be given or changed. */
  readonly isOpen: boolean;
  readonly tip: TipView;
}

interface TipView {
  /** Whether a tip can be given now. */
  readonly isOffered: boolean;
  /** Suggested amounts: percentages of the price of the visit. */
  readonly choices: readonly { readonly percent: number; readonly amount: number }[];
  /** The total of all tips so far. */
  readonly given: number;
  readonly isProcessing: boolean;
  readonly isTest: boolean;
}

const tipForm = (frame: Frame, { choices }: TipView, amount: string, error: string | undefined): Html => {
  const { wording } = frame;
  return html`<section>
    <h2>${wording.text('tipTitle')}</h2>
    ${form(frame, 'tip', [
      html`<fieldset class="field">
        <legend>${wording.text('tipAmount')}</legend>
        <ul class="choices">
          ${choices.map(
            ({ percent, amount }) =>
              html`<li>
                <label
                  ><input type="radio" name="tip" value="${percent}" />
                  ${wording.text('tipPercent', { percent, amount: wording.money(amount) })}</label
                >
              </li>`,
          )}
          <li>
            <label
              ><input type="radio" name="tip" value="other" ${error && html` checked`} />
              ${wording.text('tipOther')}</label
            >
          </li>
        </ul>
      </fieldset>`,
      field(
        'amount',
        wording.text('tipOtherAmount'),
        (attributes) =>
          html`<input
            type="text"
            inputmode="decimal"
            maxlength="8"
            autocomplete="off"
            value="${amount}"
            ${attributes}
          />`,
        error,
      ),
      html`<button>${wording.text('tipPay')}</button>`,
      html`<p class="hint">${wording.text('paySafely')}</p>`,
    ])}
  </section>`;
};

const SCORES = Array.from({ length: 11 }, (_, score) => score);

/** The page on which a client rates a visit. */
export function feedbackPage(
  frame: Frame,
  view: FeedbackView,
  {
    notice,
    errors = {},
    amount = '',
  }: {
    notice?: Notice | undefined;
    errors?: Readonly<Record<string, string>>;
    /** The amount that was typed and refused. */
    amount?: string;
  } = {},
): string {
  const { wording } = frame;
  const { company, service, start, zone, score, note, contactMe, isOpen, tip } = view;
  return page(frame, company, {
    title: wording.text('feedback'),
    notices: [
      notice,
      tip.given > 0 && { kind: 'good', title: wording.text('tipGiven', { amount: wording.money(tip.given) }) },
      tip.isProcessing && processingNotice(wording),
      tip.isOffered && tip.isTest && testNotice(wording),
      !isOpen && { kind: 'bad', title: wording.text('feedbackClosed') },
    ],
    content: columns({
      first: 'beside',
      about: [
        isOpen &&
          form(frame, 'feedback', [
            html`<fieldset class="field${errors['score'] ? ' wrong' : ''}">
              <legend>${wording.text('score')}</legend>
              <div class="scores">
                ${SCORES.map(
                  (each) =>
                    html`<label
                      ><input type="radio" name="score" value="${each}" ${each === score && html` checked`} />
                      ${each}</label
                    >`,
                )}
              </div>
              ${errors['score'] && html`<p class="error" role="alert">${errors['score']}</p>`}
            </fieldset>`,
            field(
              'note',
              wording.text('words'),
              (attributes) => html`<textarea ${attributes} rows="4" maxlength="4000">${note}</textarea>`,
            ),
            html`<p>
              <label
                ><input type="checkbox" name="contact" value="1" ${contactMe && html` checked`} />
                ${wording.text('contactMe')}</label
              >
            </p>`,
            html`<button>${wording.text('sendFeedback')}</button>`,
          ]),
        tip.isOffered && tipForm(frame, tip, amount, errors['amount']),
      ],
      beside: html`<section>
        ${factList([
          [wording.text('service'), service],
          [wording.text('date'), wording.date(start, zone)],
          [wording.text('company'), company.name],
        ])}
        ${!isOpen && contactLine(wording, company)}
      </section>`,
    }),
  });
}
