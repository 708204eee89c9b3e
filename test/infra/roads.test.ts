import { expect, test } from 'vitest';
import { parseStages } from '../../infra/stages.ts';
import { readable, synthesizeStages } from './synthesized.ts';

const stage = { disposable: true, edge: false };
const routes = { provider: 'amazon-location' };

test('functions that search, book and plan for keys may ask Amazon Location for drives and places, and no others', async () => {
  const { templateOf } = await synthesizeStages({ with: { ...stage, routes }, without: stage });
  const having = readable(templateOf('field-service-with'));
  const named = (text: string) =>
    [...having].flatMap(([name, { Properties }]) => (JSON.stringify(Properties).includes(text) ? name : [])).sort();
  expect(named('"ROUTES_PROVIDER":"amazon-location"')).toEqual(expect.arrayContaining(['appointments', 'pages']));
  const roles = ['appointments-role', 'background-work-role', 'mcp-role'];
  for (const [action, service] of [
    ['geo-routes:CalculateRouteMatrix', 'geo-routes'],
    ['geo-places:Geocode', 'geo-places'],
  ] as const) {
    expect(named(`"Action":"${action}"`)).toEqual(roles);
    expect(named(`:${service}:`)).toEqual(roles);
    expect(named('::provider/default')).toEqual(roles);
  }
  const without = readable(templateOf('field-service-without'));
  expect(having.size).toBe(without.size);
  expect(JSON.stringify([...without])).not.toMatch(/geo-|ROUTES_PROVIDER/);
});

test('another provider is refused by name of the setting', () => {
  expect(() => parseStages({ dev: { ...stage, routes: { provider: 'here' } } })).toThrow(/dev\.routes\.provider/);
});
