/** Bytes of a value as JSON in UTF-8: about what it takes in the table, where an item holds 400 KB. */
export const jsonByteLength = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** A limit of bytes as sentences say it: `350,000 bytes`. */
export const formatBytes = (bytes: number): string => `${bytes.toLocaleString('en-US')} bytes`;
