import type { Argument } from './tool.ts';

export const id = (description?: string): Argument => ({ type: 'integer', ...(description ? { description } : {}) });
export const text = (description?: string): Argument => ({ type: 'string', ...(description ? { description } : {}) });
export const flag = (description?: string): Argument => ({ type: 'boolean', ...(description ? { description } : {}) });
export const quantity = (): Argument => ({ type: 'number', description: 'Of what is priced by it, such as windows.' });

export const isAnyGiven = (...args: readonly unknown[]): boolean => args.some((arg) => arg !== undefined && arg !== '');

/** A service by its number or its name. */
export const serviceOf = (service: unknown) =>
  /^\d+$/.test(String(service)) ? { ServiceId: Number(service) } : { ServiceName: service };

/** How much of a list was shown before. */
export const SKIP: Argument = { type: 'integer', description: 'To go on, as the answer says.' };

/** The most characters of a name that an answer repeats. */
export const MAX_NAME = 64;
