import { createHash, createHmac } from 'node:crypto';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestSigner } from '../../../lib/store/dynamodb/client.ts';

class Sha256 {
  readonly #hash;
  constructor(secret?: string | Uint8Array) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as string);
  }
  update(data: Uint8Array) {
    this.#hash.update(data);
  }
  async digest() {
    return this.#hash.digest();
  }
  reset() {}
}

test('a request has the signature of the SDK, whatever the credentials, the region, the body and the moment', async () => {
  const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 }).filter((one) => one.trim() === one);
  const token = fc.option(fc.stringMatching(/^[A-Za-z0-9+/=]{1,40}$/), { nil: undefined });
  let credentials = { accessKeyId: '', secretAccessKey: '', sessionToken: undefined as string | undefined };
  let region = '';
  const ours = new RequestSigner({ credentials: async () => credentials, region: async () => region });
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      token,
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('us-east-1', 'eu-central-1'),
      fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
      async (accessKeyId, secretAccessKey, sessionToken, body, ownRegion, signingDate) => {
        region = ownRegion;
        credentials = { accessKeyId, secretAccessKey, sessionToken };
        const newRequest = () =>
          new HttpRequest({
            method: 'POST',
            hostname: 'dynamodb.us-east-1.amazonaws.com',
            path: '/',
            headers: {
              host: 'dynamodb.us-east-1.amazonaws.com',
              'content-type': 'application/x-amz-json-1.0',
              'x-amz-target': 'DynamoDB_20120810.GetItem',
            },
            body,
          });
        const theirs = new SignatureV4({
          credentials: sessionToken ? { accessKeyId, secretAccessKey, sessionToken } : { accessKeyId, secretAccessKey },
          region,
          service: 'dynamodb',
          sha256: Sha256 as never,
          applyChecksum: false,
        });
        // As the SDK calls it: it names no region.
        const options = { signingDate, signingService: 'dynamodb' };
        const [one, other] = [await ours.sign(newRequest(), options), await theirs.sign(newRequest(), options)];
        expect(one.headers).toEqual(other.headers);
        // The SDK signs a request again before it repeats it.
        expect((await ours.sign(one, options)).headers).toEqual(other.headers);
      },
    ),
  );
});
