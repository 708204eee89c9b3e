/** Under which name an address is sealed (lib/shared/web/sealed-text.ts): one of another account cannot be read. */
export const sealName = (account: string): string => `calendar of ${account}`;
