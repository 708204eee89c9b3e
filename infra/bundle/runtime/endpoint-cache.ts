const unused = () => {
  throw new Error('The bundles omit endpoint discovery; see infra/bundle/left-out.ts.');
};

/**
 * Stands in for `@aws-sdk/endpoint-cache`, 8 KB, which DynamoDB's client uses only with
 * `AWS_ENABLE_ENDPOINT_DISCOVERY`.
 */
export class EndpointCache {
  readonly getEndpoint = unused;
  readonly get = unused;
  readonly set = unused;
  readonly delete = unused;
  readonly has = unused;
  readonly clear = unused;
}
