import { readFileSync } from 'node:fs';
import { codeBlocks } from './pages.ts';

/** The lines that every example of docs/client.md begins with, but for the first one, which has them. */
const START = `import { FieldService } from 'field-service-client';
const fs = new FieldService({ url: process.env.FS_URL ?? '', key: process.env.FS_KEY ?? '' });
`;

/** The examples of the README and of docs/client.md as modules, by their file names in order. */
export function clientExamples(root: string): Map<string, string> {
  const blocks = ['README.md', 'docs/client.md']
    .flatMap((page) => codeBlocks(readFileSync(`${root}/${page}`, 'utf8')))
    .filter(({ language }) => language === 'ts');
  const modules = blocks.map(({ text }, index) => {
    const start = text.includes('const fs =') ? '' : START;
    const name = `example-${String(index + 1).padStart(2, '0')}.ts`;
    return [
      name,
      `${start}${text.replace("'http://127.0.0.1:4000'", "process.env.FS_URL ?? ''").replace('process.env.KEY', 'process.env.FS_KEY')}`,
    ] as const;
  });
  return new Map(modules);
}
