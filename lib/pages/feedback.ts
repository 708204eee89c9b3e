import { type Company, type Frame, type Notice, field, form, page } from './frame.ts';
import { html } from './html.ts';

export interface FeedbackView {
  readonly company: Company;
  readonly service: string;
  readonly start: number;
  readonly zone: string;
  /** What the client answered before. */
  readonly score: number | null;
  readonly note: string;
  readonly contactMe: boolean;
  /** Whether it can still be given or changed. */
  readonly isOpen: boolean;
}

const SCORES = Array.from({ length: 11 }, (_, score) => score);

/** The page on which a client says how a visit was. */
export function feedbackPage(
  frame: Frame,
  view: FeedbackView,
  { notice, errors = {} }: { notice?: Notice | undefined; errors?: Readonly<Record<string, string>> } = {},
): string {
  const { wording } = frame;
  const { company, service, start, zone, score, note, contactMe, isOpen } = view;
  return page(frame, company, {
    title: wording.text('feedback'),
    notices: [notice, !isOpen && { kind: 'bad', title: wording.text('feedbackClosed') }],
    content: [
      html`<p class="facts">${service}, ${wording.date(start, zone)}</p>`,
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
    ],
  });
}
