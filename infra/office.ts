import type { Construct } from 'constructs';
import { CfnUserPoolClient } from 'aws-cdk-lib/aws-cognito';
import type { OfficeResource, SignInResource } from './grants.ts';

/** The office as a client of the user pool, which must be in the region of the stage. It has no secret: PKCE. */
export function makeOffice(
  scope: Construct,
  { userPoolId, region, account }: SignInResource,
  baseUrl: string,
): OfficeResource {
  const client = new CfnUserPoolClient(scope, 'OfficeClient', {
    userPoolId,
    generateSecret: false,
    allowedOAuthFlowsUserPoolClient: true,
    allowedOAuthFlows: ['code'],
    allowedOAuthScopes: ['openid', 'email'],
    supportedIdentityProviders: ['COGNITO'],
    callbackUrLs: [`${baseUrl}/office/signed-in`],
    logoutUrLs: [`${baseUrl}/office/sign-in`],
    preventUserExistenceErrors: 'ENABLED',
    readAttributes: ['email', 'email_verified'],
  });
  return { issuer: `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`, clientId: client.ref, account };
}
