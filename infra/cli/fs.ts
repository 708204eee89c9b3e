#!/usr/bin/env node
import { runCommand } from './program.ts';

// A reader may close the pipe early: `events tail | head`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(0));
process.exitCode = await runCommand(process.argv.slice(2));
