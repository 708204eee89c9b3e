/** The region of the embedded engine, and of any other DynamoDB without AWS_REGION. */
const DEFAULT_REGION = 'us-east-1';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The address in DYNAMODB_ENDPOINT, of DynamoDB Local or AWS. If it is set, `npm start`, the tests and `fs` use that
 * DynamoDB instead of an embedded engine. `fail` gets the sentence that says why it is not an address.
 */
export function explicitEndpoint(
  fail: (message: string) => Error,
  { DYNAMODB_ENDPOINT: endpoint = '' }: Environment = process.env,
): string | undefined {
  if (endpoint === '') return undefined;
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
    throw fail(
      `DYNAMODB_ENDPOINT must be an address such as http://127.0.0.1:8000, not ${JSON.stringify(endpoint)}. ` +
        'Correct it, or unset it to use the embedded engine.',
    );
  return endpoint;
}

/** The region for signing requests to the table. */
export const regionOf = (isExternal: boolean): string =>
  (isExternal ? process.env['AWS_REGION'] : undefined) || DEFAULT_REGION;

/**
 * Sets the credentials for requests to the table. An external DynamoDB gets those of the environment, if there are any:
 * AWS checks them, and DynamoDB Local separates the tables of each key and region. The embedded engine ignores them and
 * must not see real ones.
 */
export function useCredentials({ isExternal, region }: { isExternal: boolean; region: string }): void {
  process.env['AWS_REGION'] = region;
  if (isExternal && process.env['AWS_ACCESS_KEY_ID']) return;
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
  delete process.env['AWS_SESSION_TOKEN'];
}
