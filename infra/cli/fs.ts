#!/usr/bin/env node
const words = process.argv.slice(2);

// A reader may close the pipe early: `events tail | head`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(0));
// Loading all commands takes half a second of CPU, and scripts often ask for the version.
if (words.join(' ') === '--version') process.stdout.write(`${(await import('./version.ts')).version}\n`);
else process.exitCode = await (await import('./program.ts')).runCommand(words);
