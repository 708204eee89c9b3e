/** The name by which an address is sealed (lib/shared/web/sealed-text.ts). Only its account can read it. */
export const sealName = (account: string): string => `calendar of ${account}`;
