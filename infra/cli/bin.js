#!/usr/bin/env node
import * as nodeModule from 'node:module';

// Caches compiled code, which halves the load time of a command. Older versions of Node.js lack this.
nodeModule.enableCompileCache?.();
// In JavaScript, so that a Node.js that cannot run TypeScript can say so.
await import('../check-node.js');
await import('./fs.ts');
