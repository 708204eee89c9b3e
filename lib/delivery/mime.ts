import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import type { OutgoingEmail } from './delivery.ts';

/** The e-mail as MIME: text and HTML as alternatives, and the attachments. */
export const composeMime = (email: OutgoingEmail, { from }: { readonly from: string }): Promise<Buffer> =>
  new MailComposer({
    from: { name: email.senderName, address: from },
    to: email.to,
    ...(email.replyTo ? { replyTo: email.replyTo } : {}),
    subject: email.subject,
    text: email.text,
    html: email.html,
    headers: { ...email.headers },
    attachments: email.attachments.map((attachment) => ({ ...attachment })),
  })
    .compile()
    .build();
