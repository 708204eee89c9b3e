/*
 * A suite once more, with one module instance a call: what a call remembers, no later one knows. All operations tests
 * run against containers of their own under `npm run prove -- containers`.
 */
process.env['INSTANCES'] = 'fresh';
await import('./users/users.test.ts');
