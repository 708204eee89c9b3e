import { faulty } from '../../lib/api/failure.ts';
import { callbackFaults } from '../../lib/domain/appointments/callbacks.ts';

/** Addresses that a request brings, each trimmed; what is not given is not there. 400 where one is no address that may be called. */
export function linksOf<const Name extends string>(given: Readonly<Record<Name, string | null | undefined>>): Partial<Record<Name, string>> {
  const faults = callbackFaults(given, { allowLoopback: process.env['STAGE'] === 'local' });
  if (faults.length) throw faulty(faults);
  const told = Object.entries<string | null | undefined>(given).filter(([, text]) => text !== undefined);
  return Object.fromEntries(told.map(([name, text]) => [name, (text ?? '').trim()])) as Partial<Record<Name, string>>;
}
