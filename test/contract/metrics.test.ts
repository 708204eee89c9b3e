import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { logCall, startLog } from '../../lib/api/respond.ts';

interface Line {
  _aws: { CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[] };
  [field: string]: unknown;
}

beforeEach(() => {
  vi.stubEnv('LOG_LEVEL', 'info');
  vi.stubEnv('STAGE', 'production');
});
afterEach(() => vi.unstubAllEnvs());

/** The log line of a call. */
async function lineOf(operation: string | undefined, status: number): Promise<Line> {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const log = startLog({
    headers: {},
    requestContext: { requestId: 'request', http: { sourceIp: '203.0.113.7' } },
  } as unknown as APIGatewayProxyEventV2);
  if (operation) log.operation = operation;
  await logCall(log, status, new Error('x'));
  write.mockRestore();
  return JSON.parse(lines.join('')) as Line;
}

/** `dimension: metric metric`, a line a directive. */
const metricsOf = ({ _aws }: Line) =>
  _aws.CloudWatchMetrics.map(
    ({ Dimensions, Metrics }) => `${Dimensions.flat().join() || 'stage'}: ${Metrics.map(({ Name }) => Name).join(' ')}`,
  );

describe('the metrics of a call', () => {
  test('are by group and never by operation, in the namespace of the stage', async () => {
    const line = await lineOf('contacts/locate', 200);
    expect(metricsOf(line)).toEqual(['stage: Milliseconds Faults ReadUnits WriteUnits', 'Group: Milliseconds']);
    expect(new Set(line._aws.CloudWatchMetrics.map(({ Namespace }) => Namespace))).toEqual(
      new Set(['FieldService/production']),
    );
    expect(line).toMatchObject({ Group: 'contacts', Operation: 'contacts/locate', Faults: 0 });
  });

  test('count the errors of a group only where a call has one', async () => {
    expect(metricsOf(await lineOf('contacts/locate', 500))).toContain('Group: Milliseconds Faults');
    expect(metricsOf(await lineOf('contacts/locate', 404))).toContain('Group: Milliseconds');
  });

  test('have no group where the path has none', async () => {
    expect(metricsOf(await lineOf(undefined, 404))).toEqual(['stage: Milliseconds Faults ReadUnits WriteUnits']);
  });

  test('have their values in the line', async () => {
    const line = await lineOf('contacts/locate', 500);
    for (const { Dimensions, Metrics } of line._aws.CloudWatchMetrics)
      for (const name of [...Dimensions.flat(), ...Metrics.map(({ Name }) => Name)]) expect(line).toHaveProperty(name);
  });
});
