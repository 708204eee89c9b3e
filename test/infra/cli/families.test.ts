import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../../infra/cli/program.ts';

/** Commands that do something, by their words. */
const wordsOf = (command: Command, path: readonly string[] = []): (readonly [words: string, command: Command])[] =>
  command.commands.length
    ? command.commands.flatMap((each) => wordsOf(each, [...path, each.name()]))
    : [[path.join(' '), command]];

/** Prints the commands of the package, and what of the table was loaded for them; the files are those of a checkout. */
const PACKAGE = `
import { registerHooks } from 'node:module';
const Table = [];
registerHooks({
  load(url, context, next) {
    if (/@aws-sdk|lib\\/workflows|lib\\/store\\/(?!dynamodb\\/errors)|cli\\/target/.test(url)) Table.push(url);
    return next(url, context);
  },
});
const { programOfFamilies } = await import('./infra/cli/families.ts');
const texts = { description: '', moreHelp: '', calledAs: 'fs' };
const program = await programOfFamilies('', { requireApi: () => undefined }, texts);
const wordsOf = ${wordsOf.toString()};
console.log(JSON.stringify({ Words: wordsOf(program).map(([words]) => words), Table }));
`;

test('the package has the commands over HTTP, docs and completion, and loads no code of the table', async () => {
  const command = ['--conditions=packaged', '--input-type=module', '-e', PACKAGE];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  const overHttp = wordsOf(await createProgram()).flatMap(([words, { options }]) =>
    options.some(({ long }) => long === '--profile') ? [words] : [],
  );
  expect(overHttp).toContain('webhook rotate-secret');
  const { Words, Table } = JSON.parse(stdout) as { Words: string[]; Table: string[] };
  expect([Words.sort(), Table]).toEqual([[...overHttp, 'docs', 'completion'].sort(), []]);
});
