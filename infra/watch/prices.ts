/**
 * Prices in dollars for us-east-1, without free tiers and discounts, as published by AWS in 2026. The cost alarm, the
 * dashboard and the bench `bill` use them.
 */
const MILLION = 1_000_000;

export const prices = {
  /** DynamoDB on demand. */
  readUnit: 0.125 / MILLION,
  writeUnit: 0.625 / MILLION,
  /** Per month. */
  tableGigabyte: 0.25,
  pointInTimeRecoveryGigabyte: 0.2,
  /** An HTTP API call of at most 512 KB. */
  gatewayCall: 1 / MILLION,
  lambdaCall: 0.2 / MILLION,
  /** One second of 1 GB on arm64. */
  lambdaGigabyteSecond: 0.0000133334,
  /** An SQS request of at most 64 KB. */
  queueRequest: 0.4 / MILLION,
  logGigabyteIngested: 0.5,
  /** Per month. */
  logGigabyteKept: 0.03,
  metric: 0.3,
  /** For each metric that it watches. */
  alarm: 0.1,
  dashboard: 3,
  secret: 0.4,
  /** CloudFront with its function, and WAF, per call. */
  edgeCall: 1.7 / MILLION,
  /** WAF with the stage's two rules. */
  firewall: 7,
  /** Sent to the internet. */
  transferGigabyte: 0.09,
  bucketGigabyte: 0.023,
  xrayTrace: 5 / MILLION,
} as const;

/** GB of memory per function. */
export const FUNCTION_GIGABYTES = 1;

export const HOURS_A_MONTH = 730;

export interface Consumption {
  readonly calls: number;
  /** Time in functions. */
  readonly milliseconds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** The price factor of each part of a call. */
export const callPrices: Readonly<Record<keyof Consumption, number>> = {
  calls: prices.gatewayCall + prices.lambdaCall,
  milliseconds: (prices.lambdaGigabyteSecond * FUNCTION_GIGABYTES) / 1_000,
  readUnits: prices.readUnit,
  writeUnits: prices.writeUnit,
};
