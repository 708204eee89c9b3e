import type { CliCommand } from '../../command.ts';
import type { AccountOption } from '../../options.ts';
import { type OutputOptions, outputOptions, writeOutput } from '../../output-file.ts';
import { openAccount } from '../../target.ts';

async function exportFile(options: AccountOption & OutputOptions): Promise<void> {
  const { store } = await openAccount(options);
  // Loaded when it runs, because the modules for files are large.
  const { exportCompany } = await import('../../company-file/export.ts');
  await writeOutput(await exportCompany({ store, now: new Date() }), options);
}

export const commands: readonly CliCommand[] = [
  {
    words: 'export',
    description: 'Write the company as a file for import',
    examples: ['npx fs export --out company.yaml'],
    json: false,
    takes: outputOptions,
    onTable: exportFile,
  },
];
