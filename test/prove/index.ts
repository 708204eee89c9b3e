import { containers } from './containers.ts';

/** Proofs that take longer than the tests may: each prints what it found and says whether all of it is as it must be. */
const proofs: Record<string, (options: readonly string[]) => Promise<boolean>> = { containers };

const [name = '', ...options] = process.argv.slice(2);
const prove = proofs[name];
if (!prove) {
  process.stderr.write(`Name a proof: ${Object.keys(proofs).join(', ')}.\n`);
  process.exit(2);
}
process.exit((await prove(options)) ? 0 : 1);
