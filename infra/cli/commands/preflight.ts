import type { CliCommand } from '../command.ts';
import { printFindings } from '../findings.ts';
import { readStage } from '../stages.ts';

interface PreflightOptions {
  readonly json?: boolean;
}

async function preflight(stage: string, { json = false }: PreflightOptions): Promise<void> {
  const { settings, region } = await readStage(stage);
  // CDK and the AWS clients take a second to load.
  const { findObstacles } = await import('../../preflight.ts');
  printFindings(await findObstacles(stage, settings, region), { stage, json, failure: 'it may not deploy' });
}

export const commands: readonly CliCommand[] = [
  {
    words: 'preflight',
    summary: 'Check what a deployment needs of the AWS account',
    description:
      'Check, before a deployment, the quotas of Lambda and DynamoDB, the certificate, the topic of alarms, the ' +
      'restored table, the state of the stack, and whether the services of messages are in their sandbox, with the ' +
      'AWS credentials of the environment. Exits with 1 if one of them is in the way',
    examples: ['npx fs preflight production'],
    takes: (command) => command.argument('<stage>', 'a stage of cdk.json'),
    here: preflight,
  },
];
