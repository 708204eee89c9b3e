import { join } from 'node:path';
import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { groups } from '../functions/index.ts';
import { makeBundles } from './bundle/bundle.ts';
import { FieldServiceStack } from './stack.ts';
import { parseStages } from './stages.ts';

/**
 * An app with a stack for each stage in the context, checked by cdk-nag when it is synthesized. `bundles` is the output
 * folder of infra/bundle/bundle.ts.
 */
export const makeApp = (bundles: string, properties: AppProps = {}): App => {
  const app = new App(properties);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  for (const [stage, settings] of parseStages(app.node.tryGetContext('stages'))) {
    new FieldServiceStack(app, { stage, settings, groups, bundles });
  }
  return app;
};

if (import.meta.main) {
  const bundles = join(import.meta.dirname, '..', 'dist');
  await makeBundles(bundles);
  makeApp(bundles).synth();
}
