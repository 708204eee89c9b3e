import { faulty } from '../../lib/api/failure.ts';
import { engine } from './engine.ts';

/** Addresses that a request brings, each trimmed; what is not given is not there. 400 where one is no address that may be called. */
export async function linksOf<const Name extends string>(given: Readonly<Record<Name, string | null | undefined>>): Promise<Partial<Record<Name, string>>> {
  const told = Object.entries<string | null | undefined>(given).filter(([, text]) => text !== undefined);
  if (!told.length) return {};
  const { callbackFaults } = await engine();
  const faults = callbackFaults(given, { allowLoopback: process.env['STAGE'] === 'local' });
  if (faults.length) throw faulty(faults);
  return Object.fromEntries(told.map(([name, text]) => [name, (text ?? '').trim()])) as Partial<Record<Name, string>>;
}
