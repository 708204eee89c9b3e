#!/usr/bin/env node
// In JavaScript: a Node.js that cannot run TypeScript says so.
await import('../check-node.js');
await import('./fs.ts');
