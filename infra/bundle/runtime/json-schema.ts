const unused = () => () => {
  throw new Error('The bundles omit JSON schemas; see infra/bundle/left-out.ts.');
};

/**
 * Stands in for zod's `to-json-schema` and `json-schema-processors`, 15 KB, which only the OpenAPI document needs,
 * before a deployment. The processors need not exist: only a conversion would call them.
 */
export const createToJSONSchemaMethod = unused;
export const createStandardJSONSchemaMethod = unused;
