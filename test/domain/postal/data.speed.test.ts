import { expect, test } from 'vitest';
import { packPostal, sourceCodes } from '../../../infra/pack/postal.ts';
import { loadPostalData, parsePostalData } from '../../../lib/domain/postal/localities.ts';
import { costOf } from '../../support/cpu.ts';

test('postal codes are unpacked and searched at the cost of some JSON', async () => {
  const packed = packPostal(sourceCodes());
  expect(await costOf(() => parsePostalData(packed))).toBeLessThan(40);
  const data = await loadPostalData();
  const center = { latitude: 40.7484, longitude: -73.9967 };
  expect(await costOf(() => data.codesWithin(center, 50))).toBeLessThan(20);
});
