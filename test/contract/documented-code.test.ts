import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fieldErrorMeanings, failureMeanings } from '../../lib/api/openapi/code-meanings.ts';
import { fileName } from '../../lib/domain/messages/settings.ts';
import { fieldsOf } from '../../lib/domain/messages/template-fields.ts';
import { MESSAGE_KINDS, declarationOf } from '../../lib/entities/message-kinds.ts';
import { type FailureCode, failureCodes } from '../../lib/shared/failure-codes.ts';
import { generatedParts } from '../support/documents/generated-parts.ts';
import { codeBlocks } from '../support/documents/pages.ts';

/** What README and guides say, without following it: `npm run prove -- docs` does that. */
const root = join(import.meta.dirname, '../..');
const page = (file: string) => readFileSync(join(root, file), 'utf8');
const read = (name: string) => page(`docs/guides/${name}`);
const guides = readdirSync(join(root, 'docs/guides'));
const readme = codeBlocks(page('README.md')).filter(({ language }) => language === 'sh');

test('the commands to deploy are valid in a shell', async () => {
  const deploy = readme.filter(({ section }) => section === 'Deploy');
  expect(deploy.length).toBeGreaterThan(0);
  for (const { text } of deploy) await promisify(execFile)('bash', ['-n', '-c', text]);
});

test('no command has a comment, which a shell of macOS would take as arguments, or a secret to fill in', () => {
  const all = [...readme, ...codeBlocks(page('docs/quickstart.md'))].filter(({ language }) => language === 'sh');
  // oxlint-disable-next-line no-template-curly-in-string
  expect(all.filter(({ text }) => /(^|\s)#\s|\$\{|<its|<id>/m.test(text))).toEqual([]);
});

test('errors.md lists every code with its status and meaning', () => {
  const rows = [...read('errors.md').matchAll(/^\| `([a-z_]+)` +\| (?:(\d{3}) +\| )?(.*?) +\|$/gm)];
  const meanings = rows.map(([, code, status, meaning]) => [code, ...(status ? [Number(status)] : []), meaning]);
  expect(meanings).toEqual([
    ...Object.entries(failureMeanings).map(([code, meaning]) => [code, failureCodes[code as FailureCode], meaning]),
    ...Object.entries(fieldErrorMeanings),
  ]);
});

// The form in HTML is sent by test/operations/leads.test.ts.
test('a guide has no other code', () => {
  const languages = guides.flatMap((name) => codeBlocks(read(name)).map(({ language }) => language));
  expect([...new Set(languages)].sort()).toEqual(['html', 'python', 'sh', 'ts', 'yaml']);
});

test('messages.md lists every message with its channels, whether it is transactional, and why', () => {
  const rows = [...read('messages.md').matchAll(/^\| (\w+) +\| ([\w, ]+?) +\| (yes|no) +\| (.*?) +\|$/gm)];
  expect(rows.map(([, ...row]) => row)).toEqual(
    MESSAGE_KINDS.map((kind) => {
      const { channels, isTransactional, because } = declarationOf(kind);
      return [kind, channels.join(', '), isTransactional ? 'yes' : 'no', because];
    }),
  );
  const inFile = [...read('messages.md').matchAll(/^\| `(\w+)` +\| [A-Z`]/gm)].map(([, name]) => name);
  expect(inFile).toEqual(MESSAGE_KINDS.map(fileName));
});

test('messages.md lists every field of own texts, and what it says', () => {
  const rows = [...read('messages.md').matchAll(/^\| `\{\{([\w.]+)\}\}` +\| (.*?) +\|/gm)];
  const fields = new Map(MESSAGE_KINDS.flatMap((kind) => [...fieldsOf(kind)]));
  expect(Object.fromEntries(rows.map(([, field, says]) => [field, says]))).toEqual(Object.fromEntries(fields));
});

test.each(generatedParts)(
  '$page ends with what is declared; npm run examples writes it',
  ({ page: file, start, text }) => {
    const items = (part: string) =>
      part
        .replaceAll(/\s+/g, ' ')
        .trim()
        .split(/(?=- )/);
    const written = page(file);
    expect(items(written.slice(written.indexOf(start)))).toEqual(items(text()));
  },
);
