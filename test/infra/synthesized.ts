import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { makeApp } from '../../infra/app.ts';
import { bundleFile, entries } from '../../infra/bundle/bundle.ts';

const context = (
  JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')) as { context: Record<string, unknown> }
).context;

/** The stream of a table that the stack did not make. */
export const RESTORED_STREAM = 'arn:aws:dynamodb:us-east-1:123456789012:table/restored/stream/2026-11-22T10:00:00.000';

/** The stages of the tests: one as careful as can be, without an edge (edge.test.ts); one that may go, traced. */
const stages = {
  careful: {
    edge: false,
    alarmEmail: 'night@example.com',
    domain: { name: 'api.example.com', certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1' },
  },
  plain: { disposable: true, tracing: true },
  restored: {
    edge: false,
    alarmTopicArn: 'arn:aws:sns:us-east-1:123456789012:on-call',
    tableName: 'restored',
    tableStreamArn: RESTORED_STREAM,
    workerConcurrency: 20,
    openPaths: { docs: { rate: 1, burst: 5 } },
    alarms: { faults: { percent: 2, count: 40 }, parked: 7, streamLateMinutes: 2, queueLateMinutes: 60 },
  },
};

/** What the checks of a synthesis have found. */
export const validationReports = (outdir: string): readonly object[] =>
  (JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')) as { pluginReports: object[] })
    .pluginReports;

/** A file for each bundle, in its place: a template depends on no byte of them, and bundle.test.ts makes them. */
function writePlaceholders(folder: string): void {
  for (const name of Object.keys(entries)) {
    const file = bundleFile(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `// ${name}`);
  }
}

/**
 * Synthesizes stages in a folder of their own; gives the folder and the template of a stack by its name. `isValidated`
 * compares the templates with the schemas of CloudFormation too, which takes seconds: limits.test.ts does for the
 * stage that has everything.
 */
export const synthesizeStages = async (
  ofContext: object,
  { writeBundles = writePlaceholders as (folder: string) => unknown, isValidated = false } = {},
) => {
  const folder = mkdtempSync(join(tmpdir(), 'synth-'));
  await writeBundles(join(folder, 'dist'));
  const outdir = join(folder, 'cdk.out');
  const app = makeApp(join(folder, 'dist'), {
    outdir,
    builtinCloudFormationValidation: isValidated,
    context: {
      ...context,
      stages: ofContext,
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:enable-path-metadata': true,
    },
  });
  app.synth();
  return { outdir, templateOf: (stack: string) => Template.fromStack(app.node.findChild(stack) as Stack) };
};

/** Synthesizes the stages of most tests. */
export const synthesize = async (options: Parameters<typeof synthesizeStages>[1] = {}) => {
  const { outdir, templateOf: templateOfStack } = await synthesizeStages(stages, options);
  const templateOf = (stage: keyof typeof stages) => templateOfStack(`field-service-${stage}`);
  return { outdir, careful: templateOf('careful'), plain: templateOf('plain'), restored: templateOf('restored') };
};

/**
 * A template in which every reference is the name of the construct it points at, so that a test can state it as a
 * person would.
 */
export const readable = (
  template: Template,
): ReadonlyMap<string, { Type: string; Properties: Record<string, unknown>; DeletionPolicy?: string }> => {
  const resources = template.toJSON()['Resources'] as Record<string, { Metadata?: Record<string, string> }>;
  const nameOf = (logicalId: string) =>
    resources[logicalId]?.Metadata?.['aws:cdk:path']
      ?.split('/')
      .slice(1)
      .filter((part) => part !== 'Resource')
      .join('/') ?? logicalId;
  const simplify = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(simplify);
    if (typeof value !== 'object' || value === null) return value;
    const {
      Ref,
      'Fn::GetAtt': attribute,
      'Fn::Join': joined,
      'Fn::Select': selected,
    } = value as {
      Ref?: string;
      'Fn::GetAtt'?: [string, string];
      'Fn::Join'?: [string, unknown[]];
      'Fn::Select'?: [number, { 'Fn::Split': [string, unknown] }];
    };
    if (Ref) return nameOf(Ref);
    if (attribute) return `${nameOf(attribute[0])}.${attribute[1]}`;
    // A part of an ARN: the name of what the ARN is of.
    if (selected) return simplify(selected[1]['Fn::Split'][1]);
    if (joined) return joined[1].map(simplify).join(joined[0]);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, simplify(inner)]));
  };
  return new Map(Object.keys(resources).map((id) => [nameOf(id), simplify(resources[id]) as never]));
};
