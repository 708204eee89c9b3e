import { readFileSync } from 'node:fs';
import type { CliCommand } from '../command.ts';
import { CommandError, ReportedError, print } from '../output.ts';

interface PreflightOptions {
  readonly json?: boolean;
}

async function preflight(stage: string, { json = false }: PreflightOptions): Promise<void> {
  // CDK and the AWS clients take a second to load.
  const [{ findObstacles }, { parseStages }] = await Promise.all([
    import('../../preflight.ts'),
    import('../../stages.ts'),
  ]);
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: { stages: unknown } };
  const stages = parseStages(context.stages);
  const settings = stages.get(stage);
  if (!settings) throw new CommandError(`cdk.json has no stage ${stage}; it has ${[...stages.keys()].join(', ')}.`);
  const region = settings.region ?? process.env['AWS_REGION'];
  if (!region) throw new CommandError('Set AWS_REGION to the region of the stage.');
  const found = await findObstacles(stage, settings, region);
  const obstacles = found.filter(({ isGood }) => !isGood).length;
  print(
    {
      Stage: stage,
      Findings: found.map(({ name, isGood, message }) => ({ Check: name, Good: isGood, Message: message })),
    },
    {
      json,
      text: found
        .map(({ name, isGood, message }) => `${isGood ? 'good' : 'BAD '}  ${name.padEnd(14)}  ${message}`)
        .join('\n'),
    },
  );
  if (obstacles)
    throw new ReportedError(`${obstacles} of ${found.length} checks of ${stage} say that it may not deploy.`);
}

export const commands: readonly CliCommand[] = [
  {
    words: 'preflight',
    summary: 'Check what a deployment needs of the AWS account',
    description:
      'Check, before a deployment, the quotas of Lambda and DynamoDB, the certificate, the topic of alarms, the ' +
      'restored table and the state of the stack, with the AWS credentials of the environment. Exits with 1 if one ' +
      'of them is in the way',
    examples: ['npx fs preflight production'],
    takes: (command) => command.argument('<stage>', 'a stage of cdk.json'),
    here: preflight,
  },
];
