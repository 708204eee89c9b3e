import * as z from 'zod';

/** Settings of a stage, from `stages` in cdk.json. None is secret. */
const stage = () =>
  z.strictObject({
    /** With true, `cdk destroy` deletes the table and the bucket; otherwise both outlive the stack. */
    disposable: z.boolean().default(false),
    /** Receives alarms, after confirming the subscription that AWS sends. */
    alarmEmail: z.email().optional(),
    /** The API's own domain; its certificate must be in the stage's region. */
    domain: z.strictObject({ name: z.hostname(), certificateArn: z.string().startsWith('arn:') }).optional(),
    /** `error` omits the log line, and its metrics, of successful calls. */
    logLevel: z.enum(['info', 'error']).default('info'),
    /** Calls a second and at once over all keys, which limits the bill. Each key has its own, lower rate. */
    throttle: z
      .strictObject({ rate: z.int().positive(), burst: z.int().positive() })
      .default({ rate: 1000, burst: 2000 }),
  });

const stages = () => z.record(z.string().regex(/^[a-z][a-z0-9-]{0,30}$/), stage());

export type StageSettings = z.output<ReturnType<typeof stage>>;

/**
 * The stages of the context, by name.
 * @throws with every invalid setting when the context is invalid.
 */
export const parseStages = (context: unknown): ReadonlyMap<string, StageSettings> => {
  const parsed = stages().safeParse(typeof context === 'string' ? JSON.parse(context) : context);
  if (!parsed.success) {
    const rule = 'Stage names have lower-case letters, digits and hyphens. infra/stages.ts lists the settings.';
    throw new Error(`The stages in cdk.json are invalid:\n${z.prettifyError(parsed.error)}\n${rule}`);
  }
  return new Map(Object.entries(parsed.data));
};
