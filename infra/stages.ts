import * as z from 'zod';

/**
 * What one deployed copy of the API may differ in. All of it comes from the `stages` of cdk.json; nothing is secret.
 */
const stage = () =>
  z.strictObject({
    /** True lets `cdk destroy` drop the table and the bucket; otherwise both outlive the stack. */
    disposable: z.boolean().default(false),
    /** Who hears of alarms; must confirm the subscription that AWS sends. */
    alarmEmail: z.email().optional(),
    /** The API's own domain; its certificate must be in the stage's region. Without it the address is AWS's. */
    domain: z.strictObject({ name: z.hostname(), certificateArn: z.string().startsWith('arn:') }).optional(),
    /** `error` leaves out the line, and with it the metrics, of every call that went well. */
    logLevel: z.enum(['info', 'error']).default('info'),
    /** Calls a second and at once over all keys: a lid on the bill. Each key has its own, lower rate. */
    throttle: z
      .strictObject({ rate: z.int().positive(), burst: z.int().positive() })
      .default({ rate: 1000, burst: 2000 }),
  });

const stages = () => z.record(z.string().regex(/^[a-z][a-z0-9-]{0,30}$/), stage());

export type StageSettings = z.output<ReturnType<typeof stage>>;

/**
 * The stages that the context describes, by name.
 * @throws with every fault named when the context is not as above.
 */
export const parseStages = (context: unknown): ReadonlyMap<string, StageSettings> => {
  const parsed = stages().safeParse(typeof context === 'string' ? JSON.parse(context) : context);
  if (!parsed.success) {
    const rule = 'Stage names are lower-case letters, digits and hyphens; infra/stages.ts has the settings.';
    throw new Error(`The stages of cdk.json are not usable:\n${z.prettifyError(parsed.error)}\n${rule}`);
  }
  return new Map(Object.entries(parsed.data));
};
