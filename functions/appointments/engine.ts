/**
 * What searches, prices and books: loaded by the first call that does so, from beside the bundle (infra/side-files.ts), so that all others start without
 * it. It answers with values and throws no Failure, because it has modules of its own.
 */
export const engine = () => import('./scheduling-engine.ts');
