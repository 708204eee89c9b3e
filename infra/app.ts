import { join } from 'node:path';
import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { groups } from '../functions/index.ts';
import { makeBundles } from './bundle/bundle.ts';
import { FIREWALL_REGION, FirewallStack } from './edge.ts';
import { FieldServiceStack } from './stack.ts';
import { type StageSettings, StagesError, parseStages } from './stages.ts';

/**
 * An app with a stack for each stage in the context, checked by cdk-nag when synthesized. `bundles` is the output
 * folder of infra/bundle/bundle.ts.
 */
export const makeApp = (bundles: string, properties: AppProps = {}): App => {
  const app = new App(properties);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  // `-c gradual=false` deploys a fix at once, even during an alarm.
  const gradual = flag(app, 'gradual', true);
  // `-c tracing=true` traces until a deployment omits it.
  const tracing = flag(app, 'tracing', false);
  // `-c docs=false` deploys without the documentation page and the OpenAPI document.
  const docs = flag(app, 'docs', true);
  // `-c localEndpoint=true` is for `sam local invoke` (docs/sam-local.md).
  const localEndpoint = flag(app, 'localEndpoint', false);
  for (const [stage, settings] of parseStages(app.node.tryGetContext('stages'))) {
    const ofStage = {
      ...settings,
      gradual: settings.gradual && gradual,
      tracing: settings.tracing || tracing,
      docs: settings.docs && docs,
    };
    const firewallArn = makeFirewallElsewhere(app, stage, ofStage);
    new FieldServiceStack(app, { stage, settings: ofStage, groups, bundles, localEndpoint, firewallArn });
  }
  return app;
};

/** The firewall of a stage with `edge` in another region: a separate stack that is deployed first. */
function makeFirewallElsewhere(app: App, stage: string, { edge, ...settings }: StageSettings): string | undefined {
  if (!edge || settings.region === FIREWALL_REGION) return undefined;
  const properties = {
    description: `Field-service API, stage ${stage}: firewall of CloudFront`,
    terminationProtection: !settings.disposable,
    tags: { application: 'field-service', stage },
  };
  return new FirewallStack(app, `field-service-${stage}-firewall`, { ...settings, edge }, properties).firewallArn;
}

/** A flag of the context, which is text if it comes from the command line. */
const flag = (app: App, name: string, preset: boolean): boolean =>
  String(app.node.tryGetContext(name) ?? preset) === 'true';

if (import.meta.main) {
  const bundles = join(import.meta.dirname, '..', 'dist');
  await makeBundles(bundles);
  try {
    makeApp(bundles).synth();
  } catch (error) {
    if (!(error instanceof StagesError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
