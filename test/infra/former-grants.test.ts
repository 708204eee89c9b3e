import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readable, synthesize } from './synthesized.ts';

/** The grants of the last release, by function: `action on resource`, and the beginning of the keys. */
interface Released {
  readonly version: string;
  readonly grants: Readonly<Record<string, readonly string[]>>;
}
const file = join(import.meta.dirname, 'released-grants.json');
const released = JSON.parse(readFileSync(file, 'utf8')) as Released;

interface Statement {
  readonly Action: string | string[];
  readonly Resource: string | string[];
  readonly Condition?: Readonly<Record<string, { readonly 'dynamodb:LeadingKeys': readonly string[] }>>;
}

function linesOf({ Action, Resource, Condition }: Statement): string[] {
  const keys = Object.values(Condition ?? {}).flatMap((limits) => limits['dynamodb:LeadingKeys']);
  return [Action]
    .flat()
    .flatMap((action) => [Resource].flat().map((resource) => `${action} on ${resource}`))
    .flatMap((line) => (keys.length ? keys.map((key) => `${line} ${key}`) : [line]));
}

/** As stack.test.ts does: a synthesis may take longer than a test. */
const { careful } = await synthesize();

function presentGrants(): Record<string, string[]> {
  const roles = [...readable(careful)].flatMap(([name, { Type, Properties }]) => {
    const id = /^(.*)-role$/.exec(name)?.[1];
    if (Type !== 'AWS::IAM::Role' || !id) return [];
    const policies = Properties['Policies'] as { PolicyDocument: { Statement: Statement[] } }[];
    return [[id, policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap(linesOf))] as const];
  });
  return Object.fromEntries(roles.map(([name, lines]) => [name, [...new Set(lines)].sort()]));
}

test('a permission that a function of the last release uses is kept for one release', () => {
  const present = presentGrants();
  const { version } = packageJson;
  if (process.env['RECORD_GRANTS']) writeFileSync(file, `${JSON.stringify({ version, grants: present }, null, 2)}\n`);
  const missing = Object.entries(released.grants).flatMap(([name, lines]) => {
    const own = present[name];
    // A function that is gone has no calls to shift.
    if (!own) return [];
    return lines.filter((line) => !own.includes(line)).map((line) => `${name}: ${line}`);
  });
  expect(missing).toEqual([]);
});

test('the grants that are compared are those of the last release, or of the one before while it is being made', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const dated = [...changelog.matchAll(/^## (\d\S*) - \d{4}/gm)].map(([, version]) => version);
  expect(dated.slice(0, 2)).toContain(released.version);
});
