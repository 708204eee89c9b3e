import { describe, expect, it } from 'vitest';
import { LIMITS, type TemplateJson, aboveLimits } from './limits.ts';
import { synthesizeStages, validationReports } from './synthesized.ts';

/** The longest name that a stage may have. */
const STAGE = `largest-${'x'.repeat(23)}`;
const STACK = `field-service-${STAGE}`;

const { outdir, templateOf } = await synthesizeStages(
  {
    [STAGE]: {
      alarmEmail: 'night@example.com',
      region: 'us-east-1',
      domain: { name: 'api.example.com', certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1' },
      cors: { origins: ['https://app.example.com'] },
      backup: { copyTo: 'arn:aws:backup:eu-central-1:210987654321:backup-vault:copies' },
      workerConcurrency: 20,
      signIn: { userPoolId: 'us-east-1_a1B2c3D4e', account: 'acme' },
      office: true,
      messages: { domain: 'mail.example.com', texts: { originationIdentity: 'phone-a1b2' } },
      tracing: true,
    },
  },
  { isValidated: true },
);
const template = templateOf(STACK).toJSON() as TemplateJson;

/** Resources that a resource refers to, or waits for. */
const neededBy = (id: string): string[] =>
  [...JSON.stringify(template.Resources[id]).matchAll(/"([A-Za-z0-9]+)"/g)].flatMap(([, other = '']) =>
    template.Resources[other] && other !== id ? [other] : [],
  );

/** The resources that CloudFormation could make in no order: each waits for another of them. */
function inCircles(): string[] {
  let left = Object.keys(template.Resources);
  for (;;) {
    const waiting = left.filter((id) => neededBy(id).some((other) => left.includes(other)));
    if (waiting.length === left.length) return left;
    left = waiting;
  }
}

const withMore = (more: Record<string, object>): TemplateJson => ({
  Resources: { ...template.Resources, ...more } as TemplateJson['Resources'],
});
const many = (count: number, resource: object): Record<string, object> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`More${index}`, resource]));

describe('a stage with every setting and the longest name', () => {
  it('passes cdk-nag and the schemas of CloudFormation', () => {
    expect(validationReports(outdir)).toEqual([]);
  });

  it('keeps within what AWS allows, with room to grow', () => {
    expect(STAGE).toHaveLength(31);
    expect(aboveLimits(template, STACK)).toEqual([]);
  });

  it('has no resources that wait for each other in a circle', () => {
    expect(inCircles()).toEqual([]);
  });

  it('names nothing that outlives it, but by its own id: a stack of the same name can be made beside it', () => {
    const kept = Object.values(template.Resources).filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith('Retain'));
    expect(kept.map(({ Type }) => Type)).toContain('AWS::Backup::BackupVault');
    const names = kept.flatMap(({ Type, Properties = {} }) =>
      Object.entries(Properties).flatMap(([key, value]) =>
        key.endsWith('Name') ? [`${Type}: ${key} ${JSON.stringify(value)}`] : [],
      ),
    );
    expect(names.filter((name) => !name.includes('AWS::StackId'))).toEqual([]);
  });

  it('is refused with one resource, or one route, more than it may have', () => {
    const room = LIMITS.resources - Object.keys(template.Resources).length;
    expect(aboveLimits(withMore(many(room, { Type: 'AWS::SNS::Topic' })), STACK)).toEqual([]);
    expect(aboveLimits(withMore(many(room + 1, { Type: 'AWS::SNS::Topic' })), STACK)).toEqual([
      `resources: ${LIMITS.resources + 1} of ${LIMITS.resources}`,
    ]);
    const route = { Type: 'AWS::ApiGatewayV2::Route' };
    expect(aboveLimits({ Resources: many(LIMITS.routes + 1, route) as TemplateJson['Resources'] }, STACK)).toEqual([
      `routes: ${LIMITS.routes + 1} of ${LIMITS.routes}`,
    ]);
  });

  it.each([
    ['policy', LIMITS.policy, 'characters of the policies of More'],
    ['environment', LIMITS.environment, 'bytes of the environment of More'],
  ])('is refused with one character more in a %s', (kind, limit, words) => {
    // The quotes count.
    const text = (length: number) => 'x'.repeat(length - 2);
    const of = (length: number) =>
      kind === 'policy'
        ? { Type: 'AWS::IAM::Role', Properties: { Policies: [{ PolicyDocument: text(length) }] } }
        : { Type: 'AWS::Lambda::Function', Properties: { Environment: { Variables: text(length) } } };
    expect(aboveLimits(withMore({ More: of(limit) }), STACK)).toEqual([]);
    expect(aboveLimits(withMore({ More: of(limit + 1) }), STACK)).toEqual([`${words}: ${limit + 1} of ${limit}`]);
  });
});
