import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { sourceCodes } from '../../../infra/pack/postal.ts';
import { type Position, loadPostalData, EARTH_RADIUS_MILES } from '../../../lib/domain/postal/localities.ts';

const source = sourceCodes();
const data = await loadPostalData();

/** 100 codes spread over the whole table, the same ones in every run. */
const sample = source.filter((row, index) => index % 420 === 211 && row.latitude !== 0).slice(0, 100);

/** Great-circle miles by the spherical law of cosines, another formula than the haversine one of the project. */
function milesByCosines(from: Position, to: Position): number {
  const [a, b] = [(from.latitude * Math.PI) / 180, (to.latitude * Math.PI) / 180];
  const turn = ((to.longitude - from.longitude) * Math.PI) / 180;
  const cosine = Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(turn);
  return EARTH_RADIUS_MILES * Math.acos(Math.min(1, cosine));
}

/** The codes and cities within `radius` miles of a code, which must be `expected`, the nearest first. */
function expectWithin(center: Position, radius: number, expected: readonly string[]): void {
  const found = data.codesWithin(center, radius);
  expect(found.map(({ code }) => code).sort()).toEqual(expected);
  const distances = found.map((code) => code.miles);
  expect(distances).toEqual([...distances].sort((a, b) => a - b));
  // The law of cosines loses its digits near zero: 3e-4 miles is half a metre.
  expect(found.every((code) => Math.abs(code.miles - milesByCosines(center, code.position)) < 3e-4)).toBe(true);

  const cities = data.citiesWithin(center, radius);
  const name = ({ city, state }: { city: string; state: string }) => `${city}, ${state}`;
  expect(cities.map(name)).toEqual([...new Set(found.map(name))]);
  for (const { city, state, code } of cities)
    expect(found.find((near) => near.city === city && near.state === state)?.code).toBe(code);
}

describe('the shipped postal codes', () => {
  test('are those of the source, every one', () => {
    expect(data.count).toBe(42_555);
    const differing = source.filter((row) => {
      const found = data.find(row.zip);
      const located = row.latitude !== 0 || row.longitude !== 0;
      return (
        found?.city !== row.city ||
        found.state !== row.state ||
        found.position?.latitude !== (located ? row.latitude : undefined) ||
        found.position?.longitude !== (located ? row.longitude : undefined)
      );
    });
    expect(differing).toEqual([]);
  });

  test('hold what anybody can look up', () => {
    expect(data.find('10001')).toEqual({
      code: '10001',
      city: 'New York',
      state: 'NY',
      country: 'US',
      timeZone: 'America/New_York',
      position: { latitude: 40.7484, longitude: -73.9967 },
    });
    expect(data.find('00501-0001')).toMatchObject({ code: '00501', city: 'Holtsville', state: 'NY' });
    expect(data.find('00000')).toBeUndefined();
    expect(data.find('99999')).toBeUndefined();
  });

  test('put 10200 New York on its own side of the globe', () => {
    expect(data.find('10200')?.position?.longitude).toBe(-73.95);
  });

  test('within 5, 25 and 60 miles of 100 codes are those that an independent calculation finds', () => {
    expect(sample).toHaveLength(100);
    const located = source.filter((row) => row.latitude !== 0 || row.longitude !== 0);
    for (const center of sample) {
      const distances = located.map((row) => ({ zip: row.zip, miles: milesByCosines(center, row) }));
      for (const radius of [5, 25, 60])
        expectWithin(
          center,
          radius,
          distances.filter(({ miles }) => miles <= radius).map(({ zip }) => zip),
        );
    }
  });

  test('come along in a CommonJS bundle, without a file beside it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postal-'));
    try {
      writeFileSync(
        join(folder, 'entry.ts'),
        `import { loadPostalData } from ${JSON.stringify(join(import.meta.dirname, '../../../lib/domain/postal/localities.ts'))};
         loadPostalData().then((codes) => console.log(codes.count, codes.find('60601')?.city));`,
      );
      const outfile = join(folder, 'away', 'index.cjs');
      await build({
        entryPoints: [join(folder, 'entry.ts')],
        outfile,
        bundle: true,
        minify: true,
        platform: 'node',
        format: 'cjs',
        logLevel: 'error',
      });
      expect(execFileSync(process.execPath, [outfile], { encoding: 'utf8' })).toBe('42555 Chicago\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('time zones of codes', () => {
  test.each([
    ['10001', 'New York', 'America/New_York'],
    ['60601', 'Chicago', 'America/Chicago'],
    ['80202', 'Denver', 'America/Denver'],
    ['90210', 'Beverly Hills', 'America/Los_Angeles'],
    ['48226', 'Detroit', 'America/Detroit'],
    ['49801', 'Iron Mountain', 'America/Menominee'],
    ['46204', 'Indianapolis', 'America/Indiana/Indianapolis'],
    ['46402', 'Gary', 'America/Chicago'],
    ['47708', 'Evansville', 'America/Chicago'],
    ['47586', 'Tell City', 'America/Chicago'],
    ['40202', 'Louisville', 'America/New_York'],
    ['42101', 'Bowling Green', 'America/Chicago'],
    ['37201', 'Nashville', 'America/Chicago'],
    ['37902', 'Knoxville', 'America/New_York'],
    ['37402', 'Chattanooga', 'America/New_York'],
    ['37723', 'Crab Orchard', 'America/Chicago'],
    ['32301', 'Tallahassee', 'America/New_York'],
    ['32501', 'Pensacola', 'America/Chicago'],
    ['32401', 'Panama City', 'America/Chicago'],
    ['32456', 'Port Saint Joe', 'America/New_York'],
    ['79901', 'El Paso', 'America/Denver'],
    ['79855', 'Van Horn', 'America/Chicago'],
    ['67735', 'Goodland', 'America/Denver'],
    ['67701', 'Colby', 'America/Chicago'],
    ['69153', 'Ogallala', 'America/Denver'],
    ['69101', 'North Platte', 'America/Chicago'],
    ['57701', 'Rapid City', 'America/Denver'],
    ['57501', 'Pierre', 'America/Chicago'],
    ['57601', 'Mobridge', 'America/Chicago'],
    ['58601', 'Dickinson', 'America/Denver'],
    ['58501', 'Bismarck', 'America/Chicago'],
    ['83702', 'Boise', 'America/Boise'],
    ['83814', 'Coeur D Alene', 'America/Los_Angeles'],
    ['97914', 'Ontario', 'America/Boise'],
    ['97201', 'Portland', 'America/Los_Angeles'],
    ['89883', 'West Wendover', 'America/Denver'],
    ['85003', 'Phoenix', 'America/Phoenix'],
    ['86515', 'Window Rock', 'America/Denver'],
    ['99501', 'Anchorage', 'America/Anchorage'],
    ['99546', 'Adak', 'America/Adak'],
    ['96813', 'Honolulu', 'Pacific/Honolulu'],
    ['00901', 'San Juan', 'America/Puerto_Rico'],
    ['96910', 'Hagatna', 'Pacific/Guam'],
  ])('%s %s keeps %s', (code, city, zone) => {
    expect(data.find(code)).toMatchObject({ city, timeZone: zone });
  });

  test.each(['89825', '97907', '37337'])('%s is between two zones and gets none', (code) => {
    expect(data.find(code)).toMatchObject({ timeZone: null });
  });

  test('are names that the runtime knows, and missing for military addresses and 30 others only', () => {
    const civil = source.filter((row) => !['AA', 'AE', 'AP'].includes(row.state));
    const zones = civil.map((row) => data.find(row.zip));
    for (const zone of new Set(zones.map((place) => place?.timeZone ?? 'UTC'))) {
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
    }
    expect(zones.filter((place) => place?.timeZone === null)).toHaveLength(30);
    expect(data.find('34001')).toMatchObject({ state: 'AA', timeZone: null });
  });
});
