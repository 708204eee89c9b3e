/** Maps `values` with at most `limit` calls at once; the results keep the order of the values. */
export async function mapWithConcurrency<Value, Result>(
  values: readonly Value[],
  limit: number,
  map: (value: Value, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const remaining = values.entries();
  const worker = async () => {
    for (const [index, value] of remaining) results[index] = await map(value, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, values.length) }, worker));
  return results;
}
