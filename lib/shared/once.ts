/** Runs `create` once, at the first call. */
// @__NO_SIDE_EFFECTS__
export function once<Value>(create: () => Value): () => Value {
  let result: { value: Value } | undefined;
  return () => (result ??= { value: create() }).value;
}
