/** The address that e-mails of a domain come from. */
export const senderOf = ({ domain }: { readonly domain: string }): string => `messages@${domain}`;

/** The outputs of a stack by which `fs messages` finds what it asks AWS about. */
export const MESSAGE_OUTPUTS = {
  configurationSet: 'MessagesConfigurationSet',
  textConfigurationSet: 'MessagesTextConfigurationSet',
  feedbackTopic: 'MessagesFeedbackTopic',
} as const;
