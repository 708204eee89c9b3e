/** The parts of the OpenAPI document that are read and replaced. */
export interface ExampleDocument {
  readonly paths: Readonly<Record<string, { readonly post?: ExampleCall }>>;
}

interface ExampleCall {
  readonly parameters?: readonly { readonly $ref?: string }[];
  readonly requestBody: { readonly content: { readonly 'application/json': ExampleBody } };
}

interface ExampleBody {
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
}

/** No record has it: ids are assigned from 1. */
const NOBODY = 2_147_483_647;

/**
 * The page fills in the first example of a request, and one click sends it. So the first example of a call that may
 * write is refused, or changes nothing: it names a record that does not exist, or is empty. The example for the demo
 * company comes second, by choice.
 */
export const withHarmlessExamples = <Document extends ExampleDocument>(document: Document): Document => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [
      path,
      item.post ? { ...item, post: safe(path, item.post) } : item,
    ]),
  ),
});

function safe(path: string, call: ExampleCall): ExampleCall {
  const { example, ...json } = call.requestBody.content['application/json'];
  if (!example || !mayWrite(call)) return call;
  const examples = {
    Harmless: { summary: 'Changes nothing', value: harmless(example) },
    // The page keeps the chosen name for all operations that have it.
    [`Demo ${path}`]: { summary: 'Of the demo company', value: example },
  };
  return { ...call, requestBody: { ...call.requestBody, content: { 'application/json': { ...json, examples } } } };
}

const mayWrite = ({ parameters = [] }: ExampleCall): boolean =>
  parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));

/**
 * If the example begins with the id of a record, it gets a nonexistent id. Otherwise it would create something, so it
 * becomes empty.
 */
function harmless(example: object): object {
  const [name = '', value] = Object.entries(example)[0] ?? [];
  return /Ids?$/.test(name) ? { ...example, [name]: nobody(value) } : {};
}

const nobody = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(nobody);
  return typeof value === 'number' ? NOBODY : `${NOBODY}-webhook-1`;
};
