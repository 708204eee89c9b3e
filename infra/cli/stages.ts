import { readFileSync } from 'node:fs';
import { CommandError } from './output.ts';

/** Reads the stages of cdk.json. CDK, which checks them, takes a second to load. */
async function readStages() {
  const { parseStages } = await import('../stages.ts');
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: { stages: unknown } };
  return parseStages(context.stages);
}

/** A stage of cdk.json, with the region that it is in. */
export async function readStage(stage: string) {
  const stages = await readStages();
  const settings = stages.get(stage);
  if (!settings) throw new CommandError(`cdk.json has no stage ${stage}; it has ${[...stages.keys()].join(', ')}.`);
  const region = settings.region ?? process.env['AWS_REGION'];
  if (!region) throw new CommandError('Set AWS_REGION to the region of the stage.');
  return { settings, region };
}
