const unused = () => {
  throw new Error('Endpoint discovery is left out of the bundles; see infra/left-out.ts.');
};

/**
 * Stands in for `@aws-sdk/endpoint-cache`, 8 KB. DynamoDB's client makes one and looks into it only with
 * `AWS_ENABLE_ENDPOINT_DISCOVERY`, which regular DynamoDB endpoints have no use for.
 */
export class EndpointCache {
  readonly getEndpoint = unused;
  readonly get = unused;
  readonly set = unused;
  readonly delete = unused;
  readonly has = unused;
  readonly clear = unused;
}
