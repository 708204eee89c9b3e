/**
 * What quotes, makes, changes and accepts proposals: loaded by the first call that does so, from beside the bundle
 * (infra/side-files.ts), so that all others start without it.
 */
export const engine = () => import('./proposal-engine.ts');
