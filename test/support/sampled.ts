/**
 * One of `every` values of a list, others for each `offset`: a sample of what the same code does for all of them.
 * `npm run prove -- random` takes them all.
 */
export const sampled = <Value>(values: readonly Value[], offset = 0, every = 6): readonly Value[] =>
  process.env['EVERY_OPERATION'] ? values : values.filter((_, index) => index % every === offset % every);
