import { PinpointSMSVoiceV2Client, SendTextMessageCommand } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { InternalError } from '../shared/failure.ts';
import type { Delivery, DeliveryOutcome } from './delivery.ts';
import { composeMime } from './mime.ts';
import { outcomeOf } from './outcome.ts';

/** The SDK must not send anything again by itself: a request that it takes for lost may have been done. */
const ONCE = {
  maxAttempts: 1,
  requestHandler: { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
};

/** By endpoint: the local stack and its tests have the services behind different addresses. */
const emailClients = new Map<string | undefined, SESv2Client>();
const textClients = new Map<string | undefined, PinpointSMSVoiceV2Client>();

function clientOf<Client>(clients: Map<string | undefined, Client>, variable: string, open: () => Client): Client {
  const endpoint = process.env[variable];
  const client = clients.get(endpoint) ?? open();
  clients.set(endpoint, client);
  return client;
}

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new InternalError(`This deployment sends no such messages: ${name} is not set.`);
  return value;
}

async function outcome(send: () => Promise<{ readonly MessageId?: string | undefined }>): Promise<DeliveryOutcome> {
  try {
    const { MessageId: serviceId = '' } = await send();
    return { kind: 'sent', serviceId };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** Sends by the services of this deployment. What is wrong with its settings is thrown. */
export const openDelivery = (): Delivery => ({
  async sendEmail(email) {
    const client = clientOf(emailClients, 'AWS_ENDPOINT_URL_SESV2', () => new SESv2Client(ONCE));
    const command = new SendEmailCommand({
      Destination: { ToAddresses: [...email.to] },
      Content: { Raw: { Data: await composeMime(email, { from: variable('MESSAGES_FROM') }) } },
      ConfigurationSetName: variable('MESSAGES_CONFIGURATION_SET'),
      EmailTags: Object.entries(email.tags).map(([Name, Value]) => ({ Name, Value })),
    });
    return outcome(() => client.send(command));
  },
  async sendText({ to, text, tags }) {
    const client = clientOf(
      textClients,
      'AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2',
      () => new PinpointSMSVoiceV2Client(ONCE),
    );
    const command = new SendTextMessageCommand({
      DestinationPhoneNumber: to,
      OriginationIdentity: variable('MESSAGES_TEXT_ORIGIN'),
      MessageBody: text,
      MessageType: 'TRANSACTIONAL',
      ConfigurationSetName: variable('MESSAGES_TEXT_CONFIGURATION_SET'),
      Context: { ...tags },
    });
    return outcome(() => client.send(command));
  },
});
