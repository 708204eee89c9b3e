const crc32 = (data: Uint8Array | string, value: number): number =>
  process.getBuiltinModule('node:zlib').crc32(data, value);

/** Stands in for a class of the same interface that loads zlib, 2 ms of CPU, before a checksum is needed. */
export class Crc32Node {
  readonly digestLength = 4;
  #value = 0;

  update(data: Uint8Array | string): void {
    this.#value = crc32(data, this.#value);
  }

  digestSync(): number {
    return this.#value >>> 0;
  }

  digest(): Promise<Uint8Array> {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, this.digestSync());
    return Promise.resolve(bytes);
  }

  reset(): void {
    this.#value = 0;
  }
}
