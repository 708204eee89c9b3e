#!/usr/bin/env node
import * as nodeModule from 'node:module';

// Compiled once, a command loads in half the time. A Node.js that is too old lacks it.
nodeModule.enableCompileCache?.();
// In JavaScript: a Node.js that cannot run TypeScript says so.
await import('../check-node.js');
await import('./fs.ts');
