import { callbackFaults } from '../../lib/domain/appointments/callbacks.ts';
import { faults, type Refusal } from './refusal.ts';

/** Addresses that a request brings, each trimmed; what is not given is not there. Refused where one is no address that may be called. */
export function linksOf<const Name extends string>(given: Readonly<Record<Name, string | null | undefined>>): Partial<Record<Name, string>> | Refusal {
  const told = Object.entries<string | null | undefined>(given).filter(([, text]) => text !== undefined);
  const found = callbackFaults(given, { allowLoopback: process.env['STAGE'] === 'local' });
  if (found.length) return faults(...found);
  return Object.fromEntries(told.map(([name, text]) => [name, (text ?? '').trim()])) as Partial<Record<Name, string>>;
}
