import { type JsonSchema, type Variants, reference } from './schemas.ts';

/** The body that webhooks receive: a resource with a field that holds one of the variants, depending on the kind. */
export interface Calls {
  readonly resource: string;
  readonly field: string;
  readonly payload: Variants;
  /** A sentence for each kind. */
  readonly meanings: Readonly<Record<string, string>>;
}

/** The body of a webhook about a `ContactEvent` is a `ContactWebhook`. */
const callTitle = (variant: string): string => variant.replace(/Event$/, 'Webhook');

/** A component for the body of each variant's webhook. */
export function callComponents(
  { resource, field, payload }: Calls,
  components: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const call = components[resource] ?? {};
  return Object.fromEntries(
    Object.keys(payload.variants).map((variant) => [
      callTitle(variant),
      { ...call, properties: { ...call.properties, [field]: reference(variant) } } as JsonSchema,
    ]),
  );
}

/** `serviceagent.created` → `Service agent created`. */
const summaryOf = (kind: string): string => {
  const words = kind.replace('serviceagent', 'service agent').replace('.', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const headers = [
  ['webhook-id', 'Of the call: the same when it is repeated.'],
  ['webhook-timestamp', 'When the call was signed, in seconds since 1970.'],
  ['webhook-signature', 'One or more signatures, separated by spaces: `v1,` and base64, as Standard Webhooks says.'],
].map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }));

function pathItem({ field, payload, meanings }: Calls, kind: string, variant: string) {
  const resource = payload.variants[variant]?.resource ?? '';
  const summary = summaryOf(kind);
  const ownKind = { properties: { [field]: { properties: { [payload.discriminator]: { const: kind } } } } };
  const schema = { allOf: [reference(callTitle(variant)), ownKind] };
  return {
    post: {
      operationId: `on${summary.replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
      summary,
      description:
        `${meanings[kind]} An address that webhooks/create names is called with this event. ` +
        `Its Data is a ${resource}. ` +
        '[Webhooks](/docs#description/webhooks) describes how to verify and answer a call.',
      security: [],
      parameters: headers,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'The event was taken. Any other answer is repeated.' },
        410: { description: 'Disables the webhook.' },
      },
    },
  };
}

/**
 * The `webhooks` of the document: a Path Item for each kind. Hidden from generators, which would turn them into methods
 * that call us.
 */
export const webhookItems = (calls: Calls, isHidden: boolean): Record<string, object> =>
  Object.fromEntries(
    Object.entries(calls.payload.variants).flatMap(([variant, { values }]) =>
      values.map((kind) => {
        const { post } = pathItem(calls, kind, variant);
        return [kind, { post: isHidden ? { ...post, 'x-internal': true } : post }];
      }),
    ),
  );
