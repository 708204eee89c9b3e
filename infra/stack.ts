import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Group } from '../lib/api/group.ts';
import { makeAlarms, makeFirewallAlarm } from './watch/alarms.ts';
import { makeEndpoint, makeRoutes } from './api.ts';
import { makeBackup } from './backup.ts';
import { VIEWER_ADDRESS_HEADER, makeEdge, makeFirewall, makeOriginCheck } from './edge.ts';
import { makeCanary } from './watch/canary.ts';
import { makeDashboard } from './watch/dashboard.ts';
import { makeQueries } from './watch/queries.ts';
import { makeData } from './data.ts';
import { makeDeployments } from './deployments.ts';
import { type FunctionSettings, makeLogGroup } from './functions.ts';
import type { RoadsResource, SignInResource } from './grants.ts';
import { makeOffice } from './office.ts';
import { makeMessages, messageVariables } from './messages.ts';
import type { StageSettings } from './stages.ts';
import { makeQueueWorkers, makeScheduledWorkers, makeStreamWorkers } from './workers.ts';

export interface FieldServiceProperties {
  readonly stage: string;
  readonly settings: StageSettings;
  readonly groups: readonly Group[];
  /** Output folder of infra/bundle/bundle.ts. */
  readonly bundles: string;
  /** The firewall of CloudFront, if another stack creates it. */
  readonly firewallArn?: string | undefined;
  /** Whether the template declares the variable of a local engine; `sam local invoke` only sets declared ones. */
  readonly localEndpoint?: boolean;
}

/** One stage of the API. Its constructor lists what is deployed, in the order of dependencies. */
export class FieldServiceStack extends Stack {
  constructor(
    scope: Construct,
    { stage, settings, groups, bundles, localEndpoint, firewallArn }: FieldServiceProperties,
  ) {
    super(scope, `field-service-${stage}`, {
      description: `Field-service API, stage ${stage}`,
      terminationProtection: !settings.disposable,
      tags: { application: 'field-service', stage },
      ...(settings.region && { env: { region: settings.region } }),
      ...(firewallArn && { crossRegionReferences: true }),
    });
    const data = makeData(this, settings);
    const feedback = data.queues['message-feedback']?.queue;
    const made = {
      ...data,
      signIn: settings.signIn && signInOf(this, settings.signIn),
      messages: settings.messages && feedback && makeMessages(this, settings.messages, feedback),
      roads: settings.routes && roadsOf(this),
    };
    const endpoint = makeEndpoint(this, settings);
    const edge =
      settings.edge &&
      makeEdge(this, endpoint.api, {
        domain: settings.domain,
        cors: settings.cors,
        firewallArn: firewallArn ?? makeFirewall(this, settings.edge),
      });
    const { baseUrl, domainTarget } = { ...endpoint, ...edge };
    const office = settings.office && made.signIn ? makeOffice(this, made.signIn, baseUrl) : undefined;
    const resources = { ...made, office };
    const functions: FunctionSettings = {
      bundles,
      environment: {
        TABLE_NAME: resources.table.tableName,
        BUCKET_NAME: resources.bucket.bucketName,
        BASE_URL: baseUrl,
        STAGE: stage,
        LOG_LEVEL: settings.logLevel,
        // Stack traces in log lines name the sources, by the map next to each bundle.
        NODE_OPTIONS: '--enable-source-maps',
        ...(edge ? { VIEWER_ADDRESS_HEADER } : {}),
        ...messageVariables(resources.messages),
        ...(settings.routes ? { ROUTES_PROVIDER: settings.routes.provider } : {}),
        // Empty equals absent: the SDK then uses the endpoint of AWS.
        ...(localEndpoint ? { AWS_ENDPOINT_URL_DYNAMODB: '' } : {}),
      },
      stage: settings,
      logGroup: makeLogGroup(this, 'Functions-logs', settings),
    };
    const originCheck = edge && settings.edge && makeOriginCheck(this, functions, edge, settings.edge);
    const routes = makeRoutes(this, {
      ...endpoint,
      groups: groups.filter(({ name }) => (name !== 'docs' || settings.docs) && (name !== 'office' || office)),
      settings: functions,
      resources,
      openPaths: settings.openPaths,
      authorizer: originCheck?.authorizer,
    });
    const streamWorkers = makeStreamWorkers(this, functions, resources);
    const queueWorkers = makeQueueWorkers(this, functions, resources);
    const scheduled = makeScheduledWorkers(this, functions, resources);
    const { api, logGroup: accessLog } = endpoint;
    const { table, messages } = resources;
    const watched = { stage, api, accessLog, table, messages, routes, streamWorkers, queueWorkers, scheduled };
    const { rollbackOf, topic } = makeAlarms(this, watched, settings);
    if (settings.edge && !firewallArn && topic) makeFirewallAlarm(this, topic, settings.alarms.blocked);
    if (settings.backup) makeBackup(this, { ...resources, ...(topic && { failures: topic }) }, settings.backup);
    const others = [...streamWorkers, ...queueWorkers, ...scheduled].map(({ worker }) => worker);
    const deployed = [...routes, ...(originCheck ? [originCheck.deployed] : []), ...others];
    if (settings.gradual)
      makeDeployments(this, { functions: deployed, rollbackOf, settings: functions, table: resources.table });
    if (settings.canary) makeCanary(this, functions, resources.table);
    if (settings.dashboard) makeDashboard(this, watched);
    makeQueries(this, stage, functions.logGroup);
    const oldAddress = settings.edge?.keepOldAddress ? (endpoint.domainTarget ?? endpoint.baseUrl) : undefined;
    makeOutputs(this, resources, { baseUrl, domainTarget: settings.domain && domainTarget, oldAddress });
  }
}

/** The id of a user pool begins with its region. */
function signInOf(stack: Stack, { userPoolId, account }: NonNullable<StageSettings['signIn']>): SignInResource {
  const region = userPoolId.slice(0, userPoolId.indexOf('_'));
  const userPoolArn = stack.formatArn({
    service: 'cognito-idp',
    region,
    resource: 'userpool',
    resourceName: userPoolId,
  });
  return { userPoolId, userPoolArn, region, account };
}

/** Amazon Location Service has one provider in a region, which belongs to no account. */
function roadsOf(stack: Stack): RoadsResource {
  const arnOf = (service: string) =>
    stack.formatArn({ service, account: '', resource: 'provider', resourceName: 'default' });
  return { routesArn: arnOf('geo-routes'), placesArn: arnOf('geo-places') };
}

function makeOutputs(
  stack: Stack,
  { table, bucket, callbackKey, paymentKey }: ReturnType<typeof makeData>,
  {
    baseUrl,
    domainTarget,
    oldAddress,
  }: { readonly baseUrl: string; readonly domainTarget: string | undefined; readonly oldAddress: string | undefined },
): void {
  const output = (id: string, value: string, description: string) => new CfnOutput(stack, id, { value, description });
  output('BaseUrl', baseUrl, 'Address of the API');
  output('TableName', table.tableName, 'The table, for the command-line tool');
  output('BucketName', bucket.bucketName, 'Bucket of pictures, documents and downloads');
  output('CallbackKey', callbackKey.secretName, 'Secret from which those of callbacks follow');
  output('PaymentKey', paymentKey.secretName, 'Secret with which the keys of payment providers are sealed');
  if (oldAddress) output('OldAddress', oldAddress, 'Previous address, which serves around the firewall');
  if (domainTarget) output('DomainTarget', domainTarget, 'Target of the DNS record of the domain');
}
