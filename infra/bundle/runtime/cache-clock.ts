/**
 * Stands in for the clock of `lru-cache`: Node.js loads all of perf_hooks, 0.6 ms of CPU, when `performance` is first
 * read. The caches with a time to live have a clock of their own (lib/shared/ttl-cache.ts).
 */
export const defaultPerf = Date;
