import { openDelivery } from '../../../lib/delivery/open-delivery.ts';
import { MESSAGE_OUTPUTS, senderOf } from '../../message-names.ts';
import type { CliCommand } from '../command.ts';
import { printFindings } from '../findings.ts';
import { findLocalStack } from '../local-stack.ts';
import { CommandError, formatList, print } from '../output.ts';
import { readStage } from '../stages.ts';

interface Options {
  readonly json?: boolean;
}

/** A deployed stage that sends messages. */
async function openStage(stage: string) {
  const { settings, region } = await readStage(stage);
  const { messages } = settings;
  if (!messages)
    throw new CommandError(`Stage ${stage} of cdk.json has no "messages": {"domain": "mail.example.com"}.`);
  const services = await import('../../message-services.ts');
  const outputs = await services.outputsOf(stage, region).catch((error: unknown) => {
    throw new CommandError(
      `AWS did not say what is deployed: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  return { messages, outputs, region, services };
}

async function connect(stage: string, { json = false }: Options): Promise<void> {
  const { services, region, ...deployed } = await openStage(stage);
  const failure = 'messages do not reach all clients yet';
  printFindings(await services.findMissing(deployed, region), { stage, json, failure });
}

async function show(stage: string, { json }: Options): Promise<void> {
  const { services, region, ...deployed } = await openStage(stage);
  const shown = { Stage: stage, ...(await services.describeServices(deployed, region)) };
  print(shown, { json, text: formatList(shown) });
}

/** Sets what the functions of a stage have in their environment, or those of the local stack. */
async function useServices(stage: string | undefined): Promise<void> {
  if (stage === undefined) {
    const { MessagesEndpoint: endpoint, Region: AWS_REGION } = findLocalStack() ?? {};
    if (!endpoint)
      throw new CommandError('Name the stage that sends: --stage <stage>. No local stack is running here.');
    Object.assign(process.env, {
      AWS_REGION,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_SESV2: endpoint,
      AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2: endpoint,
      MESSAGES_FROM: senderOf({ domain: 'mail.example.com' }),
      MESSAGES_CONFIGURATION_SET: 'local',
      MESSAGES_TEXT_ORIGIN: 'phone-local',
      MESSAGES_TEXT_CONFIGURATION_SET: 'local',
    });
    return;
  }
  const { messages, outputs, region } = await openStage(stage);
  Object.assign(process.env, {
    AWS_REGION: region,
    MESSAGES_FROM: senderOf(messages),
    MESSAGES_CONFIGURATION_SET: outputs.get(MESSAGE_OUTPUTS.configurationSet) ?? '',
    MESSAGES_TEXT_ORIGIN: messages.texts?.originationIdentity ?? '',
    MESSAGES_TEXT_CONFIGURATION_SET: outputs.get(MESSAGE_OUTPUTS.textConfigurationSet) ?? '',
  });
}

const PHONE = /^\+[1-9]\d{6,14}$/;
const SUBJECT = 'A test of your messages';
const WORDS = 'This is a test. Your clients get messages this way.';

async function test(address: string, { stage, json }: Options & { readonly stage?: string }): Promise<void> {
  const isEmail = address.includes('@');
  if (!isEmail && !PHONE.test(address))
    throw new CommandError(`${address} must be an e-mail address, or a phone number such as +12175550143.`);
  await useServices(stage);
  const delivery = openDelivery();
  const outcome = isEmail
    ? await delivery.sendEmail({
        to: [address],
        senderName: 'Test',
        replyTo: '',
        subject: SUBJECT,
        html: `<p>${WORDS}</p>`,
        text: WORDS,
        attachments: [],
        headers: {},
        tags: {},
      })
    : await delivery.sendText({ to: address, text: WORDS, tags: {} });
  if (outcome.kind !== 'sent') throw new CommandError(`It was not sent (${outcome.kind}). ${outcome.reason}`);
  print(
    { To: address, Channel: isEmail ? 'Email' : 'Text', ServiceId: outcome.serviceId },
    { json, text: `Sent to ${address}: the service has it as ${outcome.serviceId}.` },
  );
}

export const commands: readonly CliCommand[] = [
  {
    words: 'messages connect',
    summary: 'Check what is missing before messages reach clients',
    description:
      'Check the domain with its DKIM records, the sandboxes, the suppression list and the phone number of a ' +
      'stage, and say what to do. Exits with 1 if something is missing',
    examples: ['npx fs messages connect production'],
    takes: (command) => command.argument('<stage>', 'a stage of cdk.json'),
    here: connect,
  },
  {
    words: 'messages show',
    description: 'Show how a deployed stage sends, and how much of its quota is used',
    takes: (command) => command.argument('<stage>', 'a stage of cdk.json'),
    here: show,
  },
  {
    words: 'messages test',
    description: 'Send one e-mail or text to an address: by a deployed stage, or by the local stack to its inbox',
    examples: ['npx fs messages test ann@example.com --stage production', 'npx fs messages test +12175550143'],
    takes: (command) =>
      command
        .argument('<address>', 'an e-mail address or a phone number')
        .option('--stage <stage>', 'a stage of cdk.json (default: the local stack)'),
    here: test,
  },
];
