import type { Notice } from './frame.ts';
import type { Wording } from './language.ts';

/** Says that no money moves: the provider is connected with a test key. */
export const testNotice = (wording: Wording): Notice => ({
  kind: 'test',
  title: wording.text('testPayments'),
  text: wording.text('testPaymentsText'),
});

/** Says that the bank has not confirmed a payment yet. */
export const processingNotice = (wording: Wording): Notice => ({
  kind: 'good',
  title: wording.text('paymentProcessing'),
  text: wording.text('paymentProcessingText'),
});
