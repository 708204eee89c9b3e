import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { foreignPage } from '../local-callers.ts';
import { type Listening, hiddenLoopback, listen } from '../ports.ts';
import type { InboxEntry } from './inbox.ts';

/** Amazon SES and AWS End User Messaging of the local stack. Nothing leaves this machine. */
export interface MessageServices extends Listening {
  /** What clients got, newest first. */
  inbox(): Promise<readonly InboxEntry[]>;
}

/** A part of the answer of `GET /store` of aws-ses-v2-local. */
interface StoredEmail {
  readonly messageId: string;
  readonly destination: { readonly to: readonly string[] };
  readonly subject: string;
  readonly body: { readonly html?: string; readonly text?: string };
  readonly attachments: readonly {
    readonly filename?: string;
    readonly contentType: string;
    readonly content: string;
  }[];
}

interface EmailRequest {
  readonly EmailTags?: readonly { readonly Name: string; readonly Value: string }[];
}

interface TextRequest {
  readonly DestinationPhoneNumber?: string;
  readonly OriginationIdentity?: string;
  readonly MessageBody?: string;
  readonly Context?: Readonly<Record<string, string>>;
}

const SEND_EMAIL = '/v2/email/outbound-emails';
const SEND_TEXT = 'PinpointSMSVoiceV2.SendTextMessage';
/** E.164, as the service demands it. */
const PHONE = /^\+?[1-9]\d{1,18}$/;
const MAX_TEXT = 1_600;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/x-amz-json-1.0',
  body: JSON.stringify(body),
});

const invalid = (name: string, message: string): Answer =>
  json(400, {
    __type: 'ValidationException',
    Message: message,
    Reason: 'FIELD_VALIDATION_FAILED',
    Fields: [{ Name: name, Message: message }],
  });

/** Starts aws-ses-v2-local, which takes a second: with the first e-mail. It lists no tags, so they are kept here. */
async function startSes(): Promise<{ readonly address: string; stop(): void }> {
  const { default: ses } = await import('aws-ses-v2-local');
  const host = hiddenLoopback();
  const server = await ses.default({ host, port: 0 });
  const address = `http://${host}:${(server.address() as AddressInfo).port}`;
  // Its e-mails are those of the process, which may have had another stack.
  await fetch(`${address}/clear-store`, { method: 'POST' });
  return {
    address,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

class StandIn {
  #ses: ReturnType<typeof startSes> | undefined;
  /** What aws-ses-v2-local does not list of an e-mail, by its id. */
  readonly #emails = new Map<string, Pick<InboxEntry, 'Kind' | 'At'>>();
  readonly #texts: InboxEntry[] = [];

  async answer(incoming: IncomingMessage): Promise<Answer> {
    const reason = foreignPage(incoming, { servesPages: true });
    if (reason !== undefined) return json(403, { __type: 'AccessDeniedException', Message: reason });
    const body = await readText(incoming);
    if (incoming.headers['x-amz-target'] === SEND_TEXT) return this.#takeText(JSON.parse(body) as TextRequest);
    return this.#askSes(incoming, body);
  }

  async inbox(): Promise<readonly InboxEntry[]> {
    return [...this.#texts, ...(await this.#listEmails())].sort((one, other) => (one.At < other.At ? 1 : -1));
  }

  async stop(): Promise<void> {
    (await this.#ses)?.stop();
  }

  #takeText({ DestinationPhoneNumber = '', OriginationIdentity, MessageBody = '', Context = {} }: TextRequest): Answer {
    if (!PHONE.test(DestinationPhoneNumber))
      return invalid('DestinationPhoneNumber', 'DestinationPhoneNumber must be a phone number in E.164 format');
    if (!OriginationIdentity) return invalid('OriginationIdentity', 'OriginationIdentity is required');
    if (!MessageBody || MessageBody.length > MAX_TEXT)
      return invalid('MessageBody', `MessageBody must have 1 to ${MAX_TEXT} characters`);
    this.#texts.push({
      Kind: Context['kind'] ?? '',
      Channel: 'Text',
      To: DestinationPhoneNumber,
      Subject: '',
      Text: MessageBody,
      Html: '',
      Attachments: [],
      At: new Date().toISOString(),
    });
    return json(200, { MessageId: randomUUID() });
  }

  async #askSes({ method = 'GET', url = '/', headers }: IncomingMessage, body: string): Promise<Answer> {
    const { address } = await (this.#ses ??= startSes());
    const answer = await fetch(`${address}${url}`, {
      method,
      headers: {
        ...(headers['content-type'] ? { 'content-type': headers['content-type'] } : {}),
        ...(headers.authorization ? { authorization: headers.authorization } : {}),
      },
      ...(body ? { body } : {}),
    });
    const text = await answer.text();
    if (answer.ok && url === SEND_EMAIL) this.#noteEmail(JSON.parse(body) as EmailRequest, text);
    return { status: answer.status, type: answer.headers.get('content-type') ?? 'text/plain', body: text };
  }

  #noteEmail({ EmailTags = [] }: EmailRequest, answer: string): void {
    const { MessageId } = JSON.parse(answer) as { MessageId: string };
    const Kind = EmailTags.find(({ Name }) => Name === 'kind')?.Value ?? '';
    this.#emails.set(MessageId, { Kind, At: new Date().toISOString() });
  }

  async #listEmails(): Promise<readonly InboxEntry[]> {
    if (!this.#ses) return [];
    const { address } = await this.#ses;
    const { emails } = (await (await fetch(`${address}/store`)).json()) as { emails: readonly StoredEmail[] };
    return emails.flatMap(({ messageId, destination, subject, body, attachments }) => {
      const noted = this.#emails.get(messageId);
      // One that is being sent has no answer yet.
      if (!noted) return [];
      return {
        ...noted,
        Channel: 'Email' as const,
        To: destination.to.join(', '),
        Subject: subject,
        Text: body.text ?? '',
        Html: body.html ?? '',
        // An invitation is an alternative without a name, too.
        Attachments: attachments.flatMap(({ filename, contentType, content }) =>
          filename ? [{ Filename: filename, ContentType: contentType, Content: content }] : [],
        ),
      };
    });
  }
}

export async function startMessageServices({ port }: { readonly port: number }): Promise<MessageServices> {
  const standIn = new StandIn();
  const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { status, type, body } = await standIn.answer(incoming);
    response.writeHead(status, { 'content-type': type }).end(body);
  };
  const server = createServer((incoming, response) => {
    respond(incoming, response).catch(() => response.destroy());
  });
  const listening = await listen(server, port);
  return {
    ...listening,
    inbox: () => standIn.inbox(),
    async stop() {
      await listening.stop();
      await standIn.stop();
    },
  };
}
