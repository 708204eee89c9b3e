/**
 * Stands in for `@aws-sdk/credential-provider-node` in the Lambda bundles (see infra/bundle.ts).
 * Lambda hands a function its role's credentials in the environment and replaces the whole environment before they
 * expire; the files, SSO, web identity and metadata services that the SDK would otherwise try cost 9 ms of start.
 */
export const defaultProvider = () => async () => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error(
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set, and a bundled function looks nowhere else.',
    );
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
};
