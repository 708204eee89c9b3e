import { execFile } from 'node:child_process';
import { access, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ApiDocument, describedOperations } from './described-operations.ts';
import { exactDocument } from './exact-document.ts';

const run = promisify(execFile);
const GENERATOR = 'openapi-python-client==0.29.0';
const CACHE = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'field-service-api');
const MODULE = 'field_service_client';
const CONFIGURATION = `project_name_override: field-service-client\npackage_name_override: ${MODULE}\n`;

/** The folder of the generator's programs, which pip installs once. */
async function loadGenerator(): Promise<string> {
  const folder = join(CACHE, GENERATOR.replace('==', '-'));
  const programs = join(folder, 'bin');
  const isInstalled = await access(join(programs, 'openapi-python-client')).then(
    () => true,
    () => false,
  );
  if (isInstalled) return programs;
  await run('python3', ['-m', 'venv', folder]);
  await run(join(programs, 'pip'), ['install', '-q', GENERATOR]);
  return programs;
}

/** Removes failures, because the runtime raises them: a function of the package only returns the answer. */
function withoutFailures(document: ApiDocument): object {
  const paths = Object.entries(document.paths).map(([path, { post }]) => [
    path,
    { post: { ...post, responses: { 200: post.responses[200] } } },
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** For the runtime: which operations write, and how lists are paged. */
function operationsModule(): string {
  const operations = describedOperations(exactDocument());
  const nameOf = ({ group, name }: { group: string; name: string }) => JSON.stringify(`${group}/${name}`);
  const writes = operations.filter(({ isWrite }) => isWrite).map((each) => `    ${nameOf(each)},\n`);
  const lists = operations.flatMap((each) =>
    each.list ? [`    ${nameOf(each)}: ${JSON.stringify(each.list)},\n`] : [],
  );
  return (
    `WRITES = frozenset([\n${writes.join('')}])\n\n` +
    `# The field with the records of a page.\nLISTS = {\n${lists.join('')}}\n`
  );
}

/** Writes the Python package to the folder, which must be new or contain an earlier package. */
export async function writePythonPackage(folder: string): Promise<void> {
  const programs = await loadGenerator();
  const work = await mkdtemp(join(tmpdir(), 'python-'));
  try {
    const [document, configuration] = [join(work, 'openapi.json'), join(work, 'config.yml')];
    await writeFile(document, JSON.stringify(withoutFailures(exactDocument())));
    await writeFile(configuration, CONFIGURATION);
    const options = ['--path', document, '--config', configuration, '--output-path', folder, '--overwrite'];
    await run(join(programs, 'openapi-python-client'), ['generate', '--meta', 'uv', ...options], {
      env: { ...process.env, PATH: `${programs}:${process.env['PATH'] ?? ''}` },
      maxBuffer: 50_000_000,
    });
    const source = join(import.meta.dirname, 'python');
    await copyFile(join(source, 'README.md'), join(folder, 'README.md'));
    await copyFile(join(source, 'runtime.py'), join(folder, MODULE, 'runtime.py'));
    await writeFile(join(folder, MODULE, 'operations.py'), operationsModule());
  } finally {
    await rm(work, { recursive: true });
  }
}
