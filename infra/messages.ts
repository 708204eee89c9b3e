import { CfnOutput, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { CfnConfigurationSet } from 'aws-cdk-lib/aws-smsvoice';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { MESSAGE_OUTPUTS, senderOf } from './message-names.ts';
import type { StageSettings } from './stages.ts';

/** What a stage sends e-mails and texts with. */
export interface MessagesResource {
  /** The address that e-mails come from. */
  readonly from: string;
  readonly identityArn: string;
  readonly configurationSet: string;
  readonly configurationSetArn: string;
  readonly texts?: TextsResource;
}

interface TextsResource {
  readonly origin: string;
  readonly originArn: string;
  readonly configurationSet: string;
  readonly configurationSetArn: string;
}

type MessagesSettings = NonNullable<StageSettings['messages']>;

/** The events that end a message; the others are steps on its way. */
const EMAIL_EVENTS = [
  EmailSendingEvent.DELIVERY,
  EmailSendingEvent.BOUNCE,
  EmailSendingEvent.COMPLAINT,
  EmailSendingEvent.REJECT,
  EmailSendingEvent.RENDERING_FAILURE,
];
const TEXT_EVENTS = [
  'TEXT_DELIVERED',
  'TEXT_SUCCESSFUL',
  'TEXT_BLOCKED',
  'TEXT_TTL_EXPIRED',
  'TEXT_CARRIER_UNREACHABLE',
  'TEXT_INVALID',
  'TEXT_INVALID_MESSAGE',
  'TEXT_CARRIER_BLOCKED',
  'TEXT_UNREACHABLE',
  'TEXT_SPAM',
  'TEXT_UNKNOWN',
  'TEXT_PROTECT_BLOCKED',
];

/**
 * The domain, whose DKIM records the operator adds to DNS, and the way back of what the services report: one topic, in
 * front of one queue.
 */
export function makeMessages(
  scope: Construct,
  { domain, texts }: MessagesSettings,
  feedback: IQueue,
): MessagesResource {
  const topic = new Topic(scope, 'MessagesFeedback', { enforceSSL: true });
  topic.addSubscription(new SqsSubscription(feedback, { rawMessageDelivery: true }));
  const identity = new EmailIdentity(scope, 'MessagesIdentity', { identity: Identity.domain(domain) });
  for (const [index, { name, value }] of identity.dkimRecords.entries())
    new CfnOutput(scope, `MessagesDkim${index + 1}`, {
      value: `${name} CNAME ${value}`,
      description: 'DNS record by which receivers know that e-mails are from the domain',
    });
  const emails = new ConfigurationSet(scope, 'MessagesEmails', {
    reputationMetrics: true,
    suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
  });
  emails.addEventDestination('feedback', { destination: EventDestination.snsTopic(topic), events: EMAIL_EVENTS });
  new CfnOutput(scope, MESSAGE_OUTPUTS.configurationSet, {
    value: emails.configurationSetName,
    description: 'Configuration set of e-mails',
  });
  return {
    from: senderOf({ domain }),
    identityArn: identity.emailIdentityArn,
    configurationSet: emails.configurationSetName,
    configurationSetArn: Stack.of(scope).formatArn({
      service: 'ses',
      resource: 'configuration-set',
      resourceName: emails.configurationSetName,
    }),
    ...(texts && { texts: makeTexts(scope, texts, topic) }),
  };
}

function makeTexts(
  scope: Construct,
  { originationIdentity: origin }: NonNullable<MessagesSettings['texts']>,
  topic: Topic,
): TextsResource {
  // Events of texts, and what clients text to the number.
  topic.addToResourcePolicy(
    new PolicyStatement({
      actions: ['sns:Publish'],
      principals: [new ServicePrincipal('sms-voice.amazonaws.com')],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  const texts = new CfnConfigurationSet(scope, 'MessagesTexts', {
    eventDestinations: [
      {
        eventDestinationName: 'feedback',
        enabled: true,
        matchingEventTypes: TEXT_EVENTS,
        snsDestination: { topicArn: topic.topicArn },
      },
    ],
  });
  new CfnOutput(scope, MESSAGE_OUTPUTS.textConfigurationSet, {
    value: texts.ref,
    description: 'Configuration set of texts',
  });
  new CfnOutput(scope, MESSAGE_OUTPUTS.feedbackTopic, {
    value: topic.topicArn,
    description: 'Topic to which the phone number publishes what clients text',
  });
  const resource = origin.startsWith('pool-') ? 'pool' : 'phone-number';
  return {
    origin,
    originArn: Stack.of(scope).formatArn({ service: 'sms-voice', resource, resourceName: origin }),
    configurationSet: texts.ref,
    configurationSetArn: texts.attrArn,
  };
}

/** What every function knows of it, because a plan depends on whether it can be sent. */
export const messageVariables = (messages: MessagesResource | undefined): Record<string, string> => ({
  ...(messages ? { MESSAGES_FROM: messages.from } : {}),
  ...(messages?.texts ? { MESSAGES_TEXT_ORIGIN: messages.texts.origin } : {}),
});
