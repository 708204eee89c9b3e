import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { importCompany } from '../../../../infra/cli/company-file/import.ts';
import { sections } from '../../../../infra/cli/company-file/sections.ts';
import { parseCompanyFiles } from '../../../../infra/cli/company-file/parse.ts';
import { testAccount, testTable } from '../../../support/stack/stack.ts';
import { accountStore } from '../../../../lib/store/store.ts';

const docs = readFileSync(join(import.meta.dirname, '../../../../docs/company-file.md'), 'utf8');
const examples = [...docs.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);

/** Every name that a schema allows, at whatever depth. */
function namesIn(schema: z.core.$ZodType | undefined): string[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, of]) => [name, ...namesIn(of)]);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodLazy)
    return namesIn(schema.unwrap());
  if (schema instanceof z.ZodArray) return namesIn(schema.element);
  return schema instanceof z.ZodPipe ? namesIn(schema.out) : [];
}

describe('docs/company-file.md', () => {
  test('has examples that can be imported', async () => {
    expect(examples).toHaveLength(5);
    const file = parseCompanyFiles([{ name: 'company-file.md', text: examples.join('\n') }]);
    expect(file.errors).toEqual([]);
    const { accountId } = await testAccount();
    const result = await importCompany(file, { store: accountStore(testTable(), accountId) });
    expect(result).toMatchObject({ kind: 'imported' });
  });

  test.each(sections)('names every field of $key', ({ key, format }) => {
    const names = [key, ...namesIn(format.schema())];
    expect(names.length).toBeGreaterThan(1);
    expect([...new Set(names)].filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
  });
});
