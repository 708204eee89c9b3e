import type { DeliveryOutcome } from './delivery.ts';

/** A failure of a request, as the AWS SDK throws it. */
interface ServiceFailure {
  readonly name?: string;
  readonly message?: string;
  /** The error of a connection, such as `ECONNREFUSED`. */
  readonly code?: string;
  /** Why End User Messaging refuses. */
  readonly Reason?: string;
  readonly $metadata?: { readonly httpStatusCode?: number | undefined };
}

const RATE_SECONDS = 2;
const CONNECTION_SECONDS = 30;
/** A quota of the day, or something that the operator must repair. */
const LONG_SECONDS = 15 * 60;

/** Nothing was sent, and the same message may be sent later. */
const BUSY: Readonly<Record<string, number>> = {
  TooManyRequestsException: RATE_SECONDS,
  ThrottlingException: RATE_SECONDS,
  Throttling: RATE_SECONDS,
  LimitExceededException: LONG_SECONDS,
  ServiceQuotaExceededException: LONG_SECONDS,
  SendingPausedException: LONG_SECONDS,
  AccountSuspendedException: LONG_SECONDS,
  MailFromDomainNotVerifiedException: LONG_SECONDS,
  NotFoundException: LONG_SECONDS,
  ResourceNotFoundException: LONG_SECONDS,
  AccessDeniedException: LONG_SECONDS,
  AccessDenied: LONG_SECONDS,
  ExpiredTokenException: CONNECTION_SECONDS,
  CredentialsProviderError: CONNECTION_SECONDS,
};

/** The connection was never made. */
const UNCONNECTED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** SES answers with a throttle when the quota of the day is used up, too. */
const isDaily = (message: string): boolean => /daily/i.test(message);

const REFUSALS: Readonly<Record<string, string>> = {
  DESTINATION_PHONE_NUMBER_OPTED_OUT: 'The number has opted out of texts (STOP).',
  DESTINATION_PHONE_NUMBER_NOT_VERIFIED:
    'The text service is in its sandbox, and this number is not one of its verified numbers.',
  DESTINATION_COUNTRY_BLOCKED_BY_PROTECT_CONFIGURATION: 'The text service sends no texts to this country.',
  DESTINATION_COUNTRY_BLOCKED: 'The text service sends no texts to this country.',
  DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE: 'The text service is set to send this number no texts.',
  COUNTRY_NOT_ENABLED: 'The text service sends no texts to this country.',
  INVALID_IDENTITY_FOR_DESTINATION_COUNTRY: 'The number of the sender sends no texts to this country.',
  NUMBER_CAPABILITIES_MISMATCH: 'The number of the sender sends no texts.',
};

function refusalOf({ name, message = '', Reason = '' }: ServiceFailure): string {
  const known = REFUSALS[Reason];
  if (known !== undefined) return known;
  if (/not verified/i.test(message))
    return 'Amazon SES is in its sandbox and sends only to verified addresses, or the domain is not verified.';
  return `The service refused it: ${message || name || 'no reason given'}`;
}

/** What a failed request means for its message. Whatever is not certain is `unknown`. */
export function outcomeOf(error: unknown): Exclude<DeliveryOutcome, { kind: 'sent' }> {
  const failure: ServiceFailure = error instanceof Error ? error : {};
  const { name = '', message = '', code = '', $metadata = {} } = failure;
  const seconds = BUSY[name] ?? (UNCONNECTED.has(code) ? CONNECTION_SECONDS : undefined);
  if (seconds !== undefined)
    return { kind: 'busy', seconds: isDaily(message) ? LONG_SECONDS : seconds, reason: message || name };
  const { httpStatusCode: status = 0 } = $metadata;
  if (status === 429) return { kind: 'busy', seconds: RATE_SECONDS, reason: message || name };
  return status >= 400 && status < 500
    ? { kind: 'refused', reason: refusalOf(failure) }
    : { kind: 'unknown', reason: message || name || 'The service did not answer.' };
}
