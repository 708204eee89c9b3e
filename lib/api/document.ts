import type { Resource } from '../resources/resource.ts';
import { failure, headers, parameters, securitySchemes } from './document/components.ts';
import { sharedResponses } from './document/failures.ts';
import { operationPath } from './document/path.ts';
import { schemaComponents } from './document/schemas.ts';
import type { Group } from './group.ts';

const description = `Every operation is a POST of one JSON object that answers with one JSON object. \`ResultCode\` is 0 when it is done; otherwise it is the HTTP status, \`Message\` is a sentence to act on, and \`Errors\` names every field at fault.

The API key comes in the field \`ApiKey\` of the body or in the header \`X-Api-Key\`.

A response holds every field of its list, always: empty ones are \`""\`, \`0\`, \`false\`, \`[]\` or \`null\`. In a request, absent and \`null\` mean "not given"; in an update, absent means "unchanged" and \`null\` clears. A field that is in no list is an error that names the nearest one.`;

/**
 * The OpenAPI 3.1 document of the operations and resources given; every part of it comes from their definitions.
 * Nothing that serves calls may import this file: it would carry the document's making into every function.
 */
export function openApiDocument(
  groups: readonly Group[],
  resources: readonly Resource[],
  { version = '0.1.0', baseUrl = 'http://127.0.0.1:4000' }: { version?: string; baseUrl?: string } = {},
): object {
  const schemas = schemaComponents(resources);
  const operations = groups.flatMap((group) => group.operations);
  return {
    openapi: '3.1.0',
    info: { title: 'Field-service API', version, description },
    servers: [
      {
        url: '{baseUrl}',
        variables: { baseUrl: { default: baseUrl, description: 'Where the API is deployed, or the local stack.' } },
      },
    ],
    security: [{ ApiKey: [] }, {}],
    tags: groups.map(({ name }) => ({ name })),
    paths: Object.assign({}, ...operations.map((operation) => operationPath(operation, schemas))) as object,
    components: {
      schemas: { ...schemas, Failure: failure },
      responses: sharedResponses(),
      headers,
      parameters,
      securitySchemes,
    },
  };
}
