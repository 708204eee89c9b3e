const unused = () => () => {
  throw new Error('JSON schemas are left out of the bundles; see infra/left-out.ts.');
};

/**
 * Stands in for zod's `to-json-schema` and `json-schema-processors`, 15 KB that hang on every schema. Only the document
 * is made with them, and that happens before a deployment, never in a function. zod's schemas name the processors
 * inside functions that only a conversion would call, so that they need not exist.
 */
export const createToJSONSchemaMethod = unused;
export const createStandardJSONSchemaMethod = unused;
