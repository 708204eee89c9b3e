/** Runs `create` once, at the first call. */
export function once<Value>(create: () => Value): () => Value {
  let result: { value: Value } | undefined;
  return () => (result ??= { value: create() }).value;
}
