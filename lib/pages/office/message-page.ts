import type { Contact } from '../../entities/contacts.ts';
import { CHANNELS } from '../../entities/message-kinds.ts';
import type { MessagePreview } from '../../resources/messages.ts';
import { type Notice, field } from '../frame.ts';
import { type Content, type Html, html, paragraphs } from '../html.ts';
import { clientLine } from './clients-page.ts';
import { options } from './controls.ts';
import { type OfficeFrame, hidden, officeForm, officePage } from './frame.ts';
import type { MessageChoice } from './message-choices.ts';
import type { OfficeWording } from './wording.ts';

export interface MessageView {
  readonly contact: Contact;
  readonly choices: readonly MessageChoice[];
  /** The value of a choice; empty before the first one. */
  readonly chosen: string;
  /** `""` for the first of the company. */
  readonly channel: string;
  readonly preview?: MessagePreview | undefined;
}

/** A message as it would be sent, and to whom. */
export function previewOf(wording: OfficeWording, { To, Channel, Suppressed, Text }: MessagePreview): Html {
  return html`<p>${wording.say(`by${Channel}`)}: <strong>${To || '–'}</strong></p>
    ${Suppressed && html`<p class="late" lang="en">${Suppressed}</p>`}
    <blockquote>${paragraphs(Text)}</blockquote>`;
}

function sendForm(frame: OfficeFrame, chosen: string, preview: MessagePreview): Content {
  return (
    !preview.Suppressed &&
    officeForm(frame, 'send', [
      hidden('about', chosen),
      hidden('by', preview.Channel),
      html`<button>${frame.wording.say('sendMessage')}</button>`,
    ])
  );
}

/** A message to a client: what it is about, what it would say, then it is sent. */
export function messagePage(
  frame: OfficeFrame,
  { contact, choices, chosen, channel, preview }: MessageView,
  notices: readonly (Notice | undefined)[] = [],
): string {
  const { wording, path } = frame;
  return officePage(frame, {
    title: wording.say('newMessage'),
    place: '/office/clients',
    notices,
    content: [
      html`<p>${clientLine(contact)}</p>`,
      html`<form class="search" method="get" action="${path}">
        ${field(
          'about',
          wording.say('message'),
          (attributes) =>
            html`<select ${attributes} required>
              ${options(
                choices.map(({ value, label }) => [value, label]),
                chosen,
              )}
            </select>`,
        )}
        ${field(
          'by',
          wording.say('by'),
          (attributes) =>
            html`<select ${attributes}>
              ${options(
                [['', wording.say('byDefault')], ...CHANNELS.map((each) => [each, wording.say(`by${each}`)] as const)],
                channel,
              )}
            </select>`,
        )}
        <button class="${preview ? 'quiet' : ''}">${wording.say('showMessage')}</button>
      </form>`,
      preview && html`<section>${previewOf(wording, preview)} ${sendForm(frame, chosen, preview)}</section>`,
    ],
  });
}
