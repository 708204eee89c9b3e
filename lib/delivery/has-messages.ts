/** Whether this deployment sends messages: its stage has `messages`. */
export const hasMessages = (): boolean => Boolean(process.env['MESSAGES_FROM']);

/** Whether it sends texts too: `messages` of its stage has `texts`. */
export const hasTexts = (): boolean => Boolean(process.env['MESSAGES_TEXT_ORIGIN']);
