import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/**
 * The caller's address. Behind CloudFront, API Gateway sees an address of CloudFront; the caller's is in the header that
 * VIEWER_ADDRESS_HEADER names, which CloudFront writes over whatever the caller sent (infra/edge.ts).
 */
export function sourceAddress({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const header = process.env['VIEWER_ADDRESS_HEADER'];
  return (header && headers[header]) || requestContext.http.sourceIp;
}
