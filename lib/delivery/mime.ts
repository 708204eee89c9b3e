import MailComposer from 'nodemailer/lib/mail-composer';
import type { OutgoingEmail } from './delivery.ts';

/** The most letters of a subject or name: a line has at most 998 bytes, and a word cannot be folded. */
const MAX_LETTERS = 300;

const headerText = (text: string): string =>
  [...text.replaceAll(/\p{Cc}+/gu, ' ')].slice(0, MAX_LETTERS).join('').trim();

const INVITATION = /^text\/calendar;.*\bmethod=(REQUEST|CANCEL)\b/i;

/**
 * An e-mail in the format of the internet (RFC 5322). A calendar file that asks something of the reader is also an
 * alternative of the text, which is how mail programs recognize an invitation (RFC 6047).
 */
export function composeMime(
  { senderName, replyTo, to, subject, text, html, attachments, headers }: OutgoingEmail,
  { from }: { readonly from: string },
): Promise<Buffer> {
  const invitation = attachments.find(({ contentType }) => INVITATION.test(contentType));
  const [, method] = INVITATION.exec(invitation?.contentType ?? '') ?? [];
  const composer = new MailComposer({
    from: { name: headerText(senderName), address: from },
    to: to.map((address) => ({ name: '', address })),
    ...(replyTo && { replyTo: { name: headerText(senderName), address: replyTo } }),
    subject: headerText(subject),
    text,
    html,
    attachments: attachments.filter((each) => each !== invitation),
    ...(invitation && { icalEvent: { method, filename: invitation.filename, content: invitation.content } }),
    headers,
    newline: 'windows',
    // Nothing of a message is read from this machine or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
